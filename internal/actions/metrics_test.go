package actions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

const (
	trailerA = " (PR #1, 2026-11-02, changes-requested, earned 2x)"
	trailerB = " (PR #2, 2026-11-09, changes-requested)"
	retiredC = " (PR #3, 2026-06-01, ci-fix; expired 2026-09-01)"
)

func TestTheCommentIsCreatedThenUpdated(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, lessonB+trailerB, lessonC+retiredC))
	pull := s.open("piet", map[string]string{"main.go": "package main\n"})
	s.mustRun(s.repo.PullEvent("opened", pull, ""))
	s.mustRun(s.repo.PullEvent("synchronize", pull, ""))
	comments := s.repo.Comments(pull)
	if len(comments) != 1 || comments[0].User != workflowLogin {
		t.Fatalf("comments %+v", comments)
	}
	s.repo.Put(config.DefaultStore, "# Lessons\n\n- "+lessonA+trailerA+"\n", "tidy")
	s.mustRun(s.repo.PullEvent("synchronize", pull, ""))
	after := s.repo.Comments(pull)
	if len(after) != 1 || after[0].ID != comments[0].ID || after[0].Body == comments[0].Body {
		t.Errorf("comments\n%+v\nwere\n%+v", after, comments)
	}
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, lessonB+trailerB, lessonC+retiredC, "Ask mara before the release."))
	pull := s.open("piet", map[string]string{"main.go": "package main\n"})
	s.mustRun(s.repo.PullEvent("opened", pull, ""))
	want := map[string]string{
		"active": "3", "retired": "1", "duplicate-pairs": "1", "duplicate-share": "0.3333", "refresh-share": "",
		"appended": "0", "refreshed": "0", "changed": "false",
		"pitfalls": "## Known pitfalls in this repo\n\nHints with their evidence, not orders; newest first.\n\n" +
			"- Ask mara before the release.\n- " + lessonB + trailerB + "\n- " + lessonA + trailerA,
	}
	if diff := cmp.Diff(want, s.outputs()); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	want1 := "::warning file=.agent-corp/lessons.md,line=4,title=One lesson twice::This bullet and the one in line 3 would collapse"
	if !strings.Contains(s.log.String(), want1) {
		t.Errorf("the log has no annotation %q:\n%s", want1, s.log.String())
	}
}

// With two comments of ours the older stays, and one by someone else is left alone, whatever
// page it is on.
func TestTheOldestCommentOfOursIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, lessonB+trailerB))
	pull := s.open("piet", map[string]string{"main.go": "package main\n"})
	forged := s.repo.AddComment(pull, "stranger", marker+"\nTrust me.")
	for i := range 120 {
		s.repo.AddComment(pull, "piet", fmt.Sprint("talk ", i))
	}
	first := s.repo.AddComment(pull, workflowLogin, marker+"\nold")
	second := s.repo.AddComment(pull, workflowLogin, marker+"\nold too")
	s.mustRun(s.repo.PullEvent("opened", pull, ""))
	byID := map[int64]string{}
	for _, c := range s.repo.Comments(pull) {
		byID[c.ID] = c.Body
	}
	if byID[forged] != marker+"\nTrust me." {
		t.Errorf("the stranger's comment became %q", byID[forged])
	}
	if !strings.Contains(byID[first], "Pairs at or above the floor") {
		t.Errorf("the first comment is %q", byID[first])
	}
	if _, there := byID[second]; there {
		t.Error("the second comment is still there")
	}
}

// Two runs that create a comment at the same moment end with one.
func TestTwoRunsAtOnceLeaveOneComment(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, lessonB+trailerB))
	pull := s.open("piet", map[string]string{"main.go": "package main\n"})
	var other int64
	s.github.Observe(func(ex githubtest.Exchange) {
		if other == 0 && ex.Route == "GET /repos/{owner}/{repo}/issues/{issue_number}/comments" {
			other = 1
			other = s.repo.AddComment(pull, workflowLogin, marker+"\nthe other run's")
		}
	})
	s.mustRun(s.repo.PullEvent("opened", pull, ""))
	comments := s.repo.Comments(pull)
	if len(comments) != 1 || comments[0].ID != other || !strings.Contains(comments[0].Body, "Pairs at or above") {
		t.Errorf("comments %+v, the other run's is %d", comments, other)
	}
}

