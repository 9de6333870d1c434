package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Intents that arrive while one commit reaches the disk share the next: of 100 puts at once the
// first has a commit of its own and the others share one.
func TestGroupCommit(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var commits atomic.Int64 // each commit asks for the time once
		q := opener(t, Config{DataDir: dir})(Config{Now: func() time.Time { return time.UnixMilli(commits.Add(1)) }})
		connection, err := q.db.Conn(t.Context()) // the only one: commits have to wait
		if err != nil {
			t.Fatal(err)
		}
		var (
			puts  sync.WaitGroup
			fresh atomic.Int64
		)
		put := func(guid string) {
			puts.Go(func() {
				if mustPut(t, q, intent(guid, 1)) {
					fresh.Add(1)
				}
			})
		}
		put("first")
		synctest.Wait()
		for i := range 100 {
			put(fmt.Sprint(i % 99)) // one delivery comes twice
		}
		synctest.Wait() // all are as far as they get without the disk
		if err := connection.Close(); err != nil {
			t.Fatal(err)
		}
		puts.Wait()
		if got := commits.Load(); got != 2 {
			t.Errorf("%d commits for 101 puts, want 2", got)
		}
		if got := fresh.Load(); got != 100 {
			t.Errorf("%d puts are fresh, want 100: one delivery came twice", got)
		}
		if err := q.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A caller that gives up while the disk is busy is let go at once, and its intent is not stored.
func TestCallerGivesUp(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		q := opener(t, Config{DataDir: dir})(Config{})
		connection, err := q.db.Conn(t.Context()) // the only one: commits have to wait
		if err != nil {
			t.Fatal(err)
		}
		var puts sync.WaitGroup
		puts.Go(func() { mustPut(t, q, intent("patient", 1)) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.Put(ctx, intent("impatient", 1)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Put: %v, want that its time is over", err)
		}
		if err := connection.Close(); err != nil {
			t.Fatal(err)
		}
		puts.Wait()
		if _, ok, err := q.Delivery(t.Context(), "impatient"); ok || err != nil {
			t.Errorf("the intent is stored: %v, error %v", ok, err)
		}
		if err := q.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A drain hands its worker on when its shift is over, with intents left.
func TestShiftEnds(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		q := opener(t, Config{DataDir: dir})(Config{})
		handled := 0
		q.handler = func(context.Context, Intent) (Outcome, error) {
			handled++
			time.Sleep(shift/2 + time.Second)
			return Outcome{}, nil
		}
		for i := range 3 {
			mustPut(t, q, intent(fmt.Sprint(i), 1))
		}
		if err := q.drain(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if handled != 2 {
			t.Errorf("%d intents in a shift that is over in the second, want 2", handled)
		}
		if err := q.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
