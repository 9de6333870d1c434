package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

const unchecked = "In `internal/disk.go`, heed `errcheck` (golangci-lint): error return value of `f.Close` is not checked."

// story is a pull request whose checks come and go.
type story struct {
	*bench
	pull int
}

func (b *bench) begin(author, fork string) *story {
	return &story{b, b.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: author, Fork: fork, Files: map[string]string{"internal/disk.go": "package internal\n"}})}
}

func (s *story) head() string { return s.repo.Pull(s.pull).HeadSHA }

func (s *story) push(message string) string {
	return s.repo.PushPull(s.pull, message, map[string]string{"internal/disk.go": "package internal // " + message + "\n"})
}

// check has a check conclude on the head; a lint that fails tells why.
func (s *story) check(name, conclusion string) githubtest.Event {
	return s.checkOn(s.head(), name, conclusion)
}

func (s *story) checkOn(sha, name, conclusion string) githubtest.Event {
	run := githubtest.CheckRun{Name: name, HeadSHA: sha, Conclusion: conclusion}
	if conclusion == "failure" {
		run.Annotations = []githubtest.Annotation{{
			Path: "internal/disk.go", StartLine: 1, EndLine: 1, Level: "failure",
			Message: "Error return value of `f.Close` is not checked (errcheck)",
		}}
		run.FailedStep = "Run golangci-lint"
	}
	return s.repo.CheckRunEvent("completed", s.repo.AddCheckRun(run), "", "piet")
}

// idle delivers an event that leads to no intent.
func (b *bench) idle(event githubtest.Event) {
	b.t.Helper()
	d, err := b.github.Deliver(context.Background(), event)
	if err != nil || !d.OK() {
		b.t.Fatalf("the App answered %d %s, %v", d.StatusCode, d.Body, err)
	}
	if record, there, _ := b.queue.Delivery(context.Background(), d.GUID); there {
		b.t.Errorf("the event led to an intent: %+v", record)
	}
}

func bullet(sentence string, pull int) string {
	return fmt.Sprintf("- %s (PR #%d, %s, ci-fix)", sentence, pull, today())
}

func TestAFixedCheckBecomesALesson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.begin("piet", "")
	failed := s.check("lint", "failure")
	b.idle(failed)
	s.push("Check what Close returns")
	event := s.check("lint", "success")
	b.github.ResetRequests()
	got := b.deliver(event)
	if got.Outcome.Result != "learned" {
		t.Fatalf("outcome %+v\n%s", got.Outcome, b.log)
	}
	if diff := cmp.Diff([]string{bullet(unchecked, 1)}, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s", diff)
	}
	want := []string{
		"GET /repos/{owner}/{repo}/contents/{path}", // the configuration, and the owner's
		"GET /repos/{owner}/{repo}/contents/{path}",
		"GET /repos/{owner}/{repo}/pulls/{pull_number}",
		"GET /repos/{owner}/{repo}/collaborators/{username}/permission", // its author's
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
		"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", // where it failed, and where it passes
		"GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
		"GET /repos/{owner}/{repo}/commits",                  // what was learned before: once for a repository
		"GET /repos/{owner}/{repo}/compare/{basehead}",       // where it left the base branch
		"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", // there
		"GET /repos/{owner}/{repo}/compare/{basehead}",       // what the fix touched
		"GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
		"GET /repos/{owner}/{repo}/actions/jobs/{job_id}",
		"GET /repos/{owner}/{repo}/contents/{path}",
		putContents,
	}
	if diff := cmp.Diff(want, b.routes()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	commit := b.repo.Commits(config.DefaultStore)[0]
	entries := ledger.Parse(commit.Message)
	id := failed.Payload["check_run"].(map[string]any)["id"].(int64)
	if want := ledger.Check(lesson.PullRequest{Number: 1}, id); len(entries) != 1 || entries[0].Source != want {
		t.Errorf("the source is not %s:\n%s", want, commit.Message)
	}
	if !strings.Contains(commit.Message, `Distilled from the failed check "lint", fixed by `+s.head()[:10]+", of PR #1.") {
		t.Errorf("message\n%s", commit.Message)
	}

	// However often it is told again, and whatever else passes: nothing more is asked or written.
	b.github.ResetRequests()
	if again, err := b.github.Redeliver(context.Background(), got.Intent.Delivery); err != nil || again.StatusCode != http.StatusAccepted {
		t.Fatalf("%+v, %v", again, err)
	}
	b.idle(s.check("lint", "success"))
	s.push("Something else")
	b.idle(s.check("lint", "success"))
	if asked := b.routes(); len(asked) != 0 {
		t.Errorf("asked %q", asked)
	}
}