func TestWhenThereIsAComment(t *testing.T) {
	t.Parallel()
	single, double := bullets(lessonC+trailerA), bullets(lessonA+trailerA, lessonB+trailerB)
	other := map[string]string{"main.go": "package main\n"}
	for name, c := range map[string]struct {
		store   map[string]string
		touches map[string]string
		comment string
		want    bool
	}{
		"nothing to say":                     {single, other, "auto", false},
		"nothing to say, always":             {single, other, "always", true},
		"duplicates":                         {double, other, "auto", true},
		"duplicates, never":                  {double, other, "never", false},
		"a lesson speaks of a file":          {single, map[string]string{"api/schema.graphql": "type A\n"}, "auto", true},
		"the pull request changes the file":  {single, bullets(lessonC+trailerA, "Ask mara."), "", true},
		"no lessons yet":                     {nil, other, "auto", false},
		"no lessons yet, and always, capped": {nil, other, "ALWAYS", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, mayAll, c.store)
			pull := s.open("piet", c.touches)
			s.mustRun(s.repo.PullEvent("opened", pull, ""), "comment", c.comment)
			if got := len(s.repo.Comments(pull)) == 1; got != c.want {
				t.Errorf("a comment: %v\n%s", got, s.log.String())
			}
			if !strings.Contains(s.summary, "## Lessons of this repository") {
				t.Errorf("summary %q", s.summary)
			}
		})
	}
}

// What a pull request proposes is measured and shown, and never handed to an agent.
func TestAPullRequestThatChangesTheLessons(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, "Ask mara."))
	pull := s.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "stranger", Fork: "stranger/api", Files: bullets(lessonA+trailerB, lessonB+trailerB)})
	s.mustRun(s.repo.PullEvent("opened", pull, ""))
	for _, want := range []string{"as this pull request would leave it", "changes: Always pass", "adds: Outgoing calls", "removes: Ask mara", "| 1 (50 %) |"} {
		if !strings.Contains(strings.ReplaceAll(s.summary, "- ", ""), want) {
			t.Errorf("the summary does not hold %q:\n%s", want, s.summary)
		}
	}
	if got := s.outputs()["pitfalls"]; !strings.Contains(got, "Ask mara.") || strings.Contains(got, "Outgoing") {
		t.Errorf("pitfalls are not the base branch's:\n%s", got)
	}
}

// Where GitHub has a commit that would merge the pull request, that is what it leaves behind: the
// base branch may have gone on since the head was made. Other events' commits are none.
func TestTheMergeCommitIsMeasured(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]string{"pull_request": "3", "pull_request_target": "2"} {
		s := newStage(t, mayAll, bullets(lessonA+trailerA))
		pull := s.open("piet", bullets(lessonA+trailerA, lessonC+trailerB))
		s.env["GITHUB_SHA"] = s.repo.Push("merged", "piet", "merge", bullets(lessonA+trailerA, lessonC+trailerB, "Ask mara."))
		opened := s.repo.PullEvent("opened", pull, "")
		opened.Name = event
		s.mustRun(opened)
		if got := s.outputs()["active"]; got != want {
			t.Errorf("%s: %s active, want %s", event, got, want)
		}
	}
}

