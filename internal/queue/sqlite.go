package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the pure Go driver
)

// databaseName is the embedded database's file in the data folder.
const databaseName = "agent-lessons.db"

// alone is River's SQLite driver for a database that one process uses. Its notifications are a
// table, polled by all; without them an insert tells River's own fetcher directly, at once.
type alone struct{ *riversqlite.Driver }

// SupportsListener says that there is nobody to hear from.
func (alone) SupportsListener() bool { return false }

// SupportsListenNotify says that there is nobody to tell.
func (alone) SupportsListenNotify() bool { return false }

// openSQLite opens the embedded database. An acknowledged intent must survive a power loss, so
// each commit reaches the disk (synchronous=FULL).
func (q *Queue) openSQLite(ctx context.Context) error {
	if err := os.MkdirAll(q.config.DataDir, 0o700); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	path := filepath.Join(q.config.DataDir, databaseName)
	lock := flock.New(path + ".lock")
	switch held, err := lock.TryLock(); {
	case err != nil:
		return fmt.Errorf("lock %s: %w", path, err)
	case !held:
		return fmt.Errorf("%s is in use by another process: stop it, name another folder, or share a Postgres by DATABASE_URL", path)
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; a second connection would only wait for it
	q.db = db
	q.close = func() error { return errors.Join(db.Close(), lock.Unlock()) }
	if err := q.prepareSQLite(ctx, path); err != nil {
		return errors.Join(err, q.close())
	}
	return nil
}

func (q *Queue) prepareSQLite(ctx context.Context, path string) error {
	var verdict string
	if err := q.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil || verdict != "ok" {
		return fmt.Errorf("%s is damaged (%s%s): restore a backup, or move it aside: what was learned is in the repositories' commits", path, verdict, message(err))
	}
	if err := migrate(ctx, q.db, schema("INTEGER PRIMARY KEY AUTOINCREMENT", "BLOB")); err != nil {
		return err
	}
	jobs, err := newRiver(ctx, q, alone{riversqlite.New(q.db)}, func(ctx context.Context) (*sql.Tx, func() error, error) {
		tx, err := q.db.BeginTx(ctx, nil)
		return tx, func() error { return tx.Commit() }, err
	})
	if err != nil {
		return fmt.Errorf("prepare the job queue: %w", err)
	}
	q.jobs = jobs
	// Nobody else runs on this database: jobs that a crash left are dead, and River would take a
	// quarter of an hour to see it. Their intents are still there.
	_, err = q.db.ExecContext(ctx, `DELETE FROM river_job WHERE kind = $1`, drainArgs{}.Kind())
	return err
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
