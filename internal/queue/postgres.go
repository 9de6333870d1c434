package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// migrationLock keeps replicas that start together from migrating at once.
const migrationLock = 0x6c6573736f6e73 // "lessons"

// openPostgres opens a database that any number of replicas may share (design decision 14).
func (q *Queue) openPostgres(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, q.config.DatabaseURL)
	if err != nil {
		return errors.New("DATABASE_URL is not an address like postgres://user:password@host/database") // the error may quote the password
	}
	q.db = stdlib.OpenDBFromPool(pool)
	q.close = func() error {
		err := q.db.Close()
		pool.Close()
		return err
	}
	if err := q.preparePostgres(ctx, pool); err != nil {
		return errors.Join(err, q.close())
	}
	return nil
}

func (q *Queue) preparePostgres(ctx context.Context, pool *pgxpool.Pool) error {
	connection, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database that DATABASE_URL names: %w", err)
	}
	defer connection.Release()
	if _, err := connection.Exec(ctx, `SELECT pg_advisory_lock($1)`, migrationLock); err != nil {
		return err
	}
	defer connection.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, migrationLock) //nolint:errcheck // the connection's end unlocks too
	if err := migrate(ctx, q.db, schema("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA")); err != nil {
		return err
	}
	jobs, err := newRiver(ctx, q, riverpgxv5.New(pool), func(ctx context.Context) (pgx.Tx, func() error, error) {
		tx, err := pool.Begin(ctx)
		return tx, func() error { return tx.Commit(ctx) }, err
	})
	q.jobs = jobs
	return err
}
