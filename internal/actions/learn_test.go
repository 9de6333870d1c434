package actions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/store"
)

var code = map[string]string{"main.go": "package main\n"}

func TestAReviewIsLearnedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	event := s.review(s.open("piet", code), "mara", lessonA)
	s.mustRun(event)
	if got := s.outputs(); got["appended"] != "1" || got["changed"] != "true" || got["active"] != "1" || !strings.Contains(got["pitfalls"], lessonA) {
		t.Errorf("outputs %v", got)
	}
	s.mustRun(event) // run again by hand
	s.mustRun(schedule())
	if got := s.outputs(); got["appended"] != "0" || got["changed"] != "false" {
		t.Errorf("outputs %v", got)
	}
	want := []string{fmt.Sprintf("- %s (PR #1, 2026-11-30, changes-requested)", lessonA)}
	if diff := cmp.Diff(want, s.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s", diff)
	}
	commits := s.repo.Commits(config.DefaultStore)
	if len(commits) != 1 || commits[0].Author != workflowLogin || !strings.Contains(commits[0].Message, "Lessons-Source: changes-requested PR #1 review ") {
		t.Errorf("commits %+v", commits)
	}
}

func TestAForbiddenCommitBecomesAPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	s.repo.Protect("main", "")
	s.mustRun(s.review(s.open("piet", code), "mara", lessonA))
	pulls := s.repo.PullsOf(store.ProposalBranch)
	if content, _ := s.repo.FileAt(store.ProposalBranch, config.DefaultStore); len(pulls) != 1 || !strings.Contains(content, lessonA) || len(s.lessons()) != 0 {
		t.Fatalf("pull requests %v\n%s", pulls, content)
	}
	s.repo.Close(pulls[0])
	s.mustRun(s.review(s.open("piet", code), "mara", "Quote every path that a shell script hands to `rm`, since a space in it deletes its neighbour."))
	if !strings.Contains(s.summary, "closed unmerged") {
		t.Errorf("the summary does not say why nothing was written:\n%s", s.summary)
	}
}

func TestWhyAReviewTeachesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(s *stage) githubtest.Event
		want string
	}{
		"a reviewer without write permission": {
			func(s *stage) githubtest.Event { return s.review(s.open("piet", code), "sam", lessonA) },
			"the reviewer sam has no write permission",
		},
		"dismissed since": {
			func(s *stage) githubtest.Event {
				event := s.review(s.open("piet", code), "mara", lessonA)
				s.repo.Dismiss(1, event.Payload["review"].(map[string]any)["id"].(int64), "mara", "never mind", "")
				return event
			},
			"it is dismissed now",
		},
		"nothing in it": {
			func(s *stage) githubtest.Event { return s.review(s.open("piet", code), "mara", "Nice, thanks!") },
			"the review holds nothing to learn",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayAll, nil)
			s.mustRun(c.play(s))
			if !strings.Contains(s.log.String(), c.want) || !strings.Contains(s.summary, c.want) {
				t.Errorf("log and summary do not say %q:\n%s\n%s", c.want, s.log.String(), s.summary)
			}
			if len(s.lessons()) != 0 {
				t.Errorf("lessons %q", s.lessons())
			}
		})
	}
}

// What a run with a read-only token saw is not lost: the next scheduled run does it.
func TestAScheduledRunCatchesUp(t *testing.T) {
	t.Parallel()
	s := newStage(t, readWith, nil)
	pull := s.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "stranger", Fork: "stranger/api", Files: code})
	s.mustRun(s.review(pull, "mara", lessonA))
	if len(s.lessons()) != 0 || !strings.Contains(s.log.String(), "left to the next scheduled run") {
		t.Fatalf("lessons %q\n%s", s.lessons(), s.log.String())
	}
	s.github.AddToken(token, s.repo, mayAll)
	s.clock = s.clock.AddDate(0, 0, 1)
	s.mustRun(schedule())
	want := []string{fmt.Sprintf("- %s (PR #1, 2026-11-30, changes-requested)", lessonA)}
	if diff := cmp.Diff(want, s.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, s.log.String())
	}
	if got := s.outputs(); got["appended"] != "1" {
		t.Errorf("outputs %v", got)
	}
}

func TestHowFarARunLooksBack(t *testing.T) {
	t.Parallel()
	for days, want := range map[string]int{"": 1, "0": 0, "30": 2} {
		s := newStage(t, mayAll, nil)
		s.clock = today.AddDate(0, 0, -20)
		s.review(s.open("piet", code), "mara", lessonC)
		s.clock = today.AddDate(0, 0, -3)
		s.review(s.open("piet", code), "mara", lessonA)
		s.clock = today
		s.mustRun(githubtest.Event{Name: "workflow_dispatch", Payload: map[string]any{}}, "catch-up-days", days)
		if got := len(s.lessons()); got != want {
			t.Errorf("%q days: %d lessons, want %d\n%s", days, got, want, s.log.String())
		}
	}
}

// One pull request that cannot be read holds up neither the others nor the sweep, and is told of.
func TestAnErrorInCatchingUpHoldsUpNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	s.review(s.open("piet", code), "mara", lessonC)
	s.review(s.open("piet", code), "mara", lessonA)
	s.github.Fail(githubtest.Fault{Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", Answer: githubtest.BadGateway()})
	if err := s.run(schedule()); err == nil || !strings.Contains(s.log.String(), "::error::agent-lessons: catching up on pull request 1") {
		t.Errorf("%v\n%s", err, s.log.String())
	}
	if got := len(s.lessons()); got != 1 || s.outputs()["appended"] != "1" {
		t.Errorf("%d lessons, outputs %v", got, s.outputs())
	}
}

// A model whose key the workflow has not is no reason to lose a lesson, and is told of.
func TestTheExtractiveDistillerStandsIn(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, map[string]string{config.Path: "distiller:\n  kind: anthropic\n"})
	s.mustRun(s.review(s.open("piet", code), "mara", lessonA))
	if len(s.lessons()) != 1 || !strings.Contains(s.log.String(), "::warning::The extractive distiller stands in") {
		t.Errorf("lessons %q\n%s", s.lessons(), s.log.String())
	}
}

func TestCommentOnlyReviews(t *testing.T) {
	t.Parallel()
	for cfg, want := range map[string]int{"": 0, "reviewers:\n  comments: true\n": 1} {
		s := newStage(t, mayAll, map[string]string{config.Path: "cap: 40\n" + cfg})
		pull := s.open("piet", code)
		id := s.repo.AddReview(pull, githubtest.Review{User: "mara", State: "COMMENTED", Body: lessonA, SubmittedAt: s.clock})
		for _, event := range []githubtest.Event{s.repo.ReviewEvent("submitted", pull, id, ""), schedule()} {
			s.mustRun(event)
			if got := len(s.lessons()); got != want {
				t.Errorf("%q, on %s: %d lessons\n%s", cfg, event.Name, got, s.log.String())
			}
		}
	}
}
