package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// lookEvery is how often the queue looks for intents whose time has come. Fresh ones do not wait
// for it.
const lookEvery = time.Second

// pruneEvery is how often what is remembered is forgotten after memoryOf.
const (
	pruneEvery = time.Hour
	memoryOf   = 30 * 24 * time.Hour // deliveries are remembered as done for 30 days (issue 2)
)

// makeJobs makes a River job for each repository that has something to do: fresh intents at
// once, and every second those whose time has come (left over from before the start, waiting for
// a retry or the end of a limit). A failure only delays.
func (q *Queue) makeJobs() {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	prune := time.NewTicker(pruneEvery)
	defer prune.Stop()
	q.prune()
	q.wakeDue()
	for {
		q.insertJobs()
		select {
		case <-q.woken:
		case <-look.C:
			q.wakeDue()
		case <-prune.C:
			q.prune()
		case <-q.stopping:
			return
		}
	}
}

func (q *Queue) wakeDue() {
	due, err := q.dueRepositories(context.Background())
	if err != nil {
		q.config.Logger.Error("the queue cannot be read", "error", err)
	}
	q.wake(due...)
}

func (q *Queue) insertJobs() {
	q.wakeMu.Lock()
	repositories := q.toWake
	q.toWake = map[int64]struct{}{}
	q.wakeMu.Unlock()
	for repository := range repositories {
		if err := q.jobs.insert(context.Background(), repository); err != nil {
			q.config.Logger.Warn("no job yet for a repository with intents", "repository", repository, "error", err)
		}
	}
}

func (q *Queue) dueRepositories(ctx context.Context) ([]int64, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT DISTINCT repository FROM intents WHERE state = 'waiting' AND not_before <= $1`, q.now())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var repository int64
		if err := rows.Scan(&repository); err != nil {
			return nil, err
		}
		out = append(out, repository)
	}
	return out, rows.Err()
}

func (q *Queue) prune() {
	before := q.config.Now().Add(-memoryOf).UnixMilli()
	for _, statement := range []string{
		`DELETE FROM intents WHERE state <> 'waiting' AND received < $1`,
		`DELETE FROM distilled WHERE at < $1`,
	} {
		if _, err := q.db.ExecContext(context.Background(), statement, before); err != nil {
			q.config.Logger.Warn("old rows stay", "error", err)
		}
	}
}

// drain works on one repository's due intents in order of arrival. A failing one waits for its
// retry and does not hold up the others.
func (q *Queue) drain(ctx context.Context, repository int64) error {
	for {
		select {
		case <-q.stopping:
			return nil
		default:
		}
		in, attempts, err := q.next(ctx, repository)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		outcome, failed := q.handle(ctx, in)
		if failed != nil && ctx.Err() != nil {
			return ctx.Err() // cut off by a stop: the intent is as it was
		}
		if err := q.settle(context.WithoutCancel(ctx), in, attempts, outcome, failed); err != nil {
			return err
		}
	}
}

func (q *Queue) next(ctx context.Context, repository int64) (in Intent, attempts int, err error) {
	var at int64
	err = q.db.QueryRowContext(ctx, `
SELECT id, delivery, kind, installation, repository, full_name, pull_request, review, actor, at, attempts
FROM intents WHERE state = 'waiting' AND repository = $1 AND not_before <= $2 ORDER BY id LIMIT 1`, repository, q.now()).
		Scan(&in.ID, &in.Delivery, &in.Kind, &in.Installation, &in.Repository, &in.FullName, &in.PullRequest, &in.Review, &in.Actor, &at, &attempts)
	in.At = time.UnixMilli(at).UTC()
	return in, attempts, err
}

// handle runs the handler; a panic of it is an error like others.
func (q *Queue) handle(ctx context.Context, in Intent) (out Outcome, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			q.config.Logger.Error("the handler panicked", "delivery", in.Delivery, "cause", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return q.handler(ctx, in)
}

// settle stores what came of an intent.
func (q *Queue) settle(ctx context.Context, in Intent, attempts int, outcome Outcome, failed error) error {
	var (
		permanent permanentError
		later     laterError
		now       = q.config.Now()
	)
	switch {
	case failed == nil:
		return q.finish(ctx, in, Done, attempts+1, outcome)
	case errors.As(failed, &later):
		_, err := q.db.ExecContext(ctx, `UPDATE intents SET not_before = $1, reason = $2 WHERE state = 'waiting' AND repository = $3 AND not_before < $1`,
			later.until.UnixMilli(), failed.Error(), in.Repository)
		return err
	case errors.As(failed, &permanent), attempts+1 >= q.config.MaxAttempts:
		return q.finish(ctx, in, GaveUp, attempts+1, Outcome{Result: "failed", Reason: failed.Error()})
	default:
		_, err := q.db.ExecContext(ctx, `UPDATE intents SET attempts = $1, not_before = $2, reason = $3 WHERE id = $4`,
			attempts+1, now.Add(q.config.Backoff(attempts+1)).UnixMilli(), failed.Error(), in.ID)
		return err
	}
}

func (q *Queue) finish(ctx context.Context, in Intent, state State, attempts int, outcome Outcome) error {
	_, err := q.db.ExecContext(ctx, `UPDATE intents SET state = $1, attempts = $2, result = $3, reason = $4, finished = $5 WHERE id = $6`,
		string(state), attempts, outcome.Result, outcome.Reason, q.now(), in.ID)
	return err
}
