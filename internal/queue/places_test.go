package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func testPlaces(t *testing.T, open database) {
	q := open(Config{Now: newClock().Now})
	defer stop(t, q)
	var mu sync.Mutex
	free, seen := map[int64]bool{}, map[string]Intent{}
	handler := func(_ context.Context, in Intent) (Outcome, error) {
		mu.Lock()
		defer mu.Unlock()
		seen[in.Delivery] = in
		if !free[in.Repository] {
			return Outcome{}, Parked(errors.New("suspended"))
		}
		return Outcome{Result: "learned"}, nil
	}
	for delivery, repository := range map[string]int64{"moves": 1, "resumes": 2, "is-dropped": 3, "stays": 4} {
		in := intent(delivery, repository)
		if in.Installation = 1; delivery == "stays" {
			in.Installation = 2
		}
		mustPut(t, q, in)
	}
	start(t, q, handler)
	await(t, "all are parked", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seen) == 4 && delivery(t, q, "stays").Outcome.Reason != "" && delivery(t, q, "moves").Outcome.Reason != "" &&
			delivery(t, q, "resumes").Outcome.Reason != "" && delivery(t, q, "is-dropped").Outcome.Reason != ""
	})
	mu.Lock()
	free = map[int64]bool{1: true, 2: true, 3: true, 4: true}
	mu.Unlock()

	ctx := context.Background()
	if err := q.Drop(ctx, 1, 3, "taken away"); err != nil {
		t.Fatal(err)
	}
	if d := delivery(t, q, "is-dropped"); d.State != GaveUp || d.Outcome.Reason != "taken away" {
		t.Errorf("dropped: %+v", d)
	}
	if err := q.Move(ctx, Place{Installation: 7, Repository: 1, FullName: "new/name"}); err != nil {
		t.Fatal(err)
	}
	await(t, "what moved is done", func() bool { return delivery(t, q, "moves").State == Done })
	if in := seen["moves"]; in.Installation != 7 || in.FullName != "new/name" {
		t.Errorf("moved to %+v", in)
	}
	if err := q.Resume(ctx, 1); err != nil {
		t.Fatal(err)
	}
	await(t, "what resumed is done", func() bool { return delivery(t, q, "resumes").State == Done })
	if d := delivery(t, q, "stays"); d.State != Waiting {
		t.Errorf("another installation's work: %+v", d)
	}
	mustPut(t, q, intent("later", 2))
	await(t, "what arrives later does not wait", func() bool { return delivery(t, q, "later").State == Done })
}
