package findings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	Cache string    // folder of what is derived and local; private to the user
	Now   time.Time // the time of reading: a record from its future does not count yet; zero to count all
}

// Errors that say why something was not done.
var (
	ErrBelowFloor = fmt.Errorf("its confidence is below the floor of %.1f", Floor)
	ErrNotFound   = errors.New("there is no such finding")
	ErrKnown      = errors.New("it is known already")
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
	f, err := s.read(root, nil)
	return f.live(), err
}

// Add writes a record, and with that replaces older ones of its session. It fills in what a draft
// leaves out; now is the time of writing. A session that says again what its newest record says
// writes nothing: that record is returned, with ErrKnown. Other errors are ErrBelowFloor, a
// RefusedError, and the file system's.
func (s Store) Add(ctx context.Context, r Record, now time.Time) (Record, error) {
	if r.Confidence < Floor {
		return r, ErrBelowFloor
	}
	r, err := guarded(r)
	if err != nil {
		return r, err
	}
	after, err := s.change(ctx, func(root *os.Root, f *files) error {
		if r, err = f.complete(r, now); err != nil {
			return err
		}
		if known, ok := f.saidBefore(r); ok {
			r = known
			return ErrKnown
		}
		src, err := r.marshal()
		if err != nil {
			return err
		}
		if _, err := parse(r.TaskType, r.ID, src); err != nil { // what could not be read is not written
			return err
		}
		f.records = append(f.records, r)
		return writeFile(root, r.path(), src)
	})
	if err != nil {
		return r, err
	}
	s.judgeSome(after)
	return r, nil
}

// judgeSome judges what changed, unless somebody does already: what remains is for Refresh. All is
// written that others read; recall, which needs the index, says what is wrong with it.
func (s Store) judgeSome(now state) {
	if unlock, err := s.tryLockRecall(); err == nil {
		defer unlock()
		_ = s.writeRecall(now, judgeBatch)
	}
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
	if !r.Timestamp.IsZero() && !r.Timestamp.After(now) { // a time to come would win for ever
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
	after, err := s.change(ctx, func(root *os.Root, f *files) error {
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
	if err == nil {
		s.judgeSome(after)
	}
	return err
}

// Reindex derives anew what is derived, judges what others wrote, and removes the files that
// count no more.
func (s Store) Reindex(ctx context.Context) (Set, error) {
	after, err := s.change(ctx, func(*os.Root, *files) error { return nil })
	if err != nil {
		return after.Set, err
	}
	return after.Set, s.judgeRest(ctx, after)
}

// judgeRest judges all, and waits for somebody who does already.
func (s Store) judgeRest(ctx context.Context, now state) error {
	unlock, err := s.lockRecall(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.writeRecall(now, len(now.Records))
}

// Holds reports whether the record says all the words somewhere, in any case.
func (r Record) Holds(words []string) bool {
	all := strings.ToLower(strings.Join([]string{r.ID, r.TaskType, r.Language, r.WhatWorked, r.WhatFailed, r.BetterExitCondition, strings.Join(r.Tags, " ")}, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, strings.ToLower(word)) })
}