// Each story ends in an event; what came of it. Without a reason it led to no intent.
func TestWhatChecksTeach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play    func(s *story) githubtest.Event
		author  string
		fork    string
		lessons int
		reason  string
	}{
		"a fork, whose events name no pull request": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, fork: "piet/api", lessons: 1, reason: "appended"},
		"a fork, whose pull request was seen": {play: func(s *story) githubtest.Event {
			s.idle(s.repo.PullEvent("opened", s.pull, "piet"))
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			s.idle(s.repo.PullEvent("synchronize", s.pull, "piet"))
			return s.check("lint", "success")
		}, fork: "piet/api", lessons: 1, reason: "appended"},
		"a stranger's fork": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, author: "stranger", fork: "stranger/api", reason: "stranger, who decides what its checks say, has no write permission"},
		"a writer's pull request from a stranger's fork, who pushes to it": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, fork: "evil/api", reason: "the owner of the pull request's fork, evil, who decides what its checks say, has no write permission"},
		"a fork of another who may write": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, fork: "mara/api", lessons: 1, reason: "appended"},
		"a stranger's fork with a branch of the same name, closed before its check concludes": {play: func(s *story) githubtest.Event {
			evil := s.begin("stranger", "evil/api")
			s.idle(s.repo.PullEvent("opened", evil.pull, "stranger"))
			s.repo.Close(evil.pull)
			s.deliver(s.repo.PullEvent("closed", evil.pull, "stranger"))
			s.idle(onBranch(evil.check("lint", "failure"), "patch-1"))
			s.push("unseen")
			return onBranch(s.check("lint", "success"), "patch-1")
		}, fork: "piet/api", reason: "no check that failed on an earlier commit passes on this one"},
		"two forks": {play: func(s *story) githubtest.Event {
			other := s.begin("piet", "sam/api")
			for _, one := range []*story{s, other} {
				s.idle(one.repo.PullEvent("opened", one.pull, "piet"))
			}
			s.idle(s.check("lint", "failure"))
			return other.check("lint", "success")
		}, fork: "piet/api"},
		"a re-run that passes on the same commit": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.idle(s.check("lint", "success"))
			s.push("other")
			return s.check("lint", "success")
		}, reason: "no check that failed on an earlier commit passes on this one at once"},
		"the fix needs a re-run itself": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("other")
			s.idle(s.check("lint", "failure"))
			return s.check("lint", "success")
		}, reason: "no check that failed on an earlier commit passes on this one at once"},
		"skipped is no success": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("other")
			return s.check("lint", "skipped")
		}},
		"failing on the base branch as well": {play: func(s *story) githubtest.Event {
			s.checkOn(s.repo.Head("main"), "lint", "failure")
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, reason: "lint failed on the base branch as well"},
		"on the default branch": {play: func(s *story) githubtest.Event {
			s.idle(onMain(s.checkOn(s.repo.Head("main"), "lint", "failure")))
			return onMain(s.checkOn(s.repo.Push("main", "piet", "fix", map[string]string{"a": "b"}), "lint", "success"))
		}},
		"a matrix": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint (1.25)", "failure"))
			s.idle(s.check("lint (1.26)", "failure"))
			s.push("fix")
			first := s.check("lint (1.25)", "success")
			second := s.check("lint (1.26)", "success")
			s.idle(first)
			return second
		}, lessons: 1, reason: "appended"},
		"the App's own check": {play: func(s *story) githubtest.Event {
			own := func(conclusion string) githubtest.Event {
				return s.repo.CheckRunEvent("completed", s.repo.AddCheckRun(githubtest.CheckRun{Name: "lint", HeadSHA: s.head(), Conclusion: conclusion, App: "agent-lessons"}), "", "piet")
			}
			s.idle(own("failure"))
			s.push("fix")
			return own("success")
		}},
		"a channel that is left out": {play: func(s *story) githubtest.Event {
			s.repo.Put(config.Path, "channels: [changes-requested]\n", "no checks")
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			return s.check("lint", "success")
		}, reason: "the configuration leaves the channel ci-fix out"},
		"output that says nothing": {play: func(s *story) githubtest.Event {
			id := s.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: s.head(), Conclusion: "failure", Summary: "exit code 1"})
			s.idle(s.repo.CheckRunEvent("completed", id, "", "piet"))
			s.push("fix")
			return s.check("build", "success")
		}, reason: "said nothing that is known to teach"},
		"closed in between": {play: func(s *story) githubtest.Event {
			s.idle(s.check("lint", "failure"))
			s.push("fix")
			s.repo.Close(s.pull)
			s.deliver(s.repo.PullEvent("closed", s.pull, "piet"))
			return s.check("lint", "success")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.author == "" {
				c.author = "piet"
			}
			event := c.play(b.begin(c.author, c.fork))
			if c.reason == "" {
				b.idle(event)
			} else if got := b.deliver(event); !strings.Contains(got.Outcome.Reason, c.reason) {
				t.Errorf("outcome %+v, want %q\n%s", got.Outcome, c.reason, b.log)
			}
			if got := b.lessons(); len(got) != c.lessons {
				t.Errorf("%d lessons, want %d: %q", len(got), c.lessons, got)
			}
		})
	}
}

