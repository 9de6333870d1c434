package queue

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Claim reports whether it is the caller's turn to do a task that is done once in a period, whichever
// replica comes first, and takes the turn.
func (q *Queue) Claim(ctx context.Context, task string, period time.Duration) (bool, error) {
	var turn bool
	now := q.now()
	err := q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO claims (task, at) VALUES ($1, $2)
ON CONFLICT (task) DO UPDATE SET at = excluded.at WHERE claims.at <= $3`, task, now, now-period.Milliseconds())
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		turn = rows > 0
		return err
	})
	return turn, err
}

// AskedFor returns the attempt for which a delivery's redelivery was last asked; 0 for none.
func (x Index) AskedFor(ctx context.Context, delivery string) (attempt int64, err error) {
	err = x.q.reads.QueryRowContext(ctx, `SELECT attempt FROM redeliveries WHERE delivery = $1`, delivery).Scan(&attempt)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return attempt, err
}

// SetAskedFor records that a redelivery was asked for after an attempt failed.
func (x Index) SetAskedFor(ctx context.Context, delivery string, attempt int64) error {
	return x.q.exec(ctx, `INSERT INTO redeliveries (delivery, attempt, at) VALUES ($1, $2, $3)
ON CONFLICT (delivery) DO UPDATE SET attempt = excluded.attempt, at = excluded.at`, text(delivery), attempt, x.q.now())
}

// WroteAt returns when the repository's lessons were last written; the zero time for never.
func (x Index) WroteAt(ctx context.Context, repo int64) (time.Time, error) {
	return x.moment(ctx, `SELECT wrote_at FROM repositories WHERE repository = $1`, repo)
}

// SetWroteAt records when they were.
func (x Index) SetWroteAt(ctx context.Context, repo int64, at time.Time) error {
	return x.q.exec(ctx, `INSERT INTO repositories (repository, wrote_at) VALUES ($1, $2)
ON CONFLICT (repository) DO UPDATE SET wrote_at = excluded.wrote_at`, repo, at.UnixMilli())
}

// LookedAt returns when a repository's pull requests were last looked through; the zero time for
// never.
func (x Index) LookedAt(ctx context.Context, repo int64) (time.Time, error) {
	return x.moment(ctx, `SELECT looked_at FROM repositories WHERE repository = $1`, repo)
}

func (x Index) moment(ctx context.Context, query string, repo int64) (time.Time, error) {
	var at int64
	err := x.q.reads.QueryRowContext(ctx, query, repo).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) || err == nil && at == 0 {
		return time.Time{}, nil
	}
	return time.UnixMilli(at).UTC(), err
}

// SetLookedAt records when they were.
func (x Index) SetLookedAt(ctx context.Context, repo int64, at time.Time) error {
	return x.q.exec(ctx, `INSERT INTO repositories (repository, looked_at) VALUES ($1, $2)
ON CONFLICT (repository) DO UPDATE SET looked_at = excluded.looked_at`, repo, at.UnixMilli())
}
