package app

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

const (
	// healthTime bounds what a question after the App's health waits for the database.
	healthTime = 5 * time.Second
	// healthKept is how long its answer is good for, so that who asks often costs nothing.
	healthKept = time.Second
)

// Readiness is what /readyz answers. Ages are in seconds.
type Readiness struct {
	Ready bool `json:"ready"`
	// Reason is why deliveries would be answered 503: the database, a full queue, the App's end.
	Reason          string   `json:"reason,omitempty"`
	Due             int      `json:"jobs_due"`
	Waiting         int      `json:"jobs_waiting"` // for a retry, a limit or an owner
	QueueAge        float64  `json:"queue_age_seconds"`
	LastDeliveryAge *float64 `json:"last_delivery_age_seconds"` // null: none since the process started
}

// Ready reports whether deliveries can be accepted. An old queue is told, and is no reason to say
// no: to take a replica from its proxy would lose deliveries and speed nothing up.
func (a *App) Ready(ctx context.Context) Readiness {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	var (
		out     Readiness
		backlog queue.Backlog
		err     = a.queue.Ready(ctx)
	)
	if err == nil {
		backlog, err = a.queue.Backlog(ctx)
	}
	if out.Ready = err == nil; err != nil {
		out.Reason = "the database cannot store deliveries: see the log"
		if err == queue.ErrFull || err == queue.ErrStopped { //nolint:errorlint // never wrapped, and safe to tell
			out.Reason = err.Error()
		}
		a.log.Error().Err(err).Msg("not ready")
	}
	out.Due, out.Waiting, out.QueueAge = backlog.Due, backlog.Waiting-backlog.Due, backlog.Age.Seconds()
	if last := a.lastDelivery.Load(); last > 0 {
		age := a.now().Sub(time.Unix(0, last)).Seconds()
		out.LastDeliveryAge = &age
	}
	return out
}

// handleHealth serves /healthz (the process answers) and /readyz (it can store deliveries).
func (a *App) handleHealth(mux *http.ServeMux) {
	var (
		mu    sync.Mutex
		asked time.Time
		kept  Readiness
	)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("ok\n")) // who does not hear it asks again
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if time.Since(asked) > healthKept {
			kept, asked = a.Ready(context.WithoutCancel(r.Context())), time.Now()
		}
		answer := kept
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if !answer.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
}