func onMain(event githubtest.Event) githubtest.Event { return onBranch(event, "main") }

// onBranch makes a check's event say what branch it is on.
func onBranch(event githubtest.Event, branch string) githubtest.Event {
	event.Payload["check_run"].(map[string]any)["check_suite"].(map[string]any)["head_branch"] = branch
	event.Raw, _ = json.Marshal(event.Payload)
	return event
}

// All that one push fixes is one commit, once the last of it has concluded.
func TestSeveralChecksFixedByOnePush(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]string{"the last one passes": "success", "the last one fails again": "failure"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.begin("piet", "")
			for _, check := range []string{"lint", "vet", "build"} {
				b.idle(s.check(check, "failure"))
			}
			s.push("fix")
			running := b.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: s.head(), Status: "in_progress"})
			b.idle(s.check("lint", "success"))
			b.idle(s.check("vet", "success"))
			if !strings.Contains(b.log.String(), "it waits for what failed before and has not concluded: github-actions/build") {
				t.Errorf("the log does not say what it waits for:\n%s", b.log)
			}
			b.repo.ConcludeCheck(running, last)
			if got := b.deliver(b.repo.CheckRunEvent("completed", running, "", "piet")); got.Outcome.Result != "learned" {
				t.Fatalf("outcome %+v", got.Outcome)
			}
			if got := b.lessons(); len(got) != 1 { // all say the same
				t.Errorf("lessons %q", got)
			}
			want := 3
			if last == "failure" {
				want = 2
			}
			if entries := ledger.Parse(b.repo.Commits(config.DefaultStore)[0].Message); len(entries) != 1 || len(entries[0].Sources()) != want {
				t.Errorf("entries %+v, want %d sources", entries, want)
			}
		})
	}
}

