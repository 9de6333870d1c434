package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// rememberChecks is how long a failed check waits for its fix (issue 4).
const rememberChecks = 30 * 24 * time.Hour

// Checks remembers which checks failed on which commits, and whose heads those are, in the queue's
// database: so that of the many events of checks those that cannot teach cost no request. What it
// forgets is a lesson that is not learned, nothing else.
type Checks struct{ q *Queue }

// Checks returns what is remembered of checks.
func (q *Queue) Checks() Checks { return Checks{q} }

// Check is a check that concluded on a commit.
type Check struct {
	Repository int64
	Name       string // with what it belongs to: "github-actions/lint"
	SHA        string
	Branch     string // "" where the event names none, as for forks
	Pulls      []int  // pull requests that the event names; none for forks
}

// pulls are the pull requests as statements take them.
func (k Check) pulls() string {
	data, _ := json.Marshal(append([]int{}, k.Pulls...)) // numbers
	return string(data)
}

// Head remembers that the commits are or were heads of a pull request.
func (c Checks) Head(ctx context.Context, repo int64, pull int, shas ...string) error {
	return c.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error { return c.head(ctx, tx, repo, pull, shas...) })
}

func (c Checks) head(ctx context.Context, tx *sql.Tx, repo int64, pull int, shas ...string) error {
	for _, sha := range shas {
		if _, err := tx.ExecContext(ctx, `INSERT INTO check_heads (repository, sha, pull_request, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			repo, sha, pull, c.q.now()); err != nil {
			return err
		}
	}
	return nil
}

// Failed remembers a check that failed.
func (c Checks) Failed(ctx context.Context, k Check) error {
	return c.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, pull := range k.Pulls {
			if err := c.head(ctx, tx, k.Repository, pull, k.SHA); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO check_failures (repository, name, sha, branch, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
			k.Repository, text(k.Name), k.SHA, text(k.Branch), c.q.now())
		return err
	})
}

// fixed finds the failures of a check that its success on another commit may have fixed. Both
// commits belong to one pull request; where neither is known to belong to any, as those of forks
// that were opened unseen, not to different branches.
const fixed = `
SELECT DISTINCT f.sha, COALESCE(h.pull_request, 0) FROM check_failures f
LEFT JOIN check_heads h ON h.repository = f.repository AND h.sha = f.sha
WHERE f.repository = $1 AND f.name = $2 AND f.sha <> $3 AND f.fixed = '' AND (
	h.pull_request IN (SELECT CAST(value AS BIGINT) FROM {pulls} UNION SELECT pull_request FROM check_heads WHERE repository = $1 AND sha = $3)
	OR (h.pull_request IS NULL AND CAST($4 AS TEXT) = '[]' AND (f.branch = '' OR $5 = '' OR f.branch = $5)
		AND NOT EXISTS (SELECT 1 FROM check_heads WHERE repository = $1 AND sha = $3)))
ORDER BY 2 LIMIT 100`

// Passed takes note of a check that passed. It reports whether that fixes what failed on another
// commit, and of which pull request, 0 where that is not known. Each failure is fixed once, and
// each commit learned from once: what passes on it after Learned does not count.
func (c Checks) Passed(ctx context.Context, k Check) (pull int, fixes bool, err error) {
	rows, err := c.q.reads.QueryContext(ctx, c.q.dialect.Replace(fixed), k.Repository, text(k.Name), k.SHA, k.pulls(), text(k.Branch))
	if err != nil {
		return 0, false, err
	}
	defer rows.Close()
	var shas []string
	for rows.Next() {
		var sha string
		if err := rows.Scan(&sha, &pull); err != nil {
			return 0, false, err
		}
		shas = append(shas, sha)
	}
	if err := rows.Err(); err != nil || len(shas) == 0 {
		return 0, false, err
	}
	learned, err := c.q.Index().exists(ctx, `SELECT 1 FROM check_failures WHERE repository = $1 AND fixed = $2 AND learned LIMIT 1`, k.Repository, k.SHA)
	if err != nil {
		return 0, false, err
	}
	return pull, !learned, c.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if pull != 0 {
			if err := c.head(ctx, tx, k.Repository, pull, k.SHA); err != nil {
				return err
			}
		}
		for _, sha := range shas {
			if _, err := tx.ExecContext(ctx, `UPDATE check_failures SET fixed = $1, learned = $2 WHERE repository = $3 AND name = $4 AND sha = $5 AND fixed = ''`,
				k.SHA, learned, k.Repository, text(k.Name), sha); err != nil {
				return err
			}
		}
		return nil
	})
}

// Fixing reports whether a check that passed on the commit fixed one, and the commit's lesson is
// still to be learned.
func (c Checks) Fixing(ctx context.Context, repo int64, sha string) (bool, error) {
	return c.q.Index().exists(ctx, `SELECT 1 FROM check_failures WHERE repository = $1 AND fixed = $2 AND NOT learned LIMIT 1`, repo, sha)
}

// IsHead reports whether the commit is or was a pull request's head.
func (c Checks) IsHead(ctx context.Context, repo int64, sha string) (bool, error) {
	return c.q.Index().exists(ctx, `SELECT 1 FROM check_heads WHERE repository = $1 AND sha = $2 LIMIT 1`, repo, sha)
}

// Failures returns the commits on which checks failed that the commit may have fixed, with those
// of the pull request's other failures; heads are those that are or were the pull request's head.
func (c Checks) Failures(ctx context.Context, repo int64, pull int, sha string) (failed, heads []string, err error) {
	rows, err := c.q.reads.QueryContext(ctx, `SELECT f.sha, h.sha IS NOT NULL FROM check_failures f
LEFT JOIN check_heads h ON h.repository = f.repository AND h.sha = f.sha AND h.pull_request = $3
WHERE f.repository = $1 AND f.sha <> $2 AND (f.fixed = $2 OR h.sha IS NOT NULL)
GROUP BY f.sha, h.sha ORDER BY MIN(f.at), f.sha`, repo, sha, pull)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			at     string
			isHead bool
		)
		if err := rows.Scan(&at, &isHead); err != nil {
			return nil, nil, err
		}
		failed = append(failed, at)
		if isHead {
			heads = append(heads, at)
		}
	}
	return failed, heads, rows.Err()
}

// Learned says that nothing is to be learned any more from what passed on the commit.
func (c Checks) Learned(ctx context.Context, repo int64, sha string) error {
	return c.q.exec(ctx, `UPDATE check_failures SET learned = TRUE WHERE repository = $1 AND fixed = $2`, repo, sha)
}

// Closed forgets what failed on a pull request.
func (c Checks) Closed(ctx context.Context, repo int64, pull int) error {
	return c.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range []string{
			`DELETE FROM check_failures WHERE repository = $1 AND (sha IN (SELECT sha FROM check_heads WHERE repository = $1 AND pull_request = $2)
	OR fixed IN (SELECT sha FROM check_heads WHERE repository = $1 AND pull_request = $2))`,
			`DELETE FROM check_heads WHERE repository = $1 AND pull_request = $2`,
		} {
			if _, err := tx.ExecContext(ctx, statement, repo, pull); err != nil {
				return err
			}
		}
		return nil
	})
}
