package app

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
)

const (
	// WriteGap is the least time between two writes of one installation that GitHub asks for
	// (github.md 3: best practices).
	WriteGap = time.Second
	// hourly is how much content an installation may create in an hour (github.md 3). The 80 a
	// minute that go with it are kept by the gap.
	hourly = 500
	// maxPause is the longest that a write waits in its worker; what has to wait longer gives the
	// worker back.
	maxPause = 15 * time.Second
)

// pacedError is a write that has to wait for its turn until then.
type pacedError struct{ until time.Time }

func (e *pacedError) Error() string {
	return fmt.Sprintf("too many writes of this installation: the next may be made at %s", e.until.UTC().Format(time.TimeOnly))
}

// pace says when an installation may write next.
type pace struct {
	gap time.Duration

	mu     sync.Mutex
	recent []time.Time // of the writes of the last hour, at most hourly, oldest first
}

// turn reserves the next moment at which a write may be made, no later than latest. A write that is
// alone is made now.
func (p *pace) turn(now, latest time.Time) (at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at = now
	if n := len(p.recent); n > 0 {
		if next := p.recent[n-1].Add(p.gap); next.After(at) {
			at = next
		}
		if n == hourly {
			if next := p.recent[0].Add(time.Hour); next.After(at) {
				at = next
			}
		}
	}
	if at.After(latest) {
		return at, false
	}
	if len(p.recent) == hourly {
		p.recent = p.recent[1:]
	}
	p.recent = append(p.recent, at)
	return at, true
}

// paced makes each client's writes keep pace. Installations have a client each.
func paced(gap time.Duration, now func() time.Time) githubapp.ClientMiddleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return pacer{next: next, pace: &pace{gap: gap}, now: now}
	}
}

type pacer struct {
	next http.RoundTripper
	pace *pace
	now  func() time.Time
}

// RoundTrip waits for the request's turn if it writes.
func (p pacer) RoundTrip(r *http.Request) (*http.Response, error) {
	if p.pace.gap <= 0 || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return p.next.RoundTrip(r)
	}
	now := p.now()
	at, ok := p.pace.turn(now, now.Add(maxPause))
	if !ok {
		return nil, &pacedError{at}
	}
	timer := time.NewTimer(at.Sub(now))
	defer timer.Stop()
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-timer.C:
		return p.next.RoundTrip(r)
	}
}
