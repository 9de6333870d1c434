package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Index remembers per repository which sources were learned, in the queue's database. The
// commits are the truth behind it: it can be lost and rebuilt (design decision 4).
type Index struct{ q *Queue }

// Index returns the index that shares the queue's database.
func (q *Queue) Index() Index { return Index{q} }

// Known reports whether the repository's commits were ever read into the index.
func (x Index) Known(ctx context.Context, repo int64) (bool, error) {
	return x.exists(ctx, `SELECT 1 FROM repositories WHERE repository = $1 AND known`, repo)
}

// Rebuilt adds the sources that the repository's commits name, and makes it known.
func (x Index) Rebuilt(ctx context.Context, repo int64, sources []string) error {
	return x.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, source := range sources {
			if _, err := tx.ExecContext(ctx, learned, repo, source); err != nil {
				return fmt.Errorf("rebuild the index of repository %d: %w", repo, err)
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO repositories (repository, known) VALUES ($1, TRUE)
ON CONFLICT (repository) DO UPDATE SET known = TRUE`, repo)
		return err
	})
}

const learned = `INSERT INTO sources (repository, source, state) VALUES ($1, $2, 'done')
ON CONFLICT (repository, source) DO UPDATE SET state = excluded.state`

// Proposes reports whether the repository's lessons go through a pull request.
func (x Index) Proposes(ctx context.Context, repo int64) (bool, error) {
	return x.exists(ctx, `SELECT 1 FROM repositories WHERE repository = $1 AND proposes`, repo)
}

// SetProposes records whether they do.
func (x Index) SetProposes(ctx context.Context, repo int64, proposes bool) error {
	return x.q.exec(ctx, `INSERT INTO repositories (repository, proposes) VALUES ($1, $2)
ON CONFLICT (repository) DO UPDATE SET proposes = excluded.proposes`, repo, proposes)
}

// Has reports whether the source was learned.
func (x Index) Has(ctx context.Context, repo int64, source string) (bool, error) {
	return x.exists(ctx, `SELECT 1 FROM sources WHERE repository = $1 AND source = $2 AND state = 'done'`, repo, source)
}

// Unsure reports whether a write for the source was begun and its end never recorded.
func (x Index) Unsure(ctx context.Context, repo int64, source string) (bool, error) {
	return x.exists(ctx, `SELECT 1 FROM sources WHERE repository = $1 AND source = $2 AND state = 'began'`, repo, source)
}

// Began records that a write for the source is about to be tried. What is done stays done.
func (x Index) Began(ctx context.Context, repo int64, source string) error {
	return x.q.exec(ctx, `INSERT INTO sources (repository, source, state) VALUES ($1, $2, 'began') ON CONFLICT DO NOTHING`, repo, source)
}

// Done records that the source was learned.
func (x Index) Done(ctx context.Context, repo int64, source string) error {
	return x.q.exec(ctx, learned, repo, source)
}

// Distilled returns what KeepDistilled kept for the source.
func (x Index) Distilled(ctx context.Context, repo int64, source string) (result []byte, ok bool, err error) {
	err = x.q.reads.QueryRowContext(ctx, `SELECT result FROM distilled WHERE repository = $1 AND source = $2`, repo, source).Scan(&result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return result, err == nil, err
}

// KeepDistilled keeps what a source was distilled to, so that a retry does not distil again.
func (x Index) KeepDistilled(ctx context.Context, repo int64, source string, result []byte) error {
	return x.q.exec(ctx, `INSERT INTO distilled (repository, source, result, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (repository, source) DO UPDATE SET result = excluded.result, at = excluded.at`, repo, source, result, x.q.now())
}

func (x Index) exists(ctx context.Context, query string, args ...any) (bool, error) {
	var one int
	err := x.q.reads.QueryRowContext(ctx, query, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