func TestAFailureSurvivesARestart(t *testing.T) {
	t.Parallel()
	b := newBenchWith(t, benchOptions{})
	s := b.begin("piet", "")
	b.idle(s.check("lint", "failure"))
	b.stop()
	s.bench = newBenchWith(t, b.opts)
	s.push("fix")
	if got := s.deliver(s.check("lint", "success")); got.Outcome.Result != "learned" {
		t.Errorf("outcome %+v", got.Outcome)
	}
}

// The commits decide what was learned: a database that knows nothing of it learns nothing twice.
func TestAFixIsLearnedOnceAcrossDatabases(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.begin("piet", "")
	failed := s.check("lint", "failure")
	b.idle(failed)
	s.push("fix")
	passed := s.check("lint", "success")
	b.deliver(passed)
	b.stop()
	o := b.opts
	o.place = emptyDatabase(t)
	s.bench = newBenchWith(t, o)
	s.idle(failed)
	if got := s.deliver(passed); got.Outcome.Reason != "what it fixed was learned before" {
		t.Errorf("outcome %+v", got.Outcome)
	}
	if n := len(s.repo.Commits(config.DefaultStore)); n != 1 {
		t.Errorf("%d commits", n)
	}
}

// Issue 4: a burst of 500 events of checks costs no request for those that cannot teach.
func TestABurstOfChecksCostsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.begin("piet", "")
	other := b.begin("noor", "")
	b.idle(s.check("check 0", "failure")) // one that waits for its fix all the while
	conclusions := []string{"success", "failure", "neutral", "cancelled", "skipped", "success"}
	var events []githubtest.Event
	for i := range 500 {
		of := []*story{s, other}[i%2]
		name := fmt.Sprintf("check %d", i)
		if of == other && i%3 == 0 {
			name = "check 0"
		}
		events = append(events, of.check(name, conclusions[i%len(conclusions)]))
	}
	b.github.ResetRequests()
	began := time.Now()
	for _, event := range events {
		b.idle(event)
	}
	if asked := b.github.Requests(); len(asked) != 0 {
		t.Errorf("%d requests, %v first", len(asked), asked[0])
	}
	t.Logf("500 events in %v", time.Since(began))
}

// An event of a workflow run does what that of a check run does.
func TestAWorkflowRunIsRead(t *testing.T) {
	q, err := queue.Open(t.Context(), queue.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Stop(context.Background()) //nolint:errcheck // a test's end
	in := &checkIntake{intents: q, checks: q.Checks(), log: zerolog.Nop(), self: func() string { return "" }, now: time.Now}
	send := func(guid, event, sha, conclusion string) bool {
		t.Helper()
		body := fmt.Sprintf(`{"action":"completed","installation":{"id":1},"repository":{"id":7,"full_name":"acme/api","default_branch":"main"},
"workflow_run":{"name":"CI","head_sha":%q,"head_branch":"main","conclusion":%q,"event":%q,"pull_requests":[{"number":3}]}}`, sha, conclusion, event)
		if err := in.Handle(t.Context(), "workflow_run", guid, []byte(body)); err != nil {
			t.Fatal(err)
		}
		d, there, err := q.Delivery(t.Context(), guid)
		if there && (d.Intent.Kind != kindCheck || d.Intent.Head != sha || d.Intent.PullRequest != 3) {
			t.Errorf("intent %+v", d.Intent)
		}
		return there && err == nil
	}
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	if send("1", "pull_request", a, "failure") || send("2", "pull_request_target", b, "success") || !send("3", "pull_request", b, "success") || send("4", "pull_request", "no commit", "success") {
		t.Error("an intent too many, or too few")
	}
	if err := in.Handle(t.Context(), "workflow_run", "5", []byte(`{`)); err == nil {
		t.Error("half a payload is taken")
	}
	if err := in.Handle(t.Context(), "check_run", "6", []byte(`{"action":"completed"}`)); err != nil {
		t.Error(err)
	}
}
