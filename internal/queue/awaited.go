package queue

import (
	"context"
	"database/sql"
)

// sameHeads are the commits that are or were heads of the pull requests that the commit $3 is or was
// a head of, or that $4 names; not those that became it later.
const sameHeads = `(SELECT h.sha FROM check_heads h WHERE h.repository = $1 AND h.sha <> $3
	AND h.pull_request IN (SELECT CAST(value AS BIGINT) FROM {pulls} UNION SELECT pull_request FROM check_heads WHERE repository = $1 AND sha = $3)
	AND NOT EXISTS (SELECT 1 FROM check_heads k WHERE k.repository = $1 AND k.sha = $3 AND k.at < h.at))`

// Silent takes note of a check that neither failed nor passed: no lesson of its commit waits for it.
func (c Checks) Silent(ctx context.Context, k Check) error {
	if awaited, err := c.Awaited(ctx, k); err != nil || !awaited {
		return err
	}
	return c.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, c.q.dialect.Replace(`UPDATE check_failures SET silent = $3 WHERE repository = $1 AND name = $2 AND fixed = '' AND sha IN `+sameHeads),
			k.Repository, text(k.Name), k.SHA, k.pulls())
		return err
	})
}

// Awaited reports whether the check failed on an earlier commit of the pull request, so that the
// lesson of its commit waits for it. Most checks never failed, and wake nobody.
func (c Checks) Awaited(ctx context.Context, k Check) (bool, error) {
	return c.q.Index().exists(ctx, c.q.dialect.Replace(`SELECT 1 FROM check_failures WHERE repository = $1 AND name = $2 AND fixed IN ('', $3) AND sha IN `+sameHeads+` LIMIT 1`),
		k.Repository, text(k.Name), k.SHA, k.pulls())
}

// maxPending bounds the names that Pending returns.
const maxPending = 100

// Pending returns the names of the checks that failed on earlier commits of the pull request and
// have not concluded on the commit of k: they may not even have begun to run there.
func (c Checks) Pending(ctx context.Context, k Check) ([]string, error) {
	return c.texts(ctx, c.q.dialect.Replace(`SELECT DISTINCT name FROM check_failures f WHERE repository = $1 AND fixed = '' AND silent <> $3 AND sha IN `+sameHeads+`
	AND NOT EXISTS (SELECT 1 FROM check_failures again WHERE again.repository = $1 AND again.name = f.name AND again.sha = $3)
ORDER BY name LIMIT $2`), k.Repository, maxPending, k.SHA, k.pulls())
}

// Unlearned returns the heads of a pull request that fixed what is not learned yet.
func (c Checks) Unlearned(ctx context.Context, repo int64, pull int) ([]string, error) {
	return c.texts(ctx, `SELECT DISTINCT fixed FROM check_failures WHERE repository = $1 AND NOT learned AND fixed IN
	(SELECT sha FROM check_heads WHERE repository = $1 AND pull_request = $2) ORDER BY fixed`, repo, pull)
}

func (c Checks) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := c.q.reads.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}
