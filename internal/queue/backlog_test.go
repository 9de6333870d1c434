package queue

import (
	"errors"
	"testing"
	"time"
)

func testFull(t *testing.T, open database) {
	c := newClock()
	q := open(Config{MaxWaiting: 2, Now: c.Now})
	if b, err := q.Backlog(t.Context()); err != nil || b != (Backlog{}) {
		t.Fatalf("an empty queue: %+v, %v", b, err)
	}
	mustPut(t, q, intent("a", 1))
	c.advance(time.Minute)
	mustPut(t, q, intent("b", 2))
	if b, err := q.Backlog(t.Context()); err != nil || b != (Backlog{Waiting: 2, Due: 2, Age: time.Minute}) {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := q.Put(t.Context(), intent("c", 3)); !errors.Is(err, ErrFull) {
		t.Errorf("a third: %v, want ErrFull", err)
	}
	if err := q.Ready(t.Context()); !errors.Is(err, ErrFull) {
		t.Errorf("ready: %v, want ErrFull", err)
	}
	stop(t, q)
	if err := q.Ready(t.Context()); !errors.Is(err, ErrStopped) {
		t.Errorf("ready: %v, want ErrStopped", err)
	}

	q = open(Config{MaxWaiting: 2, Now: c.Now}) // which counts afresh
	if _, err := q.Put(t.Context(), intent("c", 3)); !errors.Is(err, ErrFull) {
		t.Errorf("a third, after a restart: %v, want ErrFull", err)
	}
	failing := &script{errors: map[string][]error{"a": {Permanent(errors.New("no"))}, "b": {Later(c.Now().Add(time.Hour), errors.New("limit"))}}}
	start(t, q, failing.handle)
	await(t, "one is given up", func() bool { return delivery(t, q, "a").State == GaveUp })
	await(t, "one waits", func() bool {
		b, err := q.Backlog(t.Context())
		return err == nil && b == Backlog{Waiting: 1, GaveUp: 1}
	})
	q.look()
	if err := q.Ready(t.Context()); err != nil {
		t.Errorf("with room again: %v", err)
	}
	mustPut(t, q, intent("c", 3))
}
