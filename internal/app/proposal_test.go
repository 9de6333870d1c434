package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/store"
)

const (
	lessonC = "Quote every path that a shell script hands to `rm`, since a space in a folder's name deletes its neighbour."
	lessonD = "Name the environment variable in the error message when a required setting is missing at start-up."

	createPull = "POST /repos/{owner}/{repo}/pulls"
)

// proposed returns the bullets on the standing branch.
func (b *bench) proposed() []string {
	content, _ := b.repo.FileAt(store.ProposalBranch, config.DefaultStore)
	var out []string
	for line := range strings.Lines(content) {
		if strings.HasPrefix(line, "- ") {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}

// standing returns the number of the newest pull request of the App's, 0 for none.
func (b *bench) standing() int {
	for _, number := range b.repo.PullsOf(store.ProposalBranch) {
		return number
	}
	return 0
}

func wantLessons(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d bullets, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("bullet %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestARuleTurnsWritesIntoOneStandingPullRequest(t *testing.T) {
	t.Parallel()
	for name, protect := range map[string]func(*githubtest.Repository){
		"a classic protection":       func(r *githubtest.Repository) { r.Protect("main", "") },
		"required checks, classic":   func(r *githubtest.Repository) { r.Protect("main", "2 of 2 required status checks are expected.") },
		"a ruleset":                  func(r *githubtest.Repository) { r.SetRules("main", githubtest.Rule{Type: "pull_request"}) },
		"a merge queue":              func(r *githubtest.Repository) { r.SetRules("main", githubtest.Rule{Type: "merge_queue"}) },
		"required checks, a ruleset": func(r *githubtest.Repository) { r.SetRules("main", githubtest.Rule{Type: "required_status_checks"}) },
		"no rule, but the mode": func(r *githubtest.Repository) {
			r.Put(config.Path, "commit:\n  mode: pull-request\n", "configure")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			protect(b.repo)
			if got := b.deliver(b.review("piet", "mara", "", lessonA)); got.Outcome.Result != "learned" || got.Attempts != 1 {
				t.Fatalf("outcome %+v\n%s", got, b.log)
			}
			b.deliver(b.review("piet", "mara", "", lessonC))
			b.deliver(b.review("piet", "mara", "", lessonB)) // re-earns what is only pending
			wantLessons(t, b.proposed(), lessonA+" (PR #4, ", lessonC)
			wantLessons(t, b.lessons())
			number := b.standing()
			pull := b.repo.Pull(number)
			if pull.State != "open" || !strings.Contains(pull.Body, "Quote every path") || !strings.Contains(pull.Body, "earned 2x") {
				t.Errorf("the standing pull request: %+v", pull)
			}
			for _, c := range b.repo.Commits(config.DefaultStore) {
				t.Errorf("a commit on the base: %q", c.Message)
			}

			b.deliver(b.merge(number))
			wantLessons(t, b.lessons(), lessonA, lessonC)
			if b.proposed() != nil {
				t.Error("the branch of the merged pull request is still there")
			}
			b.deliver(b.review("piet", "mara", "", lessonD))
			wantLessons(t, b.proposed(), lessonA, lessonC, lessonD)
			if next := b.standing(); next == number || b.repo.Pull(next).State != "open" {
				t.Errorf("pull request %d after %d", next, number)
			}
		})
	}
}

// What lands on the base meanwhile, and what people do on the branch, is kept.
func TestAStandingPullRequestFollowsItsBase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Protect("main", "")
	b.deliver(b.review("piet", "mara", "", lessonA))
	b.repo.Put(config.DefaultStore, "# Ours\n\n- A person's line.\n- Keep fixtures small, so that a failing comparison can be read. (PR #90, 2026-01-01, changes-requested)\n", "by hand")
	b.deliver(b.review("piet", "mara", "", lessonC))
	wantLessons(t, b.proposed(), "A person's line.", "Keep fixtures small", lessonA, lessonC)
	if content, _ := b.repo.FileAt(store.ProposalBranch, config.DefaultStore); !strings.HasPrefix(content, "# Ours\n") {
		t.Errorf("the base's prose is gone:\n%s", content)
	}

	before, _ := b.repo.FileAt(store.ProposalBranch, config.DefaultStore)
	edited := strings.Replace(before, "- A person's line.\n", "- A person's line, corrected.\n", 1)
	by := b.repo.Push(store.ProposalBranch, "noor", "Correct a line", map[string]string{config.DefaultStore: edited})
	b.deliver(b.review("piet", "mara", "", lessonD))
	wantLessons(t, b.proposed(), "A person's line, corrected.", "Keep fixtures small", lessonA, lessonC, lessonD)
	if _, kept := b.repo.FileAt(by, config.DefaultStore); !kept {
		t.Error("the person's commit is gone")
	}
}

// A conflict beside changes of a person is the person's to solve: nothing is overwritten.
func TestAConflictWithAPersonsBranchIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Protect("main", "")
	b.deliver(b.review("piet", "mara", "", lessonA))
	b.repo.Push(store.ProposalBranch, "noor", "Something else, too", map[string]string{"notes.txt": "x"})
	b.repo.Put(config.DefaultStore, "- A person's line.\n", "by hand")
	got := b.deliver(b.review("piet", "mara", "", lessonC))
	if got.State != queue.GaveUp || !strings.Contains(got.Outcome.Reason, "notes.txt") {
		t.Errorf("outcome %+v", got)
	}
	wantLessons(t, b.proposed(), lessonA)
}

