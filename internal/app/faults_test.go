package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// Whatever goes wrong once, the lesson is in the file exactly once at the end, by one commit.
func TestFaultsThatPass(t *testing.T) {
	t.Parallel()
	faults := map[string]githubtest.Fault{
		"connection reset":            {Reset: true},
		"connection reset, after all": {Reset: true, After: true},
		"answer cut short, after all": {Truncate: true, After: true},
		"500":                         {Answer: githubtest.ErrorAnswer(500, "Server Error")},
		"502 that is not JSON":        {Answer: githubtest.BadGateway()},
		"502, after all":              {Answer: githubtest.BadGateway(), After: true},
		"401, a token that expired":   {Answer: githubtest.ErrorAnswer(401, "Bad credentials")},
		"409, a stale blob":           {Answer: githubtest.ErrorAnswer(409, config.DefaultStore+" does not match 1234")},
	}
	for _, route := range []string{
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments",
		"GET /repos/{owner}/{repo}/collaborators/{username}/permission",
		"GET /repos/{owner}/{repo}/contents/{path}",
		"GET /repos/{owner}/{repo}/commits",
		putContents,
	} {
		for name, fault := range faults {
			if strings.HasPrefix(name, "409") && route != putContents {
				continue
			}
			fault.Route = route
			t.Run(route+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				b.github.Fail(fault)
				got := b.deliver(b.review("piet", "mara", lessonA))
				if got.State != queue.Done {
					t.Fatalf("delivery %+v\n%s", got, b.log)
				}
				if commits := b.repo.Commits(config.DefaultStore); len(commits) != 1 {
					t.Errorf("%d commits", len(commits))
				}
				want := fmt.Sprintf("- %s (PR #1, %s, changes-requested)", lessonA, today())
				if got := b.lessons(); len(got) != 1 || got[0] != want {
					t.Errorf("lessons %q", got)
				}
			})
		}
	}
}

// What only a person can change is given up at once, and visible.
func TestFaultsThatStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer *githubtest.Answer
		want   string
	}{
		"blocked by law":  {githubtest.ErrorAnswer(451, "Repository access blocked"), "access blocked"},
		"validation":      {githubtest.ErrorAnswer(422, "Validation Failed"), "Validation Failed"},
		"push protection": {githubtest.ErrorAnswer(409, "Repository rule violations found\n\nSecret scanning"), "is not bypassed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.github.Fail(githubtest.Fault{Route: putContents, Times: -1, Answer: c.answer})
			got := b.deliver(b.review("piet", "mara", lessonA))
			if got.State != queue.GaveUp || got.Attempts != 1 || !strings.Contains(got.Outcome.Reason, c.want) {
				t.Errorf("delivery %+v\n%s", got, b.log)
			}
		})
	}
}

// A rate limit is waited out without spending an attempt.
func TestRateLimitsWait(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]*githubtest.Answer{
		"primary, 403":             githubtest.PrimaryLimit(http.StatusForbidden, time.Now().Add(time.Hour)),
		"primary, 429":             githubtest.PrimaryLimit(http.StatusTooManyRequests, time.Now().Add(time.Hour)),
		"secondary, Retry-After":   githubtest.SecondaryLimit(time.Hour),
		"secondary, bare of hints": githubtest.SecondaryLimit(0),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			struck := make(chan struct{}, 1)
			b.github.Fail(githubtest.Fault{Route: putContents, Answer: answer, Do: func(*http.Request) { struck <- struct{}{} }})
			delivery, err := b.github.Deliver(t.Context(), b.review("piet", "mara", lessonA))
			if err != nil {
				t.Fatal(err)
			}
			<-struck
			var record queue.Delivery
			for deadline := time.Now().Add(10 * time.Second); record.NotBefore.Before(time.Now().Add(30 * time.Second)); {
				if time.Now().After(deadline) {
					t.Fatalf("it does not wait: %+v\n%s", record, b.log)
				}
				record, _, _ = b.queue.Delivery(t.Context(), delivery.GUID)
				time.Sleep(time.Millisecond)
			}
			if record.State != queue.Waiting || record.Attempts != 0 {
				t.Errorf("delivery %+v", record)
			}
		})
	}
}

// Another writer between our read and our write: both lines are in the file at the end.
func TestAWriteBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	n := 0
	b.github.Fail(githubtest.Fault{Route: putContents, Times: 3, Do: func(*http.Request) {
		n++
		b.repo.Put(config.DefaultStore, strings.Repeat("- mine\n", n), "a person's edit")
	}})
	if got := b.deliver(b.review("piet", "mara", lessonA)); got.Outcome.Result != "learned" {
		t.Fatalf("delivery %+v\n%s", got, b.log)
	}
	want := []string{"- mine", "- mine", "- mine", fmt.Sprintf("- %s (PR #1, %s, changes-requested)", lessonA, today())}
	if got := b.lessons(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("lessons %q", got)
	}
}

// A database that is lost does not teach a review twice: the commits say what was done.
func TestALostDatabaseIsRebuiltFromTheCommits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	event := b.review("piet", "mara", lessonA)
	b.deliver(event)
	b.repo.Put(config.DefaultStore, "# Lessons\n\n", "a person takes the lesson out")
	b.stop()

	options := b.opts
	options.place = emptyDatabase(t)
	again := newBenchWith(t, options)
	got := again.deliver(event)
	if want := (queue.Outcome{Result: "nothing", Reason: "the commits say that the review was learned before"}); got.Outcome != want {
		t.Errorf("outcome %+v", got.Outcome)
	}
	if lessons := again.lessons(); len(lessons) != 0 {
		t.Errorf("a deleted lesson came back: %q", lessons)
	}
}

func faultOnce(route string) githubtest.Fault {
	return githubtest.Fault{Route: route, Answer: githubtest.BadGateway()}
}
