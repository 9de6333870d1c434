package queue

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Sessions keeps what a server remembers of the people who are signed in, so that replicas and
// restarts know them. What it is given should be encrypted: a backup is read by others.
type Sessions struct{ q *Queue }

// Sessions returns those that share the queue's database.
func (q *Queue) Sessions() Sessions { return Sessions{q} }

// Put keeps content under id until it expires, and forgets what has.
func (s Sessions) Put(ctx context.Context, id string, content []byte, expires time.Time) error {
	return s.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires <= $1`, s.q.now()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, content, expires) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET content = excluded.content, expires = excluded.expires`, id, content, expires.UnixMilli())
		return err
	})
}

// Get returns what is kept under id; false where that is nothing, or has expired.
func (s Sessions) Get(ctx context.Context, id string) (content []byte, ok bool, err error) {
	err = s.q.reads.QueryRowContext(ctx, `SELECT content FROM sessions WHERE id = $1 AND expires > $2`, id, s.q.now()).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return content, err == nil, err
}

// Delete forgets what is kept under id.
func (s Sessions) Delete(ctx context.Context, id string) error {
	return s.q.exec(ctx, `DELETE FROM sessions WHERE id = $1`, id)
}
