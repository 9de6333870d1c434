package app

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

const postCheck = "POST /repos/{owner}/{repo}/check-runs"

// checksOf returns the App's check runs on a pull request's head.
func (b *bench) checksOf(pull int) []githubtest.CheckRun {
	return b.repo.CheckRuns(b.repo.Pull(pull).HeadSHA)
}

func (b *bench) press(check githubtest.CheckRun, identifier, by string) githubtest.Event {
	return b.repo.CheckRunEvent("requested_action", check.ID, identifier, by)
}

func buttons(k githubtest.CheckRun) []string {
	var out []string
	for _, a := range k.Actions {
		out = append(out, a.Label)
	}
	return out
}

func TestALessonHasButtons(t *testing.T) {
	t.Parallel()
	learned := func(retired string) string {
		return "- " + lessonA + " (PR #1, " + today() + ", changes-requested" + retired + ")"
	}
	for name, c := range map[string]struct {
		press, by string
		before    func(b *bench) // between learning and pressing
		want      []string       // bullets
		title     string
	}{
		"keep":              {press: "keep", by: "noor", want: []string{"- " + lessonA + " (PR #1, " + today() + ", founder-note)"}, title: "Kept as a founder note"},
		"drop":              {press: "drop", by: "noor", want: []string{learned("; withdrawn " + today())}, title: "Withdrawn"},
		"by somebody else":  {press: "drop", by: "sam", want: []string{learned("")}, title: "Learned"},
		"an unknown button": {press: "other", by: "noor", want: []string{learned("")}, title: "Learned"},
		"after the merge over the review": {
			press: "keep", by: "noor", title: "Kept as a founder note",
			before: func(b *bench) { b.repo.Merge(1, "piet"); b.deliver(b.repo.PullEvent("closed", 1, "piet")) },
			want:   []string{"- " + lessonA + " (PR #1, " + today() + ", founder-note)"},
		},
		"after its eviction": {
			press: "keep", by: "noor", title: "Kept as a founder note",
			before: func(b *bench) { b.repo.Put(config.DefaultStore, "# Lessons\n", "by hand") },
			want:   []string{"- " + lessonA + " (PR #1, " + today() + ", founder-note)"},
		},
		"drop after its eviction": {
			press: "drop", by: "noor", title: "Nothing was changed",
			before: func(b *bench) { b.repo.Put(config.DefaultStore, "# Lessons\n", "by hand") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.deliver(b.review("piet", "mara", "", lessonA))
			checks := b.checksOf(1)
			if len(checks) != 1 || checks[0].Title != "Learned" || checks[0].Conclusion != "neutral" {
				t.Fatalf("check runs %+v\n%s", checks, b.log)
			}
			if diff := cmp.Diff([]string{"Keep as my note", "Not a lesson"}, buttons(checks[0])); diff != "" {
				t.Error(diff)
			}
			if c.before != nil {
				c.before(b)
			}
			if event := b.press(checks[0], c.press, c.by); c.press == "other" {
				b.deliverNothing(event)
			} else {
				b.deliver(event)
			}
			if diff := cmp.Diff(c.want, b.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
			}
			after := b.repo.CheckRuns(checks[0].HeadSHA)[0]
			if after.Title != c.title || c.title != "Learned" && len(after.Actions) != 0 {
				t.Errorf("check run %+v", after)
			}
		})
	}
}

// Of two presses at once, and of one that is delivered twice, the first is done.
func TestTwoPressesAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	check := b.checksOf(1)[0]
	var presses sync.WaitGroup
	for _, who := range []string{"mara", "noor", "noor"} {
		presses.Go(func() { b.deliver(b.press(check, "keep", who)) })
	}
	presses.Wait()
	b.deliver(b.press(check, "drop", "piet"))
	if got := b.repo.Commits(config.DefaultStore); len(got) != 2 || !strings.Contains(got[0].Message, "1 kept") {
		t.Errorf("commits %+v", got)
	}
}

