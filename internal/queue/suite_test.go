package queue

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
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
		{"much is forgotten as well", testForgetsMuch},
		{"an error says what comes next", testErrors},
		{"the default backoff grows for hours", testBackoff},
		{"intents of a repository are handled in order, one at a time", testOrder},
		{"repositories are handled at once", testParallel},
		{"a retry comes when its wait has passed", testRetries},
		{"a failing intent does not hold up others", testFailingSteps},
		{"a repository that has to wait waits as a whole", testHold},
		{"an intent that arrives when a drain ends is not stranded", testTail},
		{"a burst is handled whole, each intent once", testBurst},
		{"stopping lets handlers finish and leaves the rest", testStop},
		{"stopping does not wait for ever", testStopCuts},
		{"what a stopped queue left is handled after the next start", testLeftOver},
		{"a person can retry what was given up", testRetry},
		{"deliveries are listed newest first, by page and state", testDeliveries},
		{"an intent that no table could hold is refused", testRefused},
		{"work follows its repository, goes on, and is dropped", testPlaces},
		{"a full queue refuses more until there is room", testFull},
		{"the index remembers what was learned", testIndex},
		{"a month's budget is spent once", testSpend},
		{"a failed check waits for its fix", testChecks},
		{"failed checks are forgotten after 30 days", testForgetsChecks},
		{"a lesson waits for the checks that failed", testPending},
		{"an intent is handled when it is due", testNotBefore},
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
