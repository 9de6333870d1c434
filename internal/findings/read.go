package findings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// skew is how far the clocks of machines may differ.
const skew = 24 * time.Hour

// read reads all records and tombstones but the records in was: a record is never edited. The
// error is the file system's for the store as a whole.
func (s Store) read(root *os.Root, was []Record) (files, error) {
	f := files{deleted: map[string]tombstone{}}
	known := make(map[string]Record, len(was))
	for _, r := range was {
		known[r.path()] = r
	}
	deleted, err := names(root, deletedDir)
	if err != nil {
		return f, err
	}
	for _, entry := range deleted {
		id, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok || strings.HasPrefix(id, ".") {
			continue
		}
		name := deletedDir + "/" + entry.Name()
		t := tombstone{ID: id} // its name is enough
		src, err := readFile(root, name)
		if err == nil {
			err = json.Unmarshal(src, &t)
		}
		if err != nil || t.ID != id {
			t = tombstone{ID: id}
			f.unreadable = append(f.unreadable, Unreadable{name, "it is no tombstone, though it deletes what it names"})
		}
		if s.toCome(t.Timestamp) { // it would silence its session for ever
			t.Session = ""
		}
		f.deleted[id] = t
	}
	types, err := names(root, recordsDir)
	if err != nil {
		return f, err
	}
	for _, taskType := range types {
		if !taskType.IsDir() || strings.HasPrefix(taskType.Name(), ".") {
			continue
		}
		entries, err := names(root, recordsDir+"/"+taskType.Name())
		if err != nil {
			return f, err
		}
		for _, entry := range entries {
			id, ok := strings.CutSuffix(entry.Name(), ".json")
			if !ok || strings.HasPrefix(id, ".") {
				continue
			}
			name := recordsDir + "/" + taskType.Name() + "/" + entry.Name()
			var err error
			r, read := known[name]
			if !read {
				r, err = readRecord(root, name, taskType.Name(), id)
			}
			if err == nil && s.toCome(r.Timestamp) {
				err = errors.New("timestamp: it is in the future")
			}
			if err != nil {
				f.unreadable = append(f.unreadable, Unreadable{name, err.Error()})
				continue
			}
			f.records = append(f.records, r)
		}
	}
	return f, nil
}

// toCome reports whether a time is in the future, whatever clock of the machines that share the
// store is right.
func (s Store) toCome(t time.Time) bool { return !s.Now.IsZero() && t.After(s.Now.Add(skew)) }

func readRecord(root *os.Root, name, taskType, id string) (Record, error) {
	src, err := readFile(root, name)
	if err != nil {
		return Record{}, err
	}
	return parse(taskType, id, src)
}

// readFile reads a regular file of at most maxRecord bytes.
func readFile(root *os.Root, name string) ([]byte, error) {
	name = filepath.FromSlash(name)
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > maxRecord:
		return nil, fmt.Errorf("it is larger than %d bytes", maxRecord)
	}
	return root.ReadFile(name)
}

// names lists a folder of the store, sorted; none where it is missing.
func names(root *os.Root, dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
