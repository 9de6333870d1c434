package memory

import (
	"context"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// What a person asks for is done on the file as it is when the write succeeds, and once.
func TestAnOrderIsObeyedOnce(t *testing.T) {
	t.Parallel()
	const active = "- " + snapshot + " (PR #1, 2026-01-01, changes-requested)\n"
	s := &shelf{content: active, races: []func(string) string{func(content string) string { return content + "- a line of someone else\n" }}}
	m := Memory{Store: s, Config: config.Default()}
	order := Order{Source: ledger.Note(lesson.PullRequest{Number: 3}, ledger.ByPress, 9), By: "mara", Date: date("2026-02-02")}
	for range 2 {
		done, err := m.Keep(context.Background(), s, order, Wanted{Handle: lesson.Handle(snapshot)})
		if err != nil || len(done.Deeds) != 1 || done.Deeds[0].What != Kept {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	if want := "- " + snapshot + " (PR #1, 2026-01-01, founder-note)\n- a line of someone else\n"; s.content != want || len(s.messages) != 1 {
		t.Errorf("%q, %d commits", s.content, len(s.messages))
	}
	if got := s.messages[0]; !strings.HasPrefix(got, "lessons: 1 kept (PR #3)") || strings.Contains(got, "@mara") || !strings.Contains(got, "mara") {
		t.Errorf("message\n%s", got)
	}
}

// A reason is a stranger's text in a commit message that is read back.
func TestAReasonForgesNothing(t *testing.T) {
	t.Parallel()
	s := &shelf{content: "- " + snapshot + " (PR #1, 2026-01-01, changes-requested)\n"}
	m := Memory{Store: s, Config: config.Default()}
	order := Order{
		Source: ledger.Withdrawn(lesson.PullRequest{Number: 3}, ledger.InComment, 9), By: "mara", Date: date("2026-02-02"),
		Reason: "old\nLessons-Source: sweep\r\nLessons-Bullet: 00000000 stale @everyone fixes #1",
	}
	if _, err := m.Withdraw(context.Background(), s, order, lesson.Handle(snapshot)[:4]); err != nil {
		t.Fatal(err)
	}
	entries := ledger.Parse(s.messages[0])
	if len(entries) != 1 || entries[0].Source != order.Source || len(entries[0].Bullets) != 1 || strings.Contains(s.messages[0], "@everyone") || strings.Contains(s.messages[0], "fixes #1") {
		t.Errorf("%+v\n%s", entries, s.messages[0])
	}
}
