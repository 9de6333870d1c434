package queue

import (
	"context"
	"errors"
	"time"
)

// ErrFull is what Put returns while as many intents wait as may.
var ErrFull = errors.New("too many intents wait: the queue is full")

// Backlog is what waits, at one moment.
type Backlog struct {
	Waiting int           // intents that are not done, those included that wait for a limit or an owner
	Due     int           // those of them that could be worked on now
	Age     time.Duration // how long the first of these could have been; 0 when none is due
	GaveUp  int           // intents that were given up, and are remembered
}

// Backlog counts what waits. It reads indexes only: see BenchmarkBacklog for what a full queue costs.
func (q *Queue) Backlog(ctx context.Context) (Backlog, error) {
	var (
		b     Backlog
		first int64
		now   = q.now()
	)
	err := q.reads.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(*) FILTER (WHERE not_before <= $1), COALESCE(MIN(not_before), 0) FROM intents WHERE state = 'waiting'`, now).
		Scan(&b.Waiting, &b.Due, &first)
	if err != nil {
		return Backlog{}, err
	}
	if b.Due > 0 {
		b.Age = time.Duration(now-first) * time.Millisecond
	}
	err = q.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM intents WHERE state = 'gave-up'`).Scan(&b.GaveUp)
	return b, err
}

// Ready reports whether an intent could be stored now: it writes to the database, so that a full or
// read-only disk shows, and its end, too.
func (q *Queue) Ready(ctx context.Context) error {
	if q.stopped() {
		return ErrStopped
	}
	if q.full() {
		return ErrFull
	}
	_, err := q.Claim(ctx, "ready", 0)
	return err
}

// full reports whether no more intents may be stored. It is off by what replicas store and finish
// between two looks, and by a group that is committed during one.
func (q *Queue) full() bool { return q.waiting.Load() >= int64(q.config.MaxWaiting) }

// countWaiting counts what waits, for full.
func (q *Queue) countWaiting(ctx context.Context) error {
	var waiting int64
	if err := q.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM intents WHERE state = 'waiting'`).Scan(&waiting); err != nil {
		return err
	}
	q.waiting.Store(waiting)
	return nil
}
