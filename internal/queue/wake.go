package queue

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

const (
	lookEvery  = 5 * time.Second        // for what nobody wakes the queue for: see dueRepositories
	insertWait = 200 * time.Millisecond // before jobs that could not be made are tried again
	pruneEvery = time.Hour
	pruneStep  = 1000 // rows

	// How long deliveries are remembered: done ones as the issue says, given up ones for longer,
	// since a person may want to retry them.
	rememberDone   = 30 * 24 * time.Hour
	rememberGaveUp = 90 * 24 * time.Hour
)

// wake asks for a job for each repository, and does not wait for it. One that is drained here
// needs none: its drain looks again when it has ended.
func (q *Queue) wake(repositories ...int64) {
	q.mu.Lock()
	for _, repository := range repositories {
		if !q.running[repository] {
			q.woken[repository] = true
		}
	}
	asked := len(q.woken) > 0
	q.mu.Unlock()
	if asked {
		select {
		case q.wakeup <- struct{}{}:
		default: // it is signalled already
		}
	}
}

// wakeAfter wakes a repository when wait has passed. A look does the same should the process end
// before.
func (q *Queue) wakeAfter(wait time.Duration, repository int64) {
	time.AfterFunc(wait, func() { q.wake(repository) })
}

// setRunning records whether this process drains the repository.
func (q *Queue) setRunning(repository int64, running bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if running {
		q.running[repository] = true
		delete(q.woken, repository)
	} else {
		delete(q.running, repository)
	}
}

// makeJobs makes a River job for each repository that was woken or is found by a look, until
// the queue stops. A failure only delays.
func (q *Queue) makeJobs() {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	prune := time.NewTicker(pruneEvery)
	defer prune.Stop()
	q.look()
	q.prune()
	for {
		select {
		case <-q.stopping:
			return
		case <-q.wakeup:
			q.insertJobs()
			time.Sleep(fetchCooldown) // River fetches no sooner: what is woken meanwhile shares the next insert
		case <-look.C:
			q.look()
		case <-prune.C:
			q.prune()
		}
	}
}

func (q *Queue) insertJobs() {
	q.mu.Lock()
	repositories := make([]int64, 0, len(q.woken))
	for repository := range q.woken {
		repositories = append(repositories, repository)
	}
	clear(q.woken)
	q.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), commitTime)
	defer cancel()
	for chunk := range slices.Chunk(repositories, maxGroup) {
		if err := q.jobs.insert(ctx, chunk); err != nil {
			q.log.Error("jobs cannot be made; trying again", "error", err)
			time.AfterFunc(insertWait, func() { q.wake(chunk...) })
		}
	}
}

// look wakes the repositories that have something to do: what was left from before the start,
// what a replica left that has gone, and retries whose timer was lost.
func (q *Queue) look() {
	ctx, cancel := context.WithTimeout(context.Background(), commitTime)
	defer cancel()
	if err := q.jobs.bury(ctx); err != nil {
		q.log.Error("the jobs of replicas that have gone cannot be found; trying again", "error", err)
	}
	if err := q.countWaiting(ctx); err != nil {
		q.log.Error("what waits cannot be counted; trying again", "error", err)
	}
	due, err := q.dueRepositories(ctx)
	if err != nil {
		q.log.Error("the queue cannot be read; trying again", "error", err)
	}
	q.wake(due...)
}

func (q *Queue) dueRepositories(ctx context.Context) ([]int64, error) {
	rows, err := q.reads.QueryContext(ctx, `SELECT DISTINCT repository FROM intents WHERE state = 'waiting' AND not_before <= $1`, q.now())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var due []int64
	for rows.Next() {
		var repository int64
		if err := rows.Scan(&repository); err != nil {
			return nil, err
		}
		due = append(due, repository)
	}
	return due, rows.Err()
}

// prune forgets what is old: deliveries, what sources were distilled to, and failed checks. It deletes a little
// at a time, since intents wait for it.
func (q *Queue) prune() {
	now := q.config.Now()
	for _, old := range []struct {
		statement string
		before    time.Time
	}{
		{`DELETE FROM intents WHERE id IN (SELECT id FROM intents WHERE state = 'done' AND finished < $1 LIMIT $2)`, now.Add(-rememberDone)},
		{`DELETE FROM intents WHERE id IN (SELECT id FROM intents WHERE state = 'gave-up' AND finished < $1 LIMIT $2)`, now.Add(-rememberGaveUp)},
		{`DELETE FROM redeliveries WHERE delivery IN (SELECT delivery FROM redeliveries WHERE at < $1 LIMIT $2)`, now.Add(-rememberDone)},
		{`DELETE FROM distilled WHERE (repository, source) IN (SELECT repository, source FROM distilled WHERE at < $1 LIMIT $2)`, now.Add(-rememberDone)},
		{`DELETE FROM check_failures WHERE (repository, name, sha) IN (SELECT repository, name, sha FROM check_failures WHERE at < $1 LIMIT $2)`, now.Add(-rememberChecks)},
		{`DELETE FROM check_heads WHERE (repository, sha, pull_request) IN (SELECT repository, sha, pull_request FROM check_heads WHERE at < $1 LIMIT $2)`, now.Add(-rememberChecks)},
	} {
		for deleted := int64(pruneStep); deleted == pruneStep; {
			err := q.change(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
				result, err := tx.ExecContext(ctx, old.statement, old.before.UnixMilli(), pruneStep)
				if err != nil {
					return err
				}
				deleted, err = result.RowsAffected()
				return err
			})
			if errors.Is(err, ErrStopped) {
				return
			}
			if err != nil {
				q.log.Error("what is old cannot be forgotten; trying again in an hour", "error", err)
				return
			}
		}
	}
}
