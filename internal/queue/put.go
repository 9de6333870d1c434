package queue

import (
	"context"
	"fmt"
	"slices"
)

// put is an intent on its way to disk.
type put struct {
	ctx    context.Context
	intent Intent
	done   chan putResult
}

type putResult struct {
	fresh bool
	err   error
}

// maxGroup bounds how many intents share one commit.
const maxGroup = 256

// Put returns when the intent is on disk. It is not fresh, and nothing is stored, when its
// delivery is done or waits already; one that was given up is taken up again.
func (q *Queue) Put(ctx context.Context, in Intent) (fresh bool, err error) {
	p := put{ctx: ctx, intent: in, done: make(chan putResult, 1)}
	select {
	case q.puts <- p:
	case <-q.stopping:
		return false, ErrStopped
	case <-ctx.Done():
		return false, ctx.Err()
	}
	result := <-p.done
	return result.fresh, result.err
}

// commitPuts commits intents in groups: all that arrive while one commit reaches the disk share
// the next (design decision 2).
func (q *Queue) commitPuts() {
	for {
		var group []put
		select {
		case p := <-q.puts:
			group = append(group, p)
		case <-q.stopping:
			return
		}
	more:
		for len(group) < maxGroup {
			select {
			case p := <-q.puts:
				group = append(group, p)
			default:
				break more
			}
		}
		results, err := q.commit(group)
		for i, p := range group {
			if err != nil {
				results[i] = putResult{err: err}
			}
			p.done <- results[i]
		}
		if err == nil {
			q.wake(repositories(group, results)...)
		}
	}
}

const insertIntent = `
INSERT INTO intents (delivery, kind, installation, repository, full_name, pull_request, review, actor, at, received, not_before, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 'waiting')
ON CONFLICT (delivery) DO UPDATE SET state = 'waiting', attempts = 0, not_before = excluded.not_before, result = '', reason = ''
WHERE intents.state = 'gave-up'`

// commit stores a group in one transaction. A caller that has gone is skipped.
func (q *Queue) commit(group []put) ([]putResult, error) {
	ctx := context.Background()
	results := make([]putResult, len(group))
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return results, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	statement, err := tx.PrepareContext(ctx, insertIntent)
	if err != nil {
		return results, err
	}
	defer statement.Close()
	now := q.now()
	for i, p := range group {
		if p.ctx.Err() != nil {
			results[i].err = p.ctx.Err()
			continue
		}
		in := p.intent
		result, err := statement.ExecContext(ctx, in.Delivery, in.Kind, in.Installation, in.Repository, in.FullName,
			in.PullRequest, in.Review, in.Actor, in.At.UnixMilli(), now)
		if err != nil {
			return results, fmt.Errorf("store the intent of delivery %s: %w", in.Delivery, err)
		}
		rows, err := result.RowsAffected()
		if err != nil {
			return results, err
		}
		results[i].fresh = rows > 0
	}
	return results, tx.Commit()
}

func repositories(group []put, results []putResult) []int64 {
	var out []int64
	for i, p := range group {
		if results[i].fresh && !slices.Contains(out, p.intent.Repository) {
			out = append(out, p.intent.Repository)
		}
	}
	return out
}

// wake asks for a job for each repository, without waiting for it.
func (q *Queue) wake(repositories ...int64) {
	if len(repositories) == 0 {
		return
	}
	q.wakeMu.Lock()
	for _, repository := range repositories {
		q.toWake[repository] = struct{}{}
	}
	q.wakeMu.Unlock()
	select {
	case q.woken <- struct{}{}:
	default: // it is asked for already
	}
}
