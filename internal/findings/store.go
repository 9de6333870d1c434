package findings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	recordsDir = "findings"
	deletedDir = "deleted"
	metaDir    = "meta"
	indexFile  = "index.json"
	statsFile  = metaDir + "/stats.json"
	lockFile   = metaDir + "/lock"
)

// Store is a folder of findings. Any number of programs may use one at the same time.
type Store struct {
	Dir   string
	Cache string // folder of what is derived and local; private to the user
}

// Errors that say why something was not done.
var (
	ErrBelowFloor = fmt.Errorf("its confidence is below the floor of %.1f", Floor)
	ErrNotFound   = errors.New("there is no such finding")
)

// Load reads all files. A folder that is missing is an empty store.
func (s Store) Load() (Set, error) {
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, nil
	}
	if err != nil {
		return Set{}, err
	}
	defer root.Close()
	f, err := read(root)
	return f.live(), err
}

// Add writes a record, and with that replaces older ones of its session. It fills in what a draft
// leaves out; now is the time of writing. A session that says again what its newest record says
// writes nothing: that record is returned. The error is ErrBelowFloor, or a RefusedError, or the
// file system's.
func (s Store) Add(ctx context.Context, r Record, now time.Time) (Record, error) {
	if r.Confidence < Floor {
		return r, ErrBelowFloor
	}
	r, err := guarded(r)
	if err != nil {
		return r, err
	}
	err = s.change(ctx, func(root *os.Root, f *files) error {
		if r, err = f.complete(r, now); err != nil {
			return err
		}
		if known, ok := f.saidBefore(r); ok {
			r = known
			return nil
		}
		src, err := r.marshal()
		if err != nil {
			return err
		}
		if _, err := parse(r.TaskType, r.ID, src); err != nil { // what could not be read is not written
			return err
		}
		if err := writeFile(root, r.path(), src); err != nil {
			return err
		}
		for _, old := range f.records {
			if r.Session() != "" && old.Session() == r.Session() && compare(old, r) < 0 {
				_ = root.Remove(filepath.FromSlash(old.path())) // it counts no more, here or elsewhere
			}
		}
		return nil
	})
	return r, err
}

// complete fills in what a draft leaves out. A record is younger than its session's others,
// whatever the clock says.
func (f files) complete(r Record, now time.Time) (Record, error) {
	if r.SchemaVersion == "" {
		r.SchemaVersion = Version
	}
	switch {
	case r.ID == "":
		r.ID = uuid.NewString()
	case f.wasUsed(r.ID):
		return r, fmt.Errorf("id: %s was used before", r.ID)
	}
	if r.Tags == nil {
		r.Tags = []string{}
	}
	if !r.Timestamp.IsZero() {
		return r, nil
	}
	r.Timestamp = now.UTC().Truncate(time.Second)
	for _, o := range f.records {
		if r.Session() != "" && o.Session() == r.Session() && !o.Timestamp.Before(r.Timestamp) {
			r.Timestamp = o.Timestamp.Add(time.Millisecond)
		}
	}
	return r, nil
}

func (f files) wasUsed(id string) bool {
	_, deleted := f.deleted[id]
	return deleted || slices.ContainsFunc(f.records, func(r Record) bool { return r.ID == id })
}

// saidBefore returns the live record of the same session with the same content.
func (f files) saidBefore(r Record) (Record, bool) {
	for _, o := range f.live().Records {
		if o.Session() == r.Session() && o.TaskType == r.TaskType && o.WhatWorked == r.WhatWorked &&
			o.WhatFailed == r.WhatFailed && o.BetterExitCondition == r.BetterExitCondition {
			return o, true
		}
	}
	return Record{}, false
}

// Find returns the one live finding whose id begins with prefix. The error is ErrNotFound, or
// names the ids that it could be.
func (s Set) Find(prefix string) (Record, error) {
	var found []Record
	for _, r := range s.Records {
		if r.ID == prefix {
			return r, nil
		}
		if prefix != "" && strings.HasPrefix(r.ID, prefix) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return Record{}, fmt.Errorf("%q: %w", prefix, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return Record{}, fmt.Errorf("%q begins %d ids: %s and %s are two of them", prefix, len(found), found[0].ID, found[1].ID)
}

// Delete takes a finding out for good: it writes a tombstone, which outlives any merge with a
// store that still has the file, or an older one of the same session.
func (s Store) Delete(ctx context.Context, id string) error {
	return s.change(ctx, func(root *os.Root, f *files) error {
		i := slices.IndexFunc(f.records, func(r Record) bool { return r.ID == id })
		if i < 0 {
			return fmt.Errorf("%q: %w", id, ErrNotFound)
		}
		t := tombstone{ID: id, Session: f.records[i].Session(), Timestamp: f.records[i].Timestamp}
		src, err := pretty(t)
		if err != nil {
			return err
		}
		f.deleted[id] = t
		return writeFile(root, deletedDir+"/"+id+".json", src)
	})
}

// Reindex derives anew what is derived, and removes the files of deleted findings.
func (s Store) Reindex(ctx context.Context) (Set, error) {
	if err := s.change(ctx, func(*os.Root, *files) error { return nil }); err != nil {
		return Set{}, err
	}
	return s.Load()
}

// Holds reports whether the record says all the words somewhere, in any case.
func (r Record) Holds(words []string) bool {
	all := strings.ToLower(strings.Join([]string{r.ID, r.TaskType, r.Language, r.WhatWorked, r.WhatFailed, r.BetterExitCondition, strings.Join(r.Tags, " ")}, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, strings.ToLower(word)) })
}
