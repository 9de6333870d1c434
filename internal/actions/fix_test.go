package actions

import (
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

var mayRead = map[string]string{"contents": "write", "pull_requests": "write", "checks": "read", "actions": "read"}

// broken opens a pull request whose lint fails, and whose next push mends it.
func (s *stage) broken(author, fork string) (pull int) {
	pull = s.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: author, Fork: fork, Files: map[string]string{"internal/disk.go": "package internal\n"}})
	s.check(pull, "lint", "failure")
	s.repo.PushPull(pull, "Check what Close returns", map[string]string{"internal/disk.go": "package internal //\n"})
	return pull
}

func (s *stage) check(pull int, name, conclusion string) {
	run := githubtest.CheckRun{Name: name, HeadSHA: s.repo.Pull(pull).HeadSHA, Conclusion: conclusion}
	if conclusion == "failure" {
		run.Annotations = []githubtest.Annotation{{
			Path: "internal/disk.go", StartLine: 1, EndLine: 1, Level: "failure",
			Message: "Error return value of `f.Close` is not checked (errcheck)",
		}}
	}
	s.repo.AddCheckRun(run)
}

// concluded is the event by which a workflow hears of another one. Of a fork it names no pull request.
func (s *stage) concluded(pull int, conclusion string) githubtest.Event {
	run := map[string]any{"head_sha": s.repo.Pull(pull).HeadSHA, "conclusion": conclusion, "event": "pull_request", "pull_requests": []any{}}
	if s.repo.Pull(pull).Fork == "" {
		run["pull_requests"] = []any{map[string]any{"number": pull}}
	}
	return githubtest.Event{Name: "workflow_run", Payload: map[string]any{"action": "completed", "workflow_run": run}}
}

func TestAFixedCheckBecomesALesson(t *testing.T) {
	t.Parallel()
	for name, fork := range map[string]string{"a branch": "", "a fork": "piet/api"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayRead, nil)
			pull := s.broken("piet", fork)
			s.check(pull, "lint", "success")
			for range 2 { // the second time by hand
				s.mustRun(s.concluded(pull, "success"))
			}
			want := "- In `internal/disk.go`, heed `errcheck` (golangci-lint): error return value of `f.Close` is not checked. (PR #1, 2026-11-30, ci-fix)"
			if got := s.lessons(); len(got) != 1 || got[0] != want {
				t.Errorf("lessons %q, want %q", got, want)
			}
			if commits := s.repo.Commits(config.DefaultStore); len(commits) != 1 || !strings.Contains(commits[0].Message, "Lessons-Source: ci-fix PR #1 check ") {
				t.Errorf("commits %+v", commits)
			}
			if !strings.Contains(s.summary, "what it fixed was learned before") {
				t.Errorf("the summary does not say why nothing was written:\n%s", s.summary)
			}
		})
	}
}

func TestWhyChecksTeachNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(s *stage) githubtest.Event
		want string
	}{
		"a stranger's": {func(s *stage) githubtest.Event {
			pull := s.broken("stranger", "stranger/api")
			s.check(pull, "lint", "success")
			return s.concluded(pull, "success")
		}, "has no write permission"},
		"it still fails": {func(s *stage) githubtest.Event {
			pull := s.broken("piet", "")
			s.check(pull, "lint", "failure")
			return s.concluded(pull, "failure")
		}, "no check that failed on an earlier commit passes on this one at once"},
		"cancelled": {func(s *stage) githubtest.Event { return s.concluded(s.broken("piet", ""), "cancelled") }, "the check neither passed nor failed"},
		"a push to the default branch": {func(s *stage) githubtest.Event {
			event := s.concluded(s.broken("piet", "piet/api"), "success")
			event.Payload["workflow_run"].(map[string]any)["head_sha"] = s.repo.Head("main")
			return event
		}, "is the head of no open pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayRead, nil)
			s.mustRun(c.play(s))
			if !strings.Contains(s.log.String(), c.want) || len(s.lessons()) != 0 {
				t.Errorf("log without %q, or lessons %q:\n%s", c.want, s.lessons(), s.log.String())
			}
		})
	}
}

func TestATokenThatMayNotReadChecks(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	pull := s.broken("piet", "")
	s.check(pull, "lint", "success")
	if err := s.run(s.concluded(pull, "success")); err == nil || !strings.Contains(s.log.String(), "permissions checks: read") {
		t.Errorf("%v\n%s", err, s.log.String())
	}
}