// What a person withdrew is not learned again, in other words either, until a person teaches it.
func TestNotALesson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.review("piet", "mara", "", lessonA)
	b.deliver(first)
	b.deliver(b.press(b.checksOf(1)[0], "drop", "mara"))
	withdrawn := b.lessons()

	fresh := newBenchWith(t, benchOptions{github: b.github, repo: b.repo, pem: b.opts.pem, api: b.opts.api}) // the database is lost
	fresh.deliver(first)
	got := fresh.deliver(fresh.review("piet", "noor", "", lessonB))
	if diff := cmp.Diff(withdrawn, fresh.lessons()); diff != "" || !strings.Contains(got.Outcome.Reason, "a person withdrew") {
		t.Fatalf("it came back (-want +got):\n%s\n%+v", diff, got.Outcome)
	}
	checks := fresh.checksOf(2)
	check := checks[len(checks)-1] // the heads of both pull requests are one commit
	if diff := cmp.Diff([]string{"Teach this"}, buttons(check)); diff != "" || check.Title != "Not learned" {
		t.Fatalf("%s\n%+v", diff, check)
	}
	fresh.deliver(fresh.press(check, "teach", "noor"))
	if lessons := fresh.lessons(); len(lessons) != 2 || !strings.HasSuffix(lessons[1], "(PR #2, "+today()+", founder-note)") {
		t.Errorf("lessons %q\n%s", lessons, fresh.log)
	}
}

// Without the permission for checks all else works, and the log says what is missing.
func TestWithoutPermissionForChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.github.Fail(githubtest.Fault{Route: postCheck, Answer: &githubtest.Answer{Status: http.StatusForbidden, Body: `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`}})
	if got := b.deliver(b.review("piet", "mara", "", lessonA)); got.Outcome.Result != "learned" || got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(b.log.String(), "Checks: read and write") {
		t.Errorf("the log does not say so:\n%s", b.log)
	}
}

// What a comment-only review merely tells is not learned, and one press teaches it.
func TestTeachWhatACommentTells(t *testing.T) {
	t.Parallel()
	const tells = "The request's context is not passed to `http.NewRequestWithContext`, so a cancelled request keeps waiting for the upstream service."
	b := newBench(t)
	b.repo.Put(config.Path, "reviewers:\n  comments: true\n", "configure")
	got := b.deliver(b.submit("piet", githubtest.Review{User: "mara", State: "COMMENTED", Comments: inline(tells)}))
	if !strings.Contains(got.Outcome.Reason, "asks for no change") || len(b.lessons()) != 0 {
		t.Fatalf("%+v, lessons %q", got.Outcome, b.lessons())
	}
	check := b.checksOf(1)[0]
	if diff := cmp.Diff([]string{"Teach this"}, buttons(check)); diff != "" {
		t.Fatalf("%s\n%+v", diff, check)
	}
	b.deliver(b.press(check, "teach", "sam"))
	wantLessons(t, b.lessons())
	b.deliver(b.press(b.checksOf(1)[0], "teach", "noor"))
	wantLessons(t, b.lessons(), "founder-note)")
}

// A press that was obeyed, but not shown, is what the check run tells of after the next, opposite one.
func TestAPressWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	check := b.checksOf(1)[0]
	b.github.Fail(githubtest.Fault{Route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", Times: 3, Answer: githubtest.BadGateway()})
	b.deliver(b.press(check, "keep", "noor"))
	b.deliver(b.press(check, "drop", "mara"))
	wantLessons(t, b.lessons(), "founder-note)")
	if after := b.checksOf(1)[0]; after.Title != "Kept as a founder note" || !strings.Contains(after.Summary, "It is a founder note now") {
		t.Errorf("check run %+v", after)
	}
}

// The buttons are tried again: the lesson is learned, and nobody comes back for them.
func TestButtonsSurviveABadGateway(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.github.Fail(githubtest.Fault{Route: postCheck, Answer: githubtest.BadGateway()})
	b.deliver(b.review("piet", "mara", "", lessonA))
	if checks := b.checksOf(1); len(checks) != 1 {
		t.Errorf("%d check runs\n%s", len(checks), b.log)
	}
}
