package app

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// hours is a clock that a test sets forward.
func hours() (now func() time.Time, pass func(time.Duration)) {
	var ahead atomic.Int64
	return func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, func(d time.Duration) { ahead.Add(int64(d)) }
}

// miss delivers an event while the App is away.
func (b *bench) miss(event githubtest.Event) string {
	b.t.Helper()
	b.github.SetHook("http://127.0.0.1:1/", secret)
	defer b.github.SetHook(b.hook, secret)
	delivery, err := b.github.Deliver(context.Background(), event)
	if err != nil || delivery.OK() {
		b.t.Fatalf("delivered all the same: %+v, %v", delivery, err)
	}
	return delivery.GUID
}

func (b *bench) catchUp() {
	b.t.Helper()
	if err := b.app.catchUp(context.Background(), 0); err != nil {
		b.t.Fatal(err)
	}
}

// count counts the requests of a route.
func (b *bench) count(route string) int {
	n := 0
	for _, r := range b.routes() {
		if r == route {
			n++
		}
	}
	return n
}

const askAgain = "POST /app/hook/deliveries/{delivery_id}/attempts"

// The App was away for hours: what GitHub could not deliver is asked for, once.
func TestFailedDeliveriesAreAskedForAgain(t *testing.T) {
	t.Parallel()
	now, pass := hours()
	b := newBenchWith(t, benchOptions{now: now})
	guid := b.miss(b.review("piet", "mara", "", lessonA))
	irrelevant := b.miss(b.submit("piet", githubtest.Review{User: "mara", State: "APPROVED"}))
	old := b.miss(b.submit("piet", githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Comments: inline(lessonC), SubmittedAt: now().Add(-50 * time.Hour)}))
	pass(5 * time.Hour)
	b.catchUp()
	for _, id := range []string{guid, old} {
		if got := b.wait(id); got.Outcome.Result != "learned" {
			t.Errorf("outcome %+v", got)
		}
	}
	if got := b.count(askAgain); got != 3 {
		t.Errorf("asked for %d deliveries, want 3 (%s too)", got, irrelevant)
	}
	pass(time.Hour)
	b.catchUp()
	if got := b.count(askAgain); got != 3 {
		t.Errorf("asked again: %d", got)
	}
	if len(b.lessons()) != 2 {
		t.Errorf("lessons %q", b.lessons())
	}
}

// A redelivery that fails as well is asked for again, for each failed attempt once.
func TestAFailedRedeliveryIsAskedForAgain(t *testing.T) {
	t.Parallel()
	now, pass := hours()
	b := newBenchWith(t, benchOptions{now: now})
	guid := b.miss(b.submit("piet", githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Comments: inline(lessonA), SubmittedAt: now().Add(-50 * time.Hour)}))
	b.github.SetHook("http://127.0.0.1:1/", secret)
	b.catchUp()
	b.github.SetHook(b.hook, secret)
	pass(15 * time.Minute)
	b.catchUp()
	if got := b.wait(guid); got.Outcome.Result != "learned" || b.count(askAgain) != 2 {
		t.Errorf("outcome %+v, asked %d times", got, b.count(askAgain))
	}
}

// What no delivery ever told of is found by looking: reviews and merges, since the last look.
func TestUntoldReviewsAndMergesAreFound(t *testing.T) {
	t.Parallel()
	now, pass := hours()
	b := newBenchWith(t, benchOptions{now: now})
	b.catchUp()
	pass(40 * time.Hour) // more than a first look goes back
	b.review("piet", "mara", "", lessonA)
	b.review("piet", "mara", "", lessonC)
	b.submit("piet", githubtest.Review{User: "mara", State: "APPROVED", Comments: inline(lessonD)})
	pass(time.Hour)
	b.merge(1)
	b.catchUp()
	await(t, "both are learned, one is overridden", func() bool {
		lines := strings.Join(b.lessons(), "\n")
		return strings.Contains(lines, lessonA+" (PR #1, ") && strings.Contains(lines, "; overridden ") && strings.Contains(lines, lessonC)
	})
	commits := len(b.repo.Commits(""))
	pass(15 * time.Minute)
	b.catchUp() // looks ten minutes back, and finds the same again
	await(t, "all is worked off", func() bool {
		waiting, err := b.queue.Deliveries(context.Background(), queue.Filter{State: queue.Waiting}, 1)
		return err == nil && len(waiting) == 0
	})
	b.github.ResetRequests()
	pass(15 * time.Minute)
	b.catchUp()
	if got := b.routes(); len(got) != 4 {
		t.Errorf("a look at nothing new took %d requests, want 4 (failed deliveries, installations, repositories, pull requests): %v", len(got), got)
	}
	for _, r := range b.github.Requests() {
		if strings.Contains(r.Route, "pulls") && !r.Conditional {
			t.Errorf("%s is not conditional", r.Route)
		}
	}
	if len(b.repo.Commits("")) != commits {
		t.Error("the second look wrote something")
	}
}

func TestReplicasTakeTurns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.catchUp()
	b.github.ResetRequests()
	if err := b.app.catchUp(context.Background(), CatchUpEvery); err != nil || len(b.routes()) != 0 {
		t.Errorf("it was another's turn: %v, %v", b.routes(), err)
	}
}

// await waits until cond holds.
func await(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
	}
}
