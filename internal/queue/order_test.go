package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testOrder(t *testing.T, open database) {
	q := open(Config{})
	var (
		mu     sync.Mutex
		active = map[int64]int{}
		got    = map[int64][]string{}
		want   = map[int64][]string{}
	)
	start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
		mu.Lock()
		active[in.Repository]++
		if active[in.Repository] > 1 {
			t.Errorf("repository %d is handled twice at once", in.Repository)
		}
		got[in.Repository] = append(got[in.Repository], in.Delivery)
		mu.Unlock()
		defer func() {
			mu.Lock()
			active[in.Repository]--
			mu.Unlock()
		}()
		return Outcome{}, nil
	})
	for i := range 200 {
		repository := int64(i%7 + 1)
		guid := fmt.Sprintf("%03d", i)
		want[repository] = append(want[repository], guid)
		mustPut(t, q, intent(guid, repository))
	}
	await(t, "all are handled", func() bool {
		mu.Lock()
		defer mu.Unlock()
		n := 0
		for _, guids := range got {
			n += len(guids)
		}
		return n == 200
	})
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order by repository (-put +handled):\n%s", diff)
	}
}

func testParallel(t *testing.T, open database) {
	const n = 8
	q := open(Config{Workers: n})
	var together sync.WaitGroup // passes only when all are in their handlers
	together.Add(n)
	start(t, q, func(context.Context, Intent) (Outcome, error) {
		together.Done()
		together.Wait()
		return Outcome{}, nil
	})
	for i := range n {
		mustPut(t, q, intent(fmt.Sprint(i), int64(i+1)))
	}
	for i := range n {
		awaitState(t, q, fmt.Sprint(i), Done)
	}
}

func testTail(t *testing.T, open database) {
	q := open(Config{})
	handled := make(chan string)
	start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
		handled <- in.Delivery
		return Outcome{}, nil
	})
	for i := range 100 { // each arrives while the drain of the one before ends
		guid := fmt.Sprint(i)
		mustPut(t, q, intent(guid, 1))
		select {
		case got := <-handled:
			if got != guid {
				t.Fatalf("handled %s, want %s", got, guid)
			}
		case <-time.After(lookEvery - time.Second):
			t.Fatalf("intent %s is stranded", guid)
		}
	}
}

func testBurst(t *testing.T, open database) {
	intents := int64(1000)
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
		intents = 10_000
	}
	const callers, repositories = 8, 3 // few, so that many drains end while intents arrive
	q := open(Config{})
	var (
		seen    sync.Map
		handled atomic.Int64
	)
	start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
		if _, again := seen.LoadOrStore(in.Delivery, true); again {
			t.Errorf("%s is handled twice", in.Delivery)
		}
		handled.Add(1)
		return Outcome{}, nil
	})
	var puts sync.WaitGroup
	for caller := range int64(callers) {
		puts.Go(func() {
			for i := caller; i < intents; i += callers {
				if _, err := q.Put(t.Context(), intent(fmt.Sprint(i), i%repositories+1)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	puts.Wait()
	for last, progress := int64(-1), time.Now(); handled.Load() < intents; time.Sleep(time.Millisecond) {
		if n := handled.Load(); n > last {
			last, progress = n, time.Now()
		} else if time.Since(progress) > lookEvery-time.Second { // sooner than a look would find them
			t.Fatalf("%d intents are stranded", intents-n)
		}
	}
}

func testStop(t *testing.T, open database) {
	q := open(Config{})
	began, finish := make(chan struct{}), make(chan struct{})
	finished := false
	start(t, q, func(ctx context.Context, _ Intent) (Outcome, error) {
		close(began) // a second intent would panic
		<-finish
		finished = ctx.Err() == nil
		return Outcome{}, nil
	})
	mustPut(t, q, intent("runs", 1))
	mustPut(t, q, intent("waits", 1))
	<-began
	stopped := make(chan error)
	go func() { stopped <- q.Stop(context.Background()) }()
	<-q.stopping
	if _, err := q.Put(t.Context(), intent("late", 1)); !errors.Is(err, ErrStopped) {
		t.Errorf("Put while stopping: %v, want ErrStopped", err)
	}
	select {
	case err := <-stopped:
		t.Fatalf("stopped (%v) before the handler had finished", err)
	default:
	}
	close(finish)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if !finished {
		t.Error("the handler was cut off")
	}
	q = open(Config{})
	if got := delivery(t, q, "runs").State; got != Done {
		t.Errorf("the intent whose handler ran is %s, want done", got)
	}
	if d := delivery(t, q, "waits"); d.State != Waiting || d.Attempts != 0 {
		t.Errorf("the intent after it is %s with %d attempts, want waiting with none", d.State, d.Attempts)
	}
	if err := q.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func testStopCuts(t *testing.T, open database) {
	q := open(Config{})
	began := make(chan struct{})
	start(t, q, func(ctx context.Context, _ Intent) (Outcome, error) {
		close(began)
		<-ctx.Done()
		return Outcome{}, ctx.Err()
	})
	mustPut(t, q, intent("endless", 1))
	<-began
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.Stop(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Stop: %v, want to hear that a handler was cut off", err)
	}
	q = open(Config{})
	if d := delivery(t, q, "endless"); d.State != Waiting || d.Attempts != 0 {
		t.Errorf("the intent is %s with %d attempts, want waiting with none", d.State, d.Attempts)
	}
}

func testLeftOver(t *testing.T, open database) {
	q := open(Config{})
	for i := range 5 {
		mustPut(t, q, intent(fmt.Sprint(i), int64(i%2+1)))
	}
	stop(t, q)
	q = open(Config{})
	start(t, q, (&script{}).handle)
	for i := range 5 {
		awaitState(t, q, fmt.Sprint(i), Done)
	}
}
