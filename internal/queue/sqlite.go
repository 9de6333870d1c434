package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the pure Go driver
)

const (
	// DatabaseName is the embedded database in its data folder.
	DatabaseName = "agent-lessons.db"
	// River's jobs say only where to look. They are kept in a file of their own, whose commits never
	// wait for the disk, and which is made anew at each start: jobs that a crash left are dead, and a
	// look makes new ones from the intents.
	jobsName = "agent-lessons-jobs.db"
	// A database is checked whole before it is used, if that takes less than about half a second.
	maxChecked = 64 << 20
)

// openSQLite opens the embedded database. A lock beside it keeps it to one process.
func (q *Queue) openSQLite(ctx context.Context) error {
	const unwritable = "name a data folder that this user may write to: %w"
	if err := os.MkdirAll(q.config.DataDir, 0o700); err != nil {
		return fmt.Errorf(unwritable, err)
	}
	path, err := filepath.Abs(filepath.Join(q.config.DataDir, DatabaseName))
	if err != nil {
		return err
	}
	lock := flock.New(path + ".lock")
	switch held, err := lock.TryLock(); {
	case err != nil:
		return fmt.Errorf(unwritable, err)
	case !held:
		return fmt.Errorf("%s is in use by another process: stop it, name another folder, or let several share a Postgres by DATABASE_URL", path)
	}
	// SQLite would open what is read-only, and would let others read what it makes.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return errors.Join(fmt.Errorf(unwritable, err), lock.Unlock())
	}
	if err := file.Close(); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	jobsPath := filepath.Join(filepath.Dir(path), jobsName)
	// An acknowledged intent must survive a power loss: each commit is flushed (synchronous=FULL).
	// SQLite has one writer: more connections would wait for it, by polling.
	q.dialect = dialectSQLite
	q.db = sqlite(path, 1, "_pragma=synchronous(FULL)")
	q.reads = sqlite(path, 4, "_pragma=query_only(1)")
	jobs := sqlite(jobsPath, 1, "_pragma=synchronous(OFF)")
	q.close = func() error { return errors.Join(q.reads.Close(), jobs.Close(), q.db.Close(), lock.Unlock()) }
	if err := q.prepareSQLite(ctx, path); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), q.close())
	}
	if err := q.prepareJobs(ctx, jobs, jobsPath); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", jobsPath, err), q.close())
	}
	return nil
}

// sqlite returns a pool that is opened when it is first used.
func sqlite(path string, connections int, option string) *sql.DB {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_txlock=immediate&"+option)
	if err != nil { // the driver is linked in, and opens nothing yet
		panic(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

func (q *Queue) prepareSQLite(ctx context.Context, path string) error {
	verdict := "ok"
	if file, err := os.Stat(path); err == nil && file.Size() <= maxChecked {
		if err := q.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
			verdict = err.Error()
		}
	}
	if verdict != "ok" {
		return fmt.Errorf("the database is damaged or none (%s): restore a backup, or move it aside: what was learned is in the repositories' commits", verdict)
	}
	return q.migrate(ctx, `SELECT COUNT(*) FILTER (WHERE name = 'agent_lessons'), COUNT(*) FROM sqlite_schema WHERE type = 'table'`)
}

func (q *Queue) prepareJobs(ctx context.Context, db *sql.DB, path string) (err error) {
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	q.jobs, err = newRiver(ctx, q, riversqlite.New(db), "", // any id: there is one client
		func(ctx context.Context, do func(*sql.Tx) error) error { return inTx(ctx, db, do) },
		func(context.Context) error { return nil })
	return err
}
