package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testHandled(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	got := make(chan Intent, 1)
	start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
		got <- in
		return Outcome{Result: "learned", Reason: "because"}, nil
	})
	in := Intent{
		Delivery: "72d3162e-cc78-11e3-81ab-4c9367dc0958", Kind: "review", Installation: 7, Repository: 1 << 40, FullName: "acme/api",
		PullRequest: 12, Review: 1 << 50, Head: "c0ffee", Actor: "mara", At: now.Now().Add(-time.Minute),
	}
	mustPut(t, q, in)
	handled := <-got
	if handled.ID == 0 {
		t.Error("the intent has no id")
	}
	in.ID = handled.ID
	if diff := cmp.Diff(in, handled); diff != "" {
		t.Errorf("handled (-put +got):\n%s", diff)
	}
	want := Delivery{
		Intent: in, State: Done, Attempts: 1, Outcome: Outcome{Result: "learned", Reason: "because"},
		Received: now.Now(), NotBefore: now.Now(), Finished: now.Now(),
	}
	if diff := cmp.Diff(want, awaitState(t, q, in.Delivery, Done)); diff != "" {
		t.Errorf("delivery (-want +got):\n%s", diff)
	}
	if _, ok, err := q.Delivery(t.Context(), "another"); ok || err != nil {
		t.Errorf("an unknown delivery: found %v, error %v", ok, err)
	}
}

func testRedelivery(t *testing.T, open database) {
	q := open(Config{})
	s := &script{errors: map[string][]error{"hopeless": {Permanent(errors.New("no permission"))}}}
	for _, guid := range []string{"fine", "hopeless"} {
		if !mustPut(t, q, intent(guid, 1)) {
			t.Errorf("%s is not fresh at first", guid)
		}
		if mustPut(t, q, intent(guid, 1)) {
			t.Errorf("%s is fresh again while it waits", guid)
		}
	}
	start(t, q, s.handle)
	awaitState(t, q, "fine", Done)
	awaitState(t, q, "hopeless", GaveUp)
	if mustPut(t, q, intent("fine", 1)) {
		t.Error("fine is fresh again though it is done")
	}
	again := intent("hopeless", 1)
	again.FullName = "acme/renamed"
	if !mustPut(t, q, again) {
		t.Error("hopeless is not taken up anew though it was given up")
	}
	d := awaitState(t, q, "hopeless", Done)
	if d.Intent.FullName != "acme/renamed" || d.Attempts != 1 {
		t.Errorf("taken up anew: %+v", d)
	}
	if diff := cmp.Diff([]string{"fine", "hopeless", "hopeless"}, s.seen()); diff != "" {
		t.Errorf("handled (-want +got):\n%s", diff)
	}
}

func testForgets(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	s := &script{errors: map[string][]error{"hopeless": {Permanent(errors.New("gone"))}}}
	start(t, q, s.handle)
	mustPut(t, q, intent("fine", 1))
	mustPut(t, q, intent("hopeless", 1))
	awaitState(t, q, "fine", Done)
	awaitState(t, q, "hopeless", GaveUp)
	kept := func() (kept []string) {
		q.prune()
		all, err := q.Deliveries(t.Context(), Filter{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			kept = append(kept, d.Intent.Delivery)
		}
		return kept
	}
	for _, c := range []struct {
		after time.Duration
		want  []string
	}{
		{30 * 24 * time.Hour, []string{"hopeless", "fine"}},
		{30*24*time.Hour + time.Second, []string{"hopeless"}},
		{90*24*time.Hour + time.Second, nil},
	} {
		now.advance(c.after - now.Now().Sub(newClock().Now()))
		if diff := cmp.Diff(c.want, kept()); diff != "" {
			t.Errorf("after %v (-want +got):\n%s", c.after, diff)
		}
	}
}

func testForgetsMuch(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	const n = 2*pruneStep + 1
	for _, table := range []string{
		`distilled (repository, source, result, at) SELECT 1, CAST(i AS TEXT), '', $2 + i`,
		`intents (delivery, kind, installation, repository, full_name, pull_request, review, actor, at, received, not_before, state, finished)
SELECT CAST(i AS TEXT), 'review', 1, 1, '', 1, 1, '', 0, 0, 0, 'done', $2 + i`,
	} {
		if _, err := q.db.ExecContext(t.Context(), `WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $1) INSERT INTO `+
			table+` FROM n`, n, now.Now().UnixMilli()); err != nil {
			t.Fatal(err)
		}
	}
	now.advance(rememberDone + n*time.Millisecond) // all are too old but the last
	q.prune()
	for _, table := range []string{"distilled", "intents"} {
		var left int
		if err := q.reads.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left != 1 {
			t.Errorf("%s: %d rows are left of %d, want 1", table, left, n+1)
		}
	}
}

func testRetry(t *testing.T, open database) {
	q := open(Config{})
	s := &script{errors: map[string][]error{"a": {Permanent(errors.New("no permission"))}}}
	start(t, q, s.handle)
	mustPut(t, q, intent("a", 1))
	awaitState(t, q, "a", GaveUp)
	if err := q.Retry(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	awaitState(t, q, "a", Done)
	for _, guid := range []string{"a", "unknown"} {
		if err := q.Retry(t.Context(), guid); err == nil {
			t.Errorf("Retry of %s, which was not given up, is accepted", guid)
		}
	}
}

func testDeliveries(t *testing.T, open database) {
	q := open(Config{})
	s := &script{errors: map[string][]error{"1": {Permanent(errors.New("x"))}, "3": {Permanent(errors.New("x"))}}}
	start(t, q, s.handle)
	for i := range 5 {
		mustPut(t, q, intent(fmt.Sprint(i), 1))
	}
	awaitState(t, q, "4", Done)
	third := delivery(t, q, "3").Intent.ID
	for _, c := range []struct {
		name   string
		filter Filter
		limit  int
		want   []string
	}{
		{"all", Filter{}, 10, []string{"4", "3", "2", "1", "0"}},
		{"a page", Filter{}, 2, []string{"4", "3"}},
		{"the next page", Filter{Before: third}, 2, []string{"2", "1"}},
		{"given up", Filter{State: GaveUp}, 10, []string{"3", "1"}},
		{"given up, next page", Filter{State: GaveUp, Before: third}, 10, []string{"1"}},
		{"waiting", Filter{State: Waiting}, 10, nil},
	} {
		got, err := q.Deliveries(t.Context(), c.filter, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		var guids []string
		for _, d := range got {
			guids = append(guids, d.Intent.Delivery)
		}
		if diff := cmp.Diff(c.want, guids); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func testRefused(t *testing.T, open database) {
	q := open(Config{})
	for name, spoil := range map[string]func(*Intent){
		"no delivery":   func(in *Intent) { in.Delivery = "" },
		"no kind":       func(in *Intent) { in.Kind = "" },
		"no repository": func(in *Intent) { in.Repository = 0 },
		"NUL":           func(in *Intent) { in.Actor = "a\x00b" },
		"not UTF-8":     func(in *Intent) { in.FullName = "\xff" },
	} {
		in := intent("a", 1)
		spoil(&in)
		if _, err := q.Put(t.Context(), in); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Put(gone, intent("gone", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Put for a caller that has gone: %v", err)
	}
	if all, err := q.Deliveries(t.Context(), Filter{}, 10); len(all) != 0 || err != nil {
		t.Errorf("stored all the same: %v, error %v", all, err)
	}
}
