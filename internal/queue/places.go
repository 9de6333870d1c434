package queue

import (
	"context"
	"database/sql"
)

// Place is a repository as an event tells of it: which installation sees it, under which name.
type Place struct {
	Installation int64
	Repository   int64
	FullName     string
}

// Move has what waits for a repository be done where it is now, after it was renamed or
// transferred, and ends its wait.
func (q *Queue) Move(ctx context.Context, to Place) error {
	return q.release(ctx, `UPDATE intents SET installation = $1, full_name = $2, not_before = $3
WHERE state = 'waiting' AND repository = $4`, to.Installation, to.FullName, q.now(), to.Repository)
}

// Resume ends the wait of all repositories of an installation: its suspension is over, or it was
// granted what it lacked.
func (q *Queue) Resume(ctx context.Context, installation int64) error {
	return q.release(ctx, `UPDATE intents SET not_before = $1 WHERE state = 'waiting' AND installation = $2`, q.now(), installation)
}

// Drop gives up what waits for an installation, or for one of its repositories: the App may not
// touch them any more. Repository 0 is all of them.
func (q *Queue) Drop(ctx context.Context, installation, repository int64, why string) error {
	return q.exec(ctx, `UPDATE intents SET state = 'gave-up', result = 'failed', reason = $1, finished = $2
WHERE state = 'waiting' AND installation = $3 AND (CAST($4 AS BIGINT) = 0 OR repository = CAST($4 AS BIGINT))`, text(why), q.now(), installation, repository)
}

// release runs an update of waiting intents and lets their repositories wait no longer.
func (q *Queue) release(ctx context.Context, update string, args ...any) error {
	var due []int64
	err := q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		due = due[:0]
		rows, err := tx.QueryContext(ctx, update+" RETURNING repository", args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var repository int64
			if err := rows.Scan(&repository); err != nil {
				return err
			}
			due = append(due, repository)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, repository := range due {
			if _, err := tx.ExecContext(ctx, `UPDATE repositories SET held_until = 0 WHERE repository = $1`, repository); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		q.wake(due...)
	}
	return err
}
