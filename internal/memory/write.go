// Package memory holds the use cases: what it means to learn from a review, to take back what was
// merged over, and to sweep. Each takes the store and the event; none knows of GitHub, HTTP, SQL
// or the clock.
package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Store is where the lessons file lives; see package store for its errors.
type Store interface {
	Read(ctx context.Context) (store.Snapshot, error)
	Write(ctx context.Context, was store.Snapshot, content []byte, message string) (store.Commit, error)
}

// Judge gives a second opinion on two lessons whose likeness lies below the floor. Only a confident
// yes is true.
type Judge interface {
	Same(ctx context.Context, a, b string) (bool, error)
}

// Memory is one repository's memory.
type Memory struct {
	Store     Store
	Distiller distill.Distiller // used by Learn alone
	Judge     Judge             // used by Learn alone; nil for none
	Config    config.Config
	// Pause waits before try number n (from 1) after a lost race; nil tries at once.
	Pause func(ctx context.Context, n int) error
}

// Write is what became of the file.
type Write struct {
	Entry   ledger.Entry // the numbers of the write, or of the file as it was
	Notices []string     // for the owner: what in the file was not understood, which documents are not in step
	Before  []byte       // the file as it was read
	After   []byte       // the file as it is, or would be
	Commit  store.Commit // the write's commit
	Written bool

	entries []ledger.Entry // one for each event that was written together
}

// maxTries bounds the races that one write may lose (issue 2: at most 5 times).
const maxTries = 5

// change edits a file and returns the row of that, without the numbers of the file itself, and
// the prose that explains it to a person.
type change func(*lesson.File) (ledger.Entry, []string, error)

// update is updateAll for a change with one row.
func (m Memory) update(ctx context.Context, apply change) (Write, error) {
	return m.updateAll(ctx, func(f *lesson.File) ([]ledger.Entry, []string, error) {
		entry, prose, err := apply(f)
		return []ledger.Entry{entry}, prose, err
	})
}

// updateAll reads the file, applies the change, and writes; on a lost race it does all of it again.
// The change is applied to a fresh file each time, so nothing of another writer is lost.
func (m Memory) updateAll(ctx context.Context, apply func(*lesson.File) ([]ledger.Entry, []string, error)) (Write, error) {
	var first string // the version that was read before anything failed
	for try := 1; ; try++ {
		was, err := m.Store.Read(ctx)
		if err != nil {
			return Write{}, err
		}
		if try == 1 {
			first = was.Version
		}
		file := lesson.Parse(was.Content)
		w := Write{Before: was.Content, After: was.Content, Notices: notices(file)}
		var prose []string
		w.entries, prose, err = apply(file)
		if err != nil {
			return w, err
		}
		for i := range w.entries {
			e := &w.entries[i]
			e.Floor = m.Config.Similarity.Floor
			e.Active, e.Total = file.Counts()
		}
		w.Entry = w.entries[0]
		if !file.Changed() {
			return w, nil
		}
		w.After = file.Bytes()
		w.Commit, err = m.Store.Write(ctx, was, w.After, ledger.Message(w.entries, prose, m.Config.Commit.SkipCI))
		switch {
		case err == nil:
			w.Written, w.Notices = true, append(w.Notices, w.Commit.Notices...)
			return w, nil
		case !errors.Is(err, store.ErrConflict):
			return w, err
		case try == maxTries && was.Version == first && was.Exists:
			return w, &store.RefusedError{Path: m.Config.Path, Reason: "each write is refused as if the file had changed, and each read shows the same file: is it a symbolic link? Configure the path of the file that it points to"}
		case try == maxTries && was.Version == first:
			return w, &store.RefusedError{Path: m.Config.Path, Reason: "each write is refused since the file exists, and each read finds none: may the App read the repository's contents?"}
		case try == maxTries:
			return w, fmt.Errorf("gave up after %d tries: %w", try, err)
		}
		if m.Pause != nil {
			if err := m.Pause(ctx, try); err != nil {
				return w, err
			}
		}
	}
}

func notices(f *lesson.File) []string {
	var out []string
	for _, b := range f.Bullets() {
		if b.Oddity != "" {
			out = append(out, fmt.Sprintf("line %d: %s", b.Line, b.Oddity))
		}
	}
	return out
}

// ReadOnly is a Store whose writes are believed and not made: a dry run.
type ReadOnly struct{ Store }

// Write changes nothing.
func (ReadOnly) Write(context.Context, store.Snapshot, []byte, string) (store.Commit, error) {
	return store.Commit{}, nil
}
