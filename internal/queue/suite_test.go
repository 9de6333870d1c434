package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// database is an empty one. What it opens is on the same tables each time.
type database func(config Config) *Queue

// suite is the queue's behaviour, whichever database it is on.
func suite(t *testing.T, empty func(t testing.TB) Config) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open database)
	}{
		{"an intent is handled as it was put", testHandled},
		{"a delivery leads to one intent", testRedelivery},
		{"what is done is forgotten after 30 days", testForgets},
		{"an error says what comes next", testErrors},
		{"the default backoff grows for hours", testBackoff},
		{"intents of a repository are handled in order, one at a time", testOrder},
		{"repositories are handled at once", testParallel},
		{"a failing intent does not hold up others", testFailingSteps},
		{"a repository that has to wait waits as a whole", testHold},
		{"an intent that arrives when a drain ends is not stranded", testTail},
		{"stopping lets handlers finish and leaves the rest", testStop},
		{"stopping does not wait for ever", testStopCuts},
		{"what a stopped queue left is handled after the next start", testLeftOver},
		{"a person can retry what was given up", testRetry},
		{"deliveries are listed newest first, by page and state", testDeliveries},
		{"an intent that no table could hold is refused", testRefused},
		{"the index remembers what was learned", testIndex},
		{"a month's budget is spent once", testSpend},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, opener(t, empty(t))) })
	}
}

func intent(delivery string, repository int64) Intent {
	return Intent{Delivery: delivery, Kind: "review", Installation: 1, Repository: repository, FullName: "acme/api", At: time.UnixMilli(1_800_000_000_000).UTC()}
}

// clock is a time that stands still until a test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// script is a handler that answers each delivery with its errors in turn, then with success, and
// notes what it was asked.
type script struct {
	mu      sync.Mutex
	errors  map[string][]error
	handled []string
}

func (s *script) handle(_ context.Context, in Intent) (Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handled = append(s.handled, in.Delivery)
	if left := s.errors[in.Delivery]; len(left) > 0 {
		s.errors[in.Delivery] = left[1:]
		if left[0] == nil {
			panic("scripted")
		}
		return Outcome{}, left[0]
	}
	return Outcome{Result: "learned", Reason: "1 lesson"}, nil
}

func (s *script) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.handled)
}

func start(t *testing.T, q *Queue, handler Handler) {
	t.Helper()
	if err := q.Start(t.Context(), handler); err != nil {
		t.Fatal(err)
	}
}

func stop(t *testing.T, q *Queue) {
	t.Helper()
	if err := q.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func mustPut(t *testing.T, q *Queue, in Intent) bool {
	t.Helper()
	fresh, err := q.Put(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return fresh
}

func delivery(t *testing.T, q *Queue, guid string) Delivery {
	t.Helper()
	d, ok, err := q.Delivery(t.Context(), guid)
	if err != nil || !ok {
		t.Fatalf("delivery %s: found %v, error %v", guid, ok, err)
	}
	return d
}

// await polls until the condition holds. Its patience is less than lookEvery, so that nothing
// passes because a look found what should have been woken.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(lookEvery - time.Second); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func awaitState(t *testing.T, q *Queue, guid string, want State) Delivery {
	t.Helper()
	await(t, guid+" is "+string(want), func() bool { return delivery(t, q, guid).State == want })
	return delivery(t, q, guid)
}

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
		PullRequest: 12, Review: 1 << 50, Actor: "mara", At: now.Now().Add(-time.Minute),
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

func testFailingSteps(t *testing.T, open database) {
	q := open(Config{Backoff: func(int) time.Duration { return 20 * time.Millisecond }})
	s := &script{errors: map[string][]error{"a": {errors.New("502"), errors.New("502")}}}
	for _, guid := range []string{"a", "b", "c"} {
		mustPut(t, q, intent(guid, 1))
	}
	start(t, q, s.handle)
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

func testIndex(t *testing.T, open database) {
	const repo, other = 1, 2
	q := open(Config{})
	ctx, x := t.Context(), q.Index()
	check := func(step string, repo int64, wantKnown, wantHas, wantUnsure bool) {
		t.Helper()
		known, err1 := x.Known(ctx, repo)
		has, err2 := x.Has(ctx, repo, "review/1")
		unsure, err3 := x.Unsure(ctx, repo, "review/1")
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if known != wantKnown || has != wantHas || unsure != wantUnsure {
			t.Errorf("%s: known %v, has %v, unsure %v; want %v, %v, %v", step, known, has, unsure, wantKnown, wantHas, wantUnsure)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check("at first", repo, false, false, false)
	must(x.Rebuilt(ctx, repo, nil))
	check("an empty history", repo, true, false, false)
	must(x.Began(ctx, repo, "review/1"))
	check("begun", repo, true, false, true)
	must(x.Rebuilt(ctx, repo, []string{"review/2"}))
	check("begun, and the commits do not name it", repo, true, false, true)
	must(x.Done(ctx, repo, "review/1"))
	check("done", repo, true, true, false)
	check("another repository", other, false, false, false)
	must(x.Began(ctx, other, "review/1"))
	must(x.Rebuilt(ctx, other, []string{"review/1"}))
	check("begun, and the commits name it", other, true, true, false)

	if _, ok, err := x.Distilled(ctx, repo, "review/1"); ok || err != nil {
		t.Errorf("distilled at first: %v, error %v", ok, err)
	}
	for _, want := range []string{`{"lessons":[]}`, "\x00\xff"} {
		must(x.KeepDistilled(ctx, repo, "review/1", []byte(want)))
		if got, ok, err := x.Distilled(ctx, repo, "review/1"); string(got) != want || !ok || err != nil {
			t.Errorf("distilled: %q, %v, error %v; want %q", got, ok, err, want)
		}
	}
}

func testSpend(t *testing.T, open database) {
	x := open(Config{}).Index()
	for _, c := range []struct {
		owner, month string
		limit        int
		want         bool
	}{
		{"acme", "2026-11", 0, false},
		{"acme", "2026-11", 2, true},
		{"acme", "2026-11", 2, true},
		{"acme", "2026-11", 2, false},
		{"acme", "2026-11", 3, true}, // the refused one was not counted
		{"acme", "2026-12", 2, true},
		{"other", "2026-11", 1, true},
	} {
		got, err := x.Spend(t.Context(), c.owner, c.month, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s in %s within %d: %v, want %v", c.owner, c.month, c.limit, got, c.want)
		}
	}
}
