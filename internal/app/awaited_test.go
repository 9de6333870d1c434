package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// While a fixed check waits for another, only checks that had failed cost requests, and those once:
// when the last has concluded.
func TestEventsThatCannotTeachWakeNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.begin("piet", "")
	const many = 12
	for i := range many {
		b.idle(s.check(fmt.Sprint("failed ", i), "failure"))
	}
	s.push("fix")
	b.github.ResetRequests()
	for i := range many - 1 {
		b.idle(s.check(fmt.Sprint("failed ", i), []string{"success", "failure", "skipped"}[i%3]))
	}
	for i := range 90 {
		b.idle(s.check(fmt.Sprint("never failed ", i), []string{"success", "neutral", "skipped"}[i%3]))
	}
	if asked := b.routes(); len(asked) != 0 {
		t.Errorf("%d requests, %q first", len(asked), asked[0])
	}
	if got := b.deliver(s.check("failed 11", "success")); got.Outcome.Result != "learned" {
		t.Errorf("outcome %+v\n%s", got.Outcome, b.log)
	}
	waiting := fmt.Sprintf("checks of %d on %s", b.repo.ID(), s.head())
	if d, there, err := b.queue.Delivery(context.Background(), waiting); !there || err != nil || d.State != queue.Waiting {
		t.Errorf("not one intent waits for the head: %+v, %v", d, err)
	}
}

// A job that begins when another has passed (needs:) is learned from with it.
func TestAJobThatStartsLate(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]func(s *story) queue.Delivery{
		"it passes":     func(s *story) queue.Delivery { return s.deliver(s.check("test", "success")) },
		"it is skipped": func(s *story) queue.Delivery { return s.deliver(s.check("test", "skipped")) },
		"it never runs, and the pull request is merged": func(s *story) queue.Delivery {
			return s.deliver(s.merge(s.pull))
		},
		"it never runs, and the wait ends": func(s *story) queue.Delivery {
			in := queue.Intent{Delivery: "the wait", Kind: kindCheck, Installation: 1, Repository: s.repo.ID(), FullName: "acme/api", PullRequest: s.pull, Head: s.head()}
			if _, err := s.queue.Put(context.Background(), in); err != nil {
				s.t.Fatal(err)
			}
			return s.wait("the wait")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.begin("piet", "")
			b.idle(s.check("lint", "failure"))
			b.idle(s.check("test", "failure"))
			s.push("fix")
			b.idle(s.check("lint", "success"))
			last(s)
			want := 1
			if name == "it passes" {
				want = 2
			}
			commits := b.repo.Commits(config.DefaultStore)
			if len(commits) != 1 || len(b.lessons()) != 1 {
				t.Fatalf("%d commits, lessons %q\n%s", len(commits), b.lessons(), b.log)
			}
			if entries := ledger.Parse(commits[0].Message); len(entries) != 1 || len(entries[0].Sources()) != want {
				t.Errorf("entries %+v, want %d sources", entries, want)
			}
		})
	}
}

// putIntents are intents as an intake puts them.
type putIntents []queue.Intent

func (p *putIntents) Put(_ context.Context, in queue.Intent) (bool, error) {
	*p = append(*p, in)
	return true, nil
}

// The wait has a bound, and its reason, too.
func TestTheWaitForChecksEnds(t *testing.T) {
	q, err := queue.Open(t.Context(), queue.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Stop(context.Background()) //nolint:errcheck // a test's end
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var put putIntents
	var log strings.Builder
	in := &checkIntake{intents: &put, checks: q.Checks(), log: zerolog.New(&log), self: func() string { return "" }, now: func() time.Time { return now }}
	send := func(name, sha, conclusion string) {
		t.Helper()
		body := fmt.Sprintf(`{"action":"completed","installation":{"id":1},"repository":{"id":7,"full_name":"acme/api","default_branch":"main"},
"check_run":{"name":%q,"head_sha":%q,"conclusion":%q,"pull_requests":[{"number":3}]}}`, name, strings.Repeat(sha, 40), conclusion)
		if err := in.Handle(t.Context(), "check_run", name+sha, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		send(fmt.Sprintf("check %02d", i), "a", "failure")
	}
	send("check 00", "b", "success")
	send("check 01", "b", "success")
	if len(put) != 2 || put[0].Delivery != put[1].Delivery || !put[0].NotBefore.Equal(now.Add(awaitChecks)) {
		t.Errorf("intents %+v", put)
	}
	if want := "/check 05 and 24 more"; !strings.Contains(log.String(), want) {
		t.Errorf("the log does not say %q:\n%s", want, log.String())
	}
}
