package findings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// lockPoll is how often a writer looks whether the lock is free.
const lockPoll = 10 * time.Millisecond

// state is what a store held at one moment.
type state struct {
	Set
	files files
	stamp string // of the folders
}

// look reads the store. Records in was, which may be nil, are not read again.
func (s Store) look(root *os.Root, was []Record) (state, error) {
	stamp := stampOf(root) // before reading: what comes later makes it differ
	f, err := s.read(root, was)
	return state{f.live(), f, stamp}, err
}

// change applies an edit of the files under the store's lock, removes the files that count no
// more, and derives anew what is derived. Records need no lock, since no two have one name; what
// is derived from all of them does.
func (s Store) change(ctx context.Context, edit func(*os.Root, *files) error) (state, error) {
	if err := os.MkdirAll(filepath.Join(s.Dir, metaDir), 0o700); err != nil {
		return state{}, err
	}
	lock, err := openLock(filepath.Join(s.Dir, filepath.FromSlash(lockFile)))
	if err != nil {
		return state{}, err
	}
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return state{}, fmt.Errorf("%s: waiting for another agent-lessons: %w", lock.Path(), err)
	}
	defer lock.Close()
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return state{}, err
	}
	defer root.Close()
	f, err := s.read(root, nil)
	if err != nil {
		return state{}, err
	}
	if err := edit(root, &f); err != nil {
		return state{}, err
	}
	for _, r := range f.dead() { // a merge may have brought it back
		if err := root.Remove(filepath.FromSlash(r.path())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return state{}, err
		}
	}
	now, err := s.look(root, f.records)
	if err != nil {
		return now, err
	}
	return now, derive(root, now.Set)
}

// openLock returns the lock of a file, which is made. A pipe in its place would be waited for.
func openLock(name string) (*flock.Flock, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is not a regular file", name)
	}
	return flock.New(name), nil
}

// derive writes index and statistics.
func derive(root *os.Root, set Set) error {
	for name, v := range map[string]any{indexFile: set.index(), statsFile: set.Stats()} {
		src, err := pretty(v)
		if err != nil {
			return err
		}
		if err := writeIfChanged(root, name, src); err != nil {
			return err
		}
	}
	return nil
}

// writeIfChanged spares git and the disk a file that is as it was.
func writeIfChanged(root *os.Root, name string, content []byte) error {
	if was, err := root.ReadFile(filepath.FromSlash(name)); err == nil && bytes.Equal(was, content) {
		return nil
	}
	return writeFile(root, name, content)
}

// writeFile puts content in place in one step: a crash leaves the old file or the new one, and a
// record's folder may be read at any moment.
func writeFile(root *os.Root, name string, content []byte) (err error) {
	dir := filepath.FromSlash(path.Dir(name))
	if err := root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp := filepath.Join(dir, ".new-"+uuid.NewString())
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(temp)
		}
	}()
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := root.Rename(temp, filepath.FromSlash(name)); err != nil {
		return err
	}
	if d, err := root.Open(dir); err == nil { // the name, too, is on disk; not every system can
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// stampOf tells the states of the store's folders apart, without reading a file in them.
func stampOf(root *os.Root) string {
	var b bytes.Buffer
	for _, dir := range []string{deletedDir, recordsDir} {
		entries, err := names(root, dir)
		if err != nil {
			return ""
		}
		if info, err := root.Stat(dir); err == nil {
			fmt.Fprintf(&b, "%s %d ", dir, info.ModTime().UnixNano())
		}
		if dir == deletedDir {
			continue
		}
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil && info.Mode()&fs.ModeDir != 0 {
				fmt.Fprintf(&b, "%s %d ", entry.Name(), info.ModTime().UnixNano())
			}
		}
	}
	return b.String()
}
