package actions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

const (
	active     = " (PR #1, 2026-11-30, changes-requested)"
	overridden = " (PR #1, 2026-11-30, changes-requested; overridden 2026-11-30)"
)

// The closed pull request as the stage plays it, with what the run and the file say afterwards.
func TestWhatAMergeTakesBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after func(s *stage)
		want  string
		says  string
	}{
		"merged over": {
			func(s *stage) { s.repo.Merge(1, "piet") },
			"- " + lessonA + overridden, "was merged over: the changes that @mara requested were still asked for at the merge",
		},
		"approved in the end": {
			func(s *stage) {
				s.repo.AddReview(1, githubtest.Review{User: "mara", State: "APPROVED", SubmittedAt: s.clock})
				s.repo.Merge(1, "piet")
			},
			"- " + lessonA + active, "is spared: @mara approved before the merge",
		},
		"closed without a merge": {
			func(s *stage) { s.repo.Close(1) },
			"- " + lessonA + active, "PR #1 was closed without a merge",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayAll, nil)
			s.mustRun(s.review(s.open("piet", code), "mara", lessonA))
			c.after(s)
			for range 2 { // a run that is repeated changes nothing
				s.mustRun(s.repo.PullEvent("closed", 1, ""))
				if diff := cmp.Diff([]string{c.want}, s.lessons()); diff != "" {
					t.Errorf("lessons (-want +got):\n%s", diff)
				}
				if !strings.Contains(s.log.String(), c.says) {
					t.Errorf("the log does not say %q:\n%s", c.says, s.log.String())
				}
			}
			if got := s.outputs()["changed"]; got != "false" {
				t.Error("the repeated run committed")
			}
		})
	}
}

// A fork's review and merge, of which every run saw nothing but could write nothing, end as if
// each had been written at its time.
func TestAScheduledRunCatchesUpOnMerges(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]map[string]string{"all was missed": readWith, "the merge alone was missed": mayAll} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, read, nil)
			pull := s.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "stranger", Fork: "stranger/api", Files: code})
			s.mustRun(s.review(pull, "mara", lessonA))
			s.github.AddToken(token, s.repo, readWith)
			s.repo.Merge(pull, "piet")
			s.mustRun(s.repo.PullEvent("closed", pull, ""))
			s.github.AddToken(token, s.repo, mayAll)
			s.clock = s.clock.AddDate(0, 0, 1)
			s.mustRun(schedule())
			if diff := cmp.Diff([]string{"- " + lessonA + overridden}, s.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s\n%s", diff, s.log.String())
			}
			s.mustRun(schedule())
			if got := s.outputs()["changed"]; got != "false" {
				t.Errorf("the second run committed\n%s", s.log.String())
			}
		})
	}
}

func TestARevertIsToldOf(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	s.mustRun(s.review(s.open("piet", code), "mara", lessonA))
	s.repo.Merge(1, "piet")
	s.mustRun(s.repo.PullEvent("closed", 1, ""))
	revert := s.repo.OpenPull(githubtest.PullRequest{Title: `Revert "A change"`, Author: "piet", Head: "revert-1-topic", Files: map[string]string{"main.go": "package x\n"}})
	s.repo.Merge(revert, "piet")
	s.mustRun(s.repo.PullEvent("closed", revert, ""))
	if !strings.Contains(s.log.String(), "It reverts PR #1, which was merged over a review") {
		t.Errorf("the log:\n%s", s.log.String())
	}
}
