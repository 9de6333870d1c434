package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the pure Go driver
)

// databaseName is the embedded database's file in the data folder.
const databaseName = "agent-lessons.db"

// An acknowledged intent must survive a power loss: each commit is flushed (synchronous=FULL).
// foreign_keys is what River expects.
const sqliteOptions = "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_txlock=immediate"

// openSQLite opens the embedded database. A lock beside it keeps it to one process.
func (q *Queue) openSQLite(ctx context.Context) error {
	if err := os.MkdirAll(q.config.DataDir, 0o700); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(q.config.DataDir, databaseName))
	if err != nil {
		return err
	}
	lock := flock.New(path + ".lock")
	switch held, err := lock.TryLock(); {
	case err != nil:
		return fmt.Errorf("lock %s: %w", path, err)
	case !held:
		return fmt.Errorf("%s is in use by another process: stop it, name another folder, or let several share a Postgres by DATABASE_URL", path)
	}
	q.db, err = sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+sqliteOptions)
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	q.db.SetMaxOpenConns(1) // SQLite has one writer: a second connection would wait for it, by polling
	q.close = func() error { return errors.Join(q.db.Close(), lock.Unlock()) }
	if err := q.prepareSQLite(ctx); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), q.close())
	}
	return nil
}

func (q *Queue) prepareSQLite(ctx context.Context) error {
	var verdict string
	err := q.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict)
	if err != nil {
		verdict = err.Error()
	}
	if verdict != "ok" {
		return fmt.Errorf("the database is damaged or none (%s): restore a backup, or move it aside: what was learned is in the repositories' commits", verdict)
	}
	err = q.migrate(ctx, `SELECT COUNT(*) FILTER (WHERE name = 'agent_lessons'), COUNT(*) FROM sqlite_schema WHERE type = 'table'`,
		strings.NewReplacer("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{blob}", "BLOB"))
	if err != nil {
		return err
	}
	q.jobs, err = newRiver(ctx, q, riversqlite.New(q.db), q.inTx)
	if err != nil {
		return err
	}
	// Nobody else runs on this database: jobs that a crash left are dead, and River would take
	// minutes to see it. Their intents are there, and a look makes new jobs.
	return q.exec(ctx, `DELETE FROM river_job WHERE finalized_at IS NULL`)
}