func TestARefusedPullRequestStaysRefused(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := newBenchWith(t, benchOptions{now: func() time.Time { return now }})
	b.repo.Protect("main", "")
	b.deliver(b.review("piet", "mara", "", lessonA))
	b.repo.Close(b.standing())
	got := b.deliver(b.review("piet", "mara", "", lessonC))
	if got.State != queue.Done || got.Outcome.Result != "nothing" || !strings.Contains(got.Outcome.Reason, "closed unmerged") {
		t.Errorf("outcome %+v", got)
	}
	now = now.Add(store.Declined + time.Hour)
	b.deliver(b.review("piet", "mara", "", lessonD))
	wantLessons(t, b.proposed(), lessonD)
}

// A crash or a fault between the commit and the pull request leaves no lesson without one.
func TestThePullRequestIsOpenedLater(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]githubtest.Fault{
		"refused once":       {Route: createPull, Answer: &githubtest.Answer{Status: http.StatusBadGateway, Body: "{}"}},
		"reset":              {Route: createPull, Reset: true},
		"the answer is lost": {Route: createPull, After: true, Reset: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.repo.Protect("main", "")
			b.github.Fail(fault)
			b.deliver(b.review("piet", "mara", "", lessonA))
			if pull := b.repo.Pull(b.standing()); pull.State != "open" {
				t.Errorf("the pull request: %+v\n%s", pull, b.log)
			}
			wantLessons(t, b.proposed(), lessonA)
		})
	}
}

func TestDirectModeNeverProposes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Put(config.Path, "commit:\n  mode: direct\n", "configure")
	b.repo.Protect("main", "")
	got := b.deliver(b.review("piet", "mara", "", lessonA))
	if got.State != queue.GaveUp || !strings.Contains(got.Outcome.Reason, "a rule of the branch forbids") || b.standing() != 0 {
		t.Errorf("outcome %+v", got)
	}
}

// A branch that lost its pull request gets one, and the next lesson goes there at the first try.
func TestALostPullRequestIsOpenedAndUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Protect("main", "")
	b.github.Fail(githubtest.Fault{Route: createPull, Times: 3, Answer: &githubtest.Answer{Status: http.StatusBadGateway, Body: "{}"}})
	b.deliver(b.review("piet", "mara", "", lessonA)) // given up: the lesson is on the branch, without a pull request
	if b.standing() != 0 {
		t.Fatal("there is a pull request already")
	}
	if got := b.deliver(b.review("piet", "mara", "", lessonC)); got.Outcome.Result != "learned" || got.Attempts != 1 {
		t.Errorf("%+v\n%s", got, b.log)
	}
	wantLessons(t, b.proposed(), lessonA, lessonC)
	if pulls := b.repo.PullsOf(store.ProposalBranch); len(pulls) != 1 || !strings.Contains(b.repo.Pull(pulls[0]).Body, "Quote every path") {
		t.Errorf("pull requests %v", pulls)
	}
}
