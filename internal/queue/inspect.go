package queue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Place names the database for people, without a password.
func (c Config) Place() string {
	if c.DatabaseURL == "" {
		return filepath.Join(c.DataDir, DatabaseName)
	}
	if u, err := url.Parse(c.DatabaseURL); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host + u.EscapedPath()
	}
	return "DATABASE_URL"
}

// ErrNoDatabase is what Inspect returns where none was made yet.
var ErrNoDatabase = errors.New("there is no database yet")

// Inspect checks a database and counts what waits in it. It changes nothing, takes no lock, and so
// may look while a server uses the database.
func Inspect(ctx context.Context, config Config) (Backlog, error) {
	q := &Queue{config: config.withDefaults()}
	if config.DatabaseURL != "" {
		return q.inspectPostgres(ctx)
	}
	path, err := filepath.Abs(filepath.Join(config.DataDir, DatabaseName))
	if err != nil {
		return Backlog{}, err
	}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return Backlog{}, ErrNoDatabase
	case err != nil:
		return Backlog{}, err
	}
	q.reads = readOnly(path)
	defer q.reads.Close()
	var verdict string
	if err := q.reads.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return Backlog{}, fmt.Errorf("it is damaged or none: %w", err)
	}
	if verdict != "ok" {
		return Backlog{}, fmt.Errorf("it is damaged: %s", verdict)
	}
	return q.inspect(ctx, `SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = 'agent_lessons'`)
}

func (q *Queue) inspectPostgres(ctx context.Context) (Backlog, error) {
	config, err := pgxpool.ParseConfig(q.config.DatabaseURL)
	if err != nil { // which may quote the password
		return Backlog{}, errBadDatabaseURL
	}
	q.reads = stdlib.OpenDB(*config.ConnConfig)
	defer q.reads.Close()
	return q.inspect(ctx, `SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'agent_lessons'`)
}

// inspect counts, where the tables are those of this program's version or an older one.
func (q *Queue) inspect(ctx context.Context, tables string) (Backlog, error) {
	var ours, version int
	if err := q.reads.QueryRowContext(ctx, tables).Scan(&ours); err != nil {
		return Backlog{}, err
	}
	if ours == 0 {
		return Backlog{}, ErrNoDatabase
	}
	if err := q.reads.QueryRowContext(ctx, `SELECT version FROM agent_lessons`).Scan(&version); err != nil {
		return Backlog{}, err
	}
	if version > len(migrations) {
		return Backlog{}, errNewer(version)
	}
	return q.Backlog(ctx)
}
