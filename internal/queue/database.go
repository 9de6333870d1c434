package queue

import (
	"context"
	"database/sql"
)

// now is the time as the tables hold it.
func (q *Queue) now() int64 { return q.config.Now().UnixMilli() }

func (q *Queue) exec(ctx context.Context, statement string, args ...any) error {
	_, err := q.db.ExecContext(ctx, statement, args...)
	return err
}

// inTx commits what do did when it returns no error.
func (q *Queue) inTx(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
