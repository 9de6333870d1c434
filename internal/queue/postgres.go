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

var errBadDatabaseURL = errors.New("DATABASE_URL is not an address like postgres://user:password@host/database")

// openPostgres opens a database that any number of replicas may share (design decision 14).
func (q *Queue) openPostgres(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(q.config.DatabaseURL)
	if err != nil { // which may quote the password
		return errBadDatabaseURL
	}
	config.MaxConns = max(config.MaxConns, int32(q.config.Workers)) //nolint:gosec // a few
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("the database that DATABASE_URL names: %w", err)
	}
	q.dialect = dialectPostgres
	q.db = stdlib.OpenDBFromPool(pool)
	q.reads = q.db
	here := &presence{config: config.ConnConfig, log: q.log}
	q.close = func() error {
		here.leave()
		err := q.db.Close()
		pool.Close()
		return err
	}
	if err := q.preparePostgres(ctx, pool, here); err != nil {
		return errors.Join(fmt.Errorf("the database that DATABASE_URL names: %w", err), q.close())
	}
	return nil
}

func (q *Queue) preparePostgres(ctx context.Context, pool *pgxpool.Pool, here *presence) error {
	connection, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer connection.Release()
	if _, err := connection.Exec(ctx, `SELECT pg_advisory_lock($1)`, migrationLock); err != nil {
		return err
	}
	defer connection.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, migrationLock) //nolint:errcheck // the connection's end unlocks too
	err = q.migrate(ctx, `SELECT COUNT(*) FILTER (WHERE table_name = 'agent_lessons'), COUNT(*) FILTER (WHERE table_name IN ('intents', 'repositories', 'sources', 'distilled', 'spending'))
FROM information_schema.tables WHERE table_schema = current_schema()`)
	if err != nil {
		return err
	}
	if err := here.enter(ctx); err != nil {
		return err
	}
	q.jobs, err = newRiver(ctx, q, riverpgxv5.New(pool), here.name(),
		func(ctx context.Context, do func(pgx.Tx) error) error { return pgx.BeginFunc(ctx, pool, do) },
		here.bury)
	return err
}
