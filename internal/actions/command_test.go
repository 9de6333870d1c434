package actions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

const kept = "Close what you open."

func (s *stage) say(pull int, login, body string) githubtest.Event {
	return s.repo.CommentEvent("created", s.repo.AddComment(pull, login, body), "")
}

// A workflow answers commands as the App does, and once beside it.
func TestCommandsAreAnswered(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	pull := s.open("piet", code)
	event := s.say(pull, "mara", "/lesson "+kept)
	s.mustRun(event)
	s.mustRun(event) // run again by hand
	if diff := cmp.Diff([]string{"- " + kept + " (PR #1, 2026-11-30, founder-note)"}, s.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, s.log.String())
	}
	if got := s.repo.Comments(pull); len(got) != 2 || !strings.Contains(got[1].Body, "Kept as a founder note") {
		t.Errorf("comments %+v", got)
	}

	review := s.repo.AddReview(pull, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: lessonA + "\n\n/lesson list", SubmittedAt: s.clock})
	s.mustRun(s.repo.ReviewEvent("submitted", pull, review, ""))
	if got := s.repo.Comments(pull); len(got) != 3 || !strings.Contains(got[2].Body, lessonA) || len(s.lessons()) != 2 {
		t.Errorf("comments %+v\nlessons %q\n%s", got, s.lessons(), s.log.String())
	}
	approval := s.repo.AddReview(pull, githubtest.Review{User: "mara", State: "APPROVED", Body: "/lesson help", SubmittedAt: s.clock})
	s.mustRun(s.repo.ReviewEvent("submitted", pull, approval, ""))
	if got := s.repo.Comments(pull); len(got) != 4 {
		t.Errorf("comments %+v", got)
	}
}

func TestCommentsThatAreNotAnswered(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(s *stage) githubtest.Event{
		"no command": func(s *stage) githubtest.Event { return s.say(s.open("piet", code), "mara", "Thanks!") },
		"a bot":      func(s *stage) githubtest.Event { return s.say(s.open("piet", code), "helper[bot]", "/lesson "+kept) },
		"plain issues": func(s *stage) githubtest.Event {
			return s.say(s.repo.OpenIssue("mara", "?", ""), "mara", "/lesson "+kept)
		},
		"edits": func(s *stage) githubtest.Event {
			return s.repo.CommentEvent("edited", s.repo.AddComment(s.open("piet", code), "mara", "/lesson "+kept), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayAll, nil)
			s.mustRun(play(s))
			if asked := s.github.Requests(); len(asked) != 0 {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

// A token that may only read changes nothing, says so, and is no failure.
func TestACommandWithAReadOnlyToken(t *testing.T) {
	t.Parallel()
	s := newStage(t, readWith, nil)
	s.mustRun(s.say(s.open("piet", code), "mara", "/lesson "+kept))
	if len(s.lessons()) != 0 || !strings.Contains(s.summary, "the command is not answered") {
		t.Errorf("lessons %q\n%s", s.lessons(), s.summary)
	}
}
