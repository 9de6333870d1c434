package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testErrors(t *testing.T, open database) {
	var (
		transient  = errors.New("502")
		noon       = newClock().Now()
		repository = int64(0) // another for each, since they share the database
	)
	for _, c := range []struct {
		name         string
		errors       []error
		wantState    State
		wantAttempts int
		wantWait     time.Duration
		wantReason   string
	}{
		{"success", nil, Done, 1, 0, "1 lesson"},
		{"transient", []error{transient}, Waiting, 1, time.Second, "502"},
		{"transient twice", []error{transient, transient}, Waiting, 2, 2 * time.Second, "502"},
		{"transient too often", []error{transient, transient, transient}, GaveUp, 3, 0, "502"},
		{"permanent", []error{Permanent(errors.New("403 archived"))}, GaveUp, 1, 0, "403 archived"},
		{"permanent, wrapped", []error{fmt.Errorf("learn: %w", Permanent(errors.New("404")))}, GaveUp, 1, 0, "learn: 404"},
		{"permanent after transient", []error{transient, Permanent(errors.New("404"))}, GaveUp, 2, 0, "404"},
		{"later", []error{Later(noon.Add(time.Hour), errors.New("rate limit"))}, Waiting, 0, time.Hour, "rate limit"},
		{"later, wrapped", []error{fmt.Errorf("learn: %w", Later(noon.Add(time.Hour), errors.New("429")))}, Waiting, 0, time.Hour, "learn: 429"},
		{"later, but past", []error{Later(noon.Add(-time.Hour), errors.New("rate limit"))}, Waiting, 0, 5 * time.Second, "rate limit"},
		{"parked", []error{Parked(errors.New("suspended"))}, Waiting, 0, parkedFor, "suspended"},
		{"transient, not text", []error{errors.New("502 \xff\x00")}, Waiting, 1, time.Second, "502 \uFFFD"},
		{"permanent, not text", []error{Permanent(errors.New("404 \xff\x00"))}, GaveUp, 1, 0, "404 \uFFFD"},
		{"later, not text", []error{Later(noon.Add(time.Hour), errors.New("429 \xff\x00"))}, Waiting, 0, time.Hour, "429 \uFFFD"},
		{"panic", []error{nil}, Waiting, 1, time.Second, "panic: scripted"},
	} {
		repository++
		t.Run(c.name, func(t *testing.T) {
			now := newClock()
			q := open(Config{Now: now.Now, MaxAttempts: 3, Backoff: func(attempt int) time.Duration { return time.Duration(attempt) * time.Second }})
			defer stop(t, q)
			guid := strings.ReplaceAll(c.name, " ", "-")
			s := &script{errors: map[string][]error{guid: slices.Clone(c.errors)}}
			mustPut(t, q, intent(guid, repository))
			start(t, q, s.handle)
			tries := max(len(c.errors), 1)
			for try := 1; try <= tries; try++ {
				await(t, fmt.Sprintf("try %d is settled", try), func() bool {
					d := delivery(t, q, guid)
					return d.State != Waiting || d.Attempts == try || d.NotBefore.After(now.Now())
				})
				if try < tries {
					now.advance(time.Duration(try) * time.Second)
					q.look()
				}
			}
			d := delivery(t, q, guid)
			if d.State != c.wantState || d.Attempts != c.wantAttempts || d.Outcome.Reason != c.wantReason {
				t.Errorf("%s after %d attempts because %q, want %s after %d because %q", d.State, d.Attempts, d.Outcome.Reason, c.wantState, c.wantAttempts, c.wantReason)
			}
			if wait := d.NotBefore.Sub(now.Now()); d.State == Waiting && wait != c.wantWait {
				t.Errorf("tried next after %v, want %v", wait, c.wantWait)
			}
			if got := slices.DeleteFunc(s.seen(), func(other string) bool { return other != guid }); len(got) != tries {
				t.Errorf("handled %d times, want %d", len(got), tries)
			}
		})
	}
}

func testBackoff(t *testing.T, open database) {
	q := open(Config{})
	var total time.Duration
	for attempt := 1; attempt < q.config.MaxAttempts; attempt++ {
		total += q.config.Backoff(attempt)
	}
	if total < 4*time.Hour || total > 5*time.Hour {
		t.Errorf("given up after %v, want four to five hours", total)
	}
}

func testRetries(t *testing.T, open database) {
	q := open(Config{Backoff: func(int) time.Duration { return 100 * time.Millisecond }})
	s := &script{errors: map[string][]error{"a": {errors.New("502"), errors.New("502")}}}
	start(t, q, s.handle)
	mustPut(t, q, intent("a", 1))
	if d := awaitState(t, q, "a", Done); d.Attempts != 3 {
		t.Errorf("done after %d attempts, want 3", d.Attempts)
	}
}

func testFailingSteps(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now, Backoff: func(int) time.Duration { return time.Second }})
	s := &script{errors: map[string][]error{"a": {errors.New("502"), errors.New("502")}}}
	for _, guid := range []string{"a", "b", "c"} {
		mustPut(t, q, intent(guid, 1))
	}
	start(t, q, s.handle)
	awaitState(t, q, "c", Done)
	for try := 1; try <= 2; try++ {
		await(t, "the try is counted", func() bool { return delivery(t, q, "a").Attempts == try })
		now.advance(time.Second)
		q.look()
	}
	awaitState(t, q, "a", Done)
	if diff := cmp.Diff([]string{"a", "b", "c", "a", "a"}, s.seen()); diff != "" {
		t.Errorf("handled (-want +got):\n%s", diff)
	}
}

func testHold(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	s := &script{errors: map[string][]error{"a": {Later(now.Now().Add(time.Hour), errors.New("rate limit"))}}}
	mustPut(t, q, intent("a", 1))
	mustPut(t, q, intent("b", 1))
	start(t, q, s.handle)
	await(t, "the repository waits", func() bool { return delivery(t, q, "b").NotBefore.After(now.Now()) })
	mustPut(t, q, intent("c", 1))
	mustPut(t, q, intent("other", 2))
	awaitState(t, q, "other", Done)
	q.look()
	if diff := cmp.Diff([]string{"a", "other"}, s.seen()); diff != "" {
		t.Errorf("handled while the repository waits (-want +got):\n%s", diff)
	}
	now.advance(time.Hour)
	q.look()
	awaitState(t, q, "c", Done)
	if diff := cmp.Diff([]string{"a", "other", "a", "b", "c"}, s.seen()); diff != "" {
		t.Errorf("handled in the end (-want +got):\n%s", diff)
	}
	if d := delivery(t, q, "a"); d.Attempts != 1 {
		t.Errorf("a took %d attempts: waiting is none", d.Attempts)
	}
}