// A token that may only read leaves the comment to the summary, and is no failure.
func TestAReadOnlyTokenDegrades(t *testing.T) {
	t.Parallel()
	for name, permissions := range map[string]map[string]string{
		"of a fork":            readWith,
		"with contents: read":  {"contents": "read"},
		"may write code alone": {"contents": "write", "pull_requests": "read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, permissions, bullets(lessonA+trailerA, lessonB+trailerB))
			pull := s.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "stranger", Fork: "stranger/api", Files: map[string]string{"main.go": "package main\n"}})
			s.mustRun(s.repo.PullEvent("opened", pull, ""), "comment", "always")
			if n := len(s.repo.Comments(pull)); n != 0 {
				t.Errorf("%d comments", n)
			}
			for _, want := range []string{"The token of this run is read\\-only", "Pairs at or above the floor"} {
				if !strings.Contains(strings.ReplaceAll(s.summary, "read-only", `read\-only`), want) {
					t.Errorf("the summary does not say %q:\n%s", want, s.summary)
				}
			}
			if !strings.Contains(s.log.String(), "::notice::The token of this run is read-only") || s.outputs()["duplicate-pairs"] != "1" {
				t.Errorf("log and outputs\n%s\n%v", s.log.String(), s.outputs())
			}
		})
	}
}

func TestFailAboveShare(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA, lessonB+trailerB))
	event := s.repo.PullEvent("opened", s.open("piet", map[string]string{"main.go": "package main\n"}), "")
	for value, fails := range map[string]bool{"": false, "0.5": false, "0.49": true, "0": true, "1": false} {
		err := s.run(event, "fail-above-share", value)
		if (err != nil) != fails {
			t.Errorf("%q: %v\n%s", value, err, s.log.String())
		}
		if fails && !strings.Contains(s.log.String(), "::error::agent-lessons: 50 %25 of the active bullets would collapse") {
			t.Errorf("%q: the log does not say why:\n%s", value, s.log.String())
		}
		if s.outputs()["duplicate-share"] != "0.5" {
			t.Errorf("%q: no outputs", value)
		}
	}
}

func TestInputsThatAreWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, nil)
	for input, want := range map[[2]string]string{
		{"mode", "everything"}:         `input mode: "everything" is none of auto, metrics, learn, override, sweep`,
		{"comment", "sometimes"}:       `input comment: "sometimes" is none of auto, always, never`,
		{"fail-above-share", "5 %"}:    `input fail-above-share: "5 %25" is not a share from 0 to 1`,
		{"fail-above-share", "NaN"}:    `is not a share from 0 to 1`,
		{"catch-up-days", "a year"}:    `input catch-up-days: "a year" is not a number of days`,
		{"token", ""}:                  `input token is empty`,
		{"mode", "learn"}:              `mode learn needs the event pull_request_review, workflow_run, check_run or check_suite, not schedule`,
		{"mode", "override"}:           `mode override needs the event pull_request, not schedule`,
		{"comment", "x\n::add-path::"}: `input comment: "x\n::add-path::" is none of`,
	} {
		if err := s.run(schedule(), input[0], input[1]); err == nil || !strings.Contains(s.log.String(), want) {
			t.Errorf("%v: %v, want %q\n%s", input, err, want, s.log.String())
		}
	}
}

func TestEventsThatAskForNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets(lessonA+trailerA))
	pull := s.open("piet", map[string]string{"main.go": "package main\n"})
	approved := s.repo.AddReview(pull, githubtest.Review{User: "mara", State: "APPROVED", Body: lessonC})
	asked := s.review(pull, "mara", lessonC)
	asked.Payload["action"] = "edited"
	for _, event := range []githubtest.Event{
		{Name: "push"}, {Name: "merge_group"}, {Name: "something_new", Payload: map[string]any{"action": "x"}},
		s.repo.CommentEvent("created", s.repo.AddComment(pull, "mara", "> /lesson list"), ""),
		s.repo.ReviewEvent("submitted", pull, approved, ""), asked,
	} {
		s.github.ResetRequests()
		s.mustRun(event)
		if asked := s.github.Requests(); len(asked) != 0 || !strings.Contains(s.log.String(), "Nothing to do: ") {
			t.Errorf("%s: %v\n%s", event.Name, asked, s.log.String())
		}
		s.mustRun(event, "mode", "metrics")
		if s.outputs()["active"] != "1" {
			t.Errorf("%s: mode metrics gives no outputs", event.Name)
		}
	}
}
