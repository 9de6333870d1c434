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

// change applies an edit of the files under the store's lock, then derives anew what is derived.
// Records need no lock, since no two have one name; what is derived from all of them does.
func (s Store) change(ctx context.Context, edit func(*os.Root, *files) error) error {
	if err := os.MkdirAll(filepath.Join(s.Dir, metaDir), 0o700); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(s.Dir, filepath.FromSlash(lockFile)))
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return fmt.Errorf("%s: waiting for another agent-lessons: %w", lock.Path(), err)
	}
	defer lock.Close()
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := read(root)
	if err != nil {
		return err
	}
	if err := edit(root, &f); err != nil {
		return err
	}
	for _, r := range f.records {
		if _, deleted := f.deleted[r.ID]; deleted { // a merge may have brought it back
			if err := root.Remove(filepath.FromSlash(r.path())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return s.derive(root)
}

// derive writes index, statistics and the recall index from the records.
func (s Store) derive(root *os.Root) error {
	stamp := stampOf(root) // before reading: what comes later makes it differ
	f, err := read(root)
	if err != nil {
		return err
	}
	set := f.live()
	for name, v := range map[string]any{indexFile: set.index(), statsFile: set.Stats()} {
		src, err := pretty(v)
		if err != nil {
			return err
		}
		if err := writeIfChanged(root, name, src); err != nil {
			return err
		}
	}
	_ = s.writeRecall(set, stamp) // all is written that others read: recall, which needs it, says what is wrong
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
