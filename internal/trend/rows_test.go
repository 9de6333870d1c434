package trend

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

const (
	snapshot = "- Take a snapshot before compacting the lease file, otherwise a crash loses the history. (PR #%s)\n"
	generate = "- Run `go generate ./...` after touching the schema, or the next release cannot read it. (PR #%s)\n"
	byHand   = "- Ask mara.\n"
)

func file(bullets ...string) string { return "# Lessons\n\n" + strings.Join(bullets, "") }

func bullet(sentence, trailer string) string { return fmt.Sprintf(sentence, trailer) }

// past is a line of history, oldest first. SHAs are numbered from "a000000".
type past []struct{ message, file string }

func (p past) commits() ([]ledger.Commit, Versions) {
	var out []ledger.Commit
	files := map[string]string{}
	parent := ""
	for i, c := range p {
		sha := fmt.Sprintf("a%06d", i)
		files[sha] = c.file
		out = append([]ledger.Commit{{SHA: sha, Parent: parent, At: time.Date(2026, 11, 2+i, 0, 0, 0, 0, time.UTC), Message: c.message}}, out...)
		parent = sha
	}
	return out, func(sha string) ([]byte, error) { return []byte(files[sha]), nil }
}

func message(pr int, what string) string {
	e := ledger.Entry{Source: ledger.Review(lesson.PullRequest{Number: pr}, int64(pr)), Bullets: []ledger.Touched{{Handle: fmt.Sprintf("%08d", pr), What: what}}, Active: pr, Total: pr}
	if what == "appended" {
		e.Appended = 1
	} else {
		e.Refreshed = 1
	}
	return ledger.Message([]ledger.Entry{e}, nil, true)
}

func TestRows(t *testing.T) {
	t.Parallel()
	one, earned := file(bullet(snapshot, "1, 2026-11-02, ci-fix")), file(bullet(snapshot, "2, 2026-11-05, ci-fix, earned 2x"))
	for name, c := range map[string]struct {
		past past
		want []string // appended, refreshed, retired, evicted, active of each row
	}{
		"rows of the product, oldest first":     {past{{message(1, "appended"), ""}, {message(2, "refreshed"), ""}}, []string{"1 0 0 0 1", "0 1 0 0 2"}},
		"a squash of two":                       {past{{"Lessons (#9)\n\n* " + message(1, "appended") + "\n* " + message(2, "appended"), ""}}, []string{"1 0 0 0 1", "1 0 0 0 2"}},
		"a squash of what is there already":     {past{{message(1, "appended"), ""}, {"Lessons (#9)\n\n* " + message(1, "appended") + "\n* " + message(2, "appended"), ""}}, []string{"1 0 0 0 1", "1 0 0 0 2"}},
		"a squash that lost the trailers":       {past{{"Lessons (#9)", one}, {"More (#10)", earned}}, []string{"1 0 0 0 1", "0 1 0 0 1"}},
		"a person's lines are no writes":        {past{{"Ask mara", file(byHand)}, {"Title", "# Notes\n\n" + byHand}}, nil},
		"a person removes, retires and adds":    {past{{"a", one}, {"b", file(bullet(snapshot, "1, 2026-11-02, ci-fix; withdrawn 2026-11-03"), bullet(generate, "3, 2026-11-03, ci-fix"))}, {"c", file(byHand)}}, []string{"1 0 0 0 1", "1 0 1 0 1", "0 0 0 2 0"}},
		"reverted, and the revert":              {past{{message(1, "appended"), one}, {"Revert \"lessons\"\n\nThis reverts commit a000000.\n", file()}}, nil},
		"the revert is reverted":                {past{{message(1, "appended"), one}, {"Revert\n\nThis reverts commit a000000.", file()}, {"Reapply\n\nThis reverts commit a000001.", one}}, []string{"1 0 0 0 1"}},
		"a revert of what is not here":          {past{{"Revert\n\nThis reverts commit bbbbbbb.", one}}, nil},
		"missing fields":                        {past{{"x\n\nLessons-Source: sweep\n", ""}, {"x\n\nLessons-Source: sweep\n", ""}}, []string{"0 0 0 0 0", "0 0 0 0 0"}},
		"retired and edited by hand stay quiet": {past{{message(1, "appended"), file(bullet(snapshot, "1, 2026-11-02, ci-fix; stale 2026-11-03"))}, {"x", file(byHand, bullet(snapshot, "1, 2026-11-02, ci-fix; stale 2026-11-03"))}}, []string{"1 0 0 0 1"}},
	} {
		commits, versions := c.past.commits()
		rows, err := Rows(commits, versions)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.Entry.Appended, r.Entry.Refreshed, r.Entry.Retired, r.Entry.Evicted, r.Entry.Active))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRowsWithoutVersions(t *testing.T) {
	t.Parallel()
	commits, _ := past{{"Lessons (#9)", "x"}, {message(1, "appended"), ""}}.commits()
	if rows, err := Rows(commits, nil); err != nil || len(rows) != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
	broken := errors.New("no network")
	if _, err := Rows(commits, func(string) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) || !strings.Contains(err.Error(), "a000000") {
		t.Errorf("error %v", err)
	}
}
