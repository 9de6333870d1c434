package queue

import (
	"context"
	"database/sql"
)

// Spend counts one paid use of a model for owner in a month ("2026-11"), and reports whether it
// was within limit. What is not within is not counted (issue 5: a monthly budget per owner).
func (x Index) Spend(ctx context.Context, owner, month string, limit int) (within bool, err error) {
	err = x.q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO spending (owner, month, used) SELECT $1, $2, 1 WHERE $3 > 0
ON CONFLICT (owner, month) DO UPDATE SET used = spending.used + 1 WHERE spending.used < $3`, owner, month, limit)
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		within = rows > 0
		return err
	})
	return within, err
}
