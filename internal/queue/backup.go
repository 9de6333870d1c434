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
)

// DatabaseFile is where the embedded database of a data folder is, absolute. It returns an error
// when there is none.
func DatabaseFile(dataDir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dataDir, DatabaseName))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist: name the data folder of an installation", path)
	} else if err != nil {
		return "", err
	}
	return path, nil
}

// Backup copies the embedded database of a data folder into a new file, as it is at one moment. The
// App may run: it is one more reader, which SQLite's log lets in beside the writer. It returns an
// error, and leaves no file, when the file is there already or the copy is not sound.
func Backup(ctx context.Context, dataDir, file string) (err error) {
	path, err := DatabaseFile(dataDir)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already: name a new file", file)
	}
	partial, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".partial-") // for its owner alone
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, partial.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(partial.Name()))
		}
	}()
	source := readOnly(path)
	defer source.Close()
	if _, err := source.ExecContext(ctx, `VACUUM INTO $1`, partial.Name()); err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}
	copied := readOnly(partial.Name())
	defer copied.Close()
	var verdict string
	if err := copied.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil || verdict != "ok" {
		return errors.Join(fmt.Errorf("the copy of %s is not sound: %s", path, verdict), err)
	}
	if err := partial.Sync(); err != nil {
		return err
	}
	return os.Rename(partial.Name(), file)
}

// readOnly opens a database that others may be using.
func readOnly(path string) *sql.DB {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil { // the driver is linked in, and opens nothing yet
		panic(err)
	}
	return db
}
