package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

const (
	handlerTime = 5 * time.Minute // one intent; each of its requests has its own, shorter bound
	shift       = time.Minute     // then a drain lets other repositories have its worker
	minHold     = 5 * time.Second // Later with a time that is past must not spin
	databaseGap = 200 * time.Millisecond
)

// drain works on one repository's due intents in order of arrival, until none is left, the shift
// ends or the queue stops. A failing intent waits for its retry and does not hold up the others.
func (q *Queue) drain(ctx context.Context, repository int64) error {
	for began := time.Now(); !q.stopped() && time.Since(began) < shift; {
		var (
			in       Intent
			attempts int
		)
		err := q.insist(ctx, func() (err error) {
			in, attempts, err = q.next(ctx, repository)
			return err
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		outcome, failed := q.handle(ctx, in)
		if failed != nil && ctx.Err() != nil {
			return ctx.Err() // cut off by Stop: the intent stays as it was
		}
		uncut := context.WithoutCancel(ctx)
		if err := q.insist(uncut, func() error { return q.settle(uncut, in, attempts+1, outcome, failed) }); err != nil {
			return err
		}
	}
	return nil
}

// insist repeats do while the database fails: when the disk is full or the server restarts, the
// queue waits and goes on by itself. It ends with do, or when the queue stops.
func (q *Queue) insist(ctx context.Context, do func() error) error {
	for said := false; ; said = true {
		err := do()
		if err == nil || errors.Is(err, sql.ErrNoRows) || ctx.Err() != nil {
			return err
		}
		if !said {
			q.log.Error("the database fails; waiting for it", "error", err)
		}
		select {
		case <-time.After(databaseGap):
		case <-q.stopping:
			return err
		}
	}
}

// next returns the repository's first due intent and how often it was tried.
func (q *Queue) next(ctx context.Context, repository int64) (Intent, int, error) {
	d, err := scanDelivery(q.reads.QueryRowContext(ctx, selectDelivery+`
WHERE state = 'waiting' AND repository = $1 AND not_before <= $2 ORDER BY id LIMIT 1`, repository, q.now()))
	return d.Intent, d.Attempts, err
}

// Due returns what a repository has to do of one kind besides intent id, the oldest first, at most
// limit: a handler may do some of it along.
func (q *Queue) Due(ctx context.Context, repository int64, kind string, id int64, limit int) ([]Intent, error) {
	rows, err := q.reads.QueryContext(ctx, selectDelivery+`
WHERE state = 'waiting' AND repository = $1 AND not_before <= $2 AND kind = $3 AND id <> $4 ORDER BY id LIMIT $5`, repository, q.now(), kind, id, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Intent
	for rows.Next() {
		d, err := scanDelivery(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, d.Intent)
	}
	return out, rows.Err()
}

// handle runs the handler. A panic is an error like others.
func (q *Queue) handle(ctx context.Context, in Intent) (out Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, handlerTime)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			q.log.Error("the handler panicked", "delivery", in.Delivery, "cause", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return q.handler(ctx, in)
}

// settle stores what came of try number attempt at an intent.
func (q *Queue) settle(ctx context.Context, in Intent, attempt int, outcome Outcome, failed error) error {
	var (
		permanent permanentError
		later     laterError
		parked    parkedError
		now       = q.config.Now()
		log       = q.log.With("delivery", in.Delivery, "attempt", attempt, "error", failed)
	)
	if errors.As(failed, &parked) {
		failed = Later(now.Add(parkedFor), parked)
	}
	switch {
	case failed == nil:
		return q.finish(ctx, in, Done, attempt, outcome)
	case errors.As(failed, &later):
		until := later.until
		if soonest := now.Add(minHold); until.Before(soonest) {
			until = soonest
		}
		if err := q.hold(ctx, in, until, failed); err != nil {
			return err
		}
		log.Warn("the repository waits", "until", until.UTC())
		q.wakeAfter(until.Sub(now), in.Repository)
		return nil
	case errors.As(failed, &permanent), attempt >= q.config.MaxAttempts:
		log.Error("given up")
		return q.finish(ctx, in, GaveUp, attempt, Outcome{Result: "failed", Reason: failed.Error()})
	default:
		wait := q.config.Backoff(attempt)
		if err := q.exec(ctx, `UPDATE intents SET attempts = $1, not_before = $2, reason = $3 WHERE id = $4 AND state = 'waiting'`,
			attempt, now.Add(wait).UnixMilli(), text(failed.Error()), in.ID); err != nil {
			return err
		}
		log.Warn("failed; trying again", "after", wait)
		q.wakeAfter(wait, in.Repository)
		return nil
	}
}

func (q *Queue) finish(ctx context.Context, in Intent, state State, attempts int, outcome Outcome) error {
	return q.exec(ctx, `UPDATE intents SET state = $1, attempts = $2, result = $3, reason = $4, finished = $5 WHERE id = $6 AND state = 'waiting'`,
		string(state), attempts, text(outcome.Result), text(outcome.Reason), q.now(), in.ID)
}

// text makes s what any table can hold: an error may quote bytes that Postgres takes for no text,
// and then neither the outcome nor what shares its commit could ever be stored.
func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// hold makes the intent's repository wait: what it has, and what arrives until then.
func (q *Queue) hold(ctx context.Context, in Intent, until time.Time, why error) error {
	return q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO repositories (repository, held_until) VALUES ($1, $2)
ON CONFLICT (repository) DO UPDATE SET held_until = excluded.held_until`, in.Repository, until.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE intents SET not_before = $1, reason = $2 WHERE state = 'waiting' AND repository = $3 AND not_before < $1`,
			until.UnixMilli(), text(why.Error()), in.Repository)
		return err
	})
}
