package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Tree is a repository's files and their past, as the default branch has them; never the disk,
// which a sparse checkout thins out.
type Tree interface {
	// Past tells of names, as lesson.FileNames finds them, what became of them. A name without a
	// slash is sought in all folders. What is missing in the answer never was a file.
	Past(ctx context.Context, names []string) (map[string]lesson.Past, error)
}

// Swept is what a sweep did.
type Swept struct {
	Write
	Changes []lesson.Swept
	// Spared says where files are now that were renamed, and of which names nothing could be told.
	Spared []string
}

// Sweep retires the active bullets with a trailer that are stale or expired on the day today, and
// does what the configuration's sweep section asks for. Where that changes nothing, documents that
// a hand put out of step are brought in step. Sweeping again changes nothing.
func (m Memory) Sweep(ctx context.Context, tree Tree, today lesson.Date) (Swept, error) {
	var swept Swept
	write, err := m.update(ctx, func(f *lesson.File) (ledger.Entry, []string, error) {
		past, err := tree.Past(ctx, names(f))
		if err != nil {
			return ledger.Entry{}, nil, fmt.Errorf("look for the files that lessons name: %w", err)
		}
		swept = Swept{Spared: spared(f, past)}
		// Names and duplicates first: what is one lesson ages as one.
		if m.Config.Sweep.FollowRenames {
			swept.Changes = append(swept.Changes, rename(f, past)...)
		}
		if m.Config.Sweep.Consolidate {
			swept.Changes = append(swept.Changes, f.Consolidate(m.Config.Rule())...)
		}
		swept.Changes = append(swept.Changes, f.Age(today, m.Config.ExpireAfterDays)...)
		swept.Changes = append(swept.Changes, f.Stale(today, past)...)
		entry, why := row(swept.Changes)
		return entry, why, nil
	})
	swept.Write = write
	if err != nil || write.Written {
		return swept, err
	}
	return swept, m.syncDocuments(ctx, &swept.Write)
}

// syncDocuments brings the documents in step where the sweep itself wrote nothing. What another
// writer or a rule of the branch keeps from it waits for the next sweep.
func (m Memory) syncDocuments(ctx context.Context, w *Write) error {
	keeper, ok := m.Store.(interface {
		SyncDocuments(ctx context.Context, message string) (store.Commit, error)
	})
	if !ok {
		return nil
	}
	message := "lessons: bring documents in step (sweep)"
	if m.Config.Commit.SkipCI {
		message += " [skip ci]"
	}
	commit, err := keeper.SyncDocuments(ctx, message)
	if errors.Is(err, store.ErrConflict) || errors.As(err, new(*store.RuleError)) {
		w.Notices = append(w.Notices, "the documents are not in step: "+err.Error())
		return nil
	}
	w.Commit, w.Notices = commit, append(w.Notices, commit.Notices...)
	return err
}

// sweepable returns the bullets that a sweep may change.
func sweepable(f *lesson.File) []lesson.Bullet {
	return slices.DeleteFunc(f.Bullets(), func(b lesson.Bullet) bool { return b.Trailer == nil || !b.Active() })
}

func names(f *lesson.File) []string {
	var out []string
	for _, b := range sweepable(f) {
		out = append(out, lesson.FileNames(b.Sentence)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// spared says of each bullet what kept it from being judged by its files.
func spared(f *lesson.File, past map[string]lesson.Past) []string {
	var out []string
	for _, b := range sweepable(f) {
		for _, name := range lesson.FileNames(b.Sentence) {
			switch p := past[name]; {
			case p.Renamed != "":
				out = append(out, fmt.Sprintf("line %d: %s is now %s", b.Line, name, p.Renamed))
			case p.Unknown:
				out = append(out, fmt.Sprintf("line %d: whether %s ever was a file cannot be told", b.Line, name))
			}
		}
	}
	return out
}

// rename rewrites the names of files that were renamed. A path is somebody's text: a sentence that
// the guard would not let in as it is stays as it was.
func rename(f *lesson.File, past map[string]lesson.Past) []lesson.Swept {
	to := map[string]string{}
	for name, p := range past {
		if p.Renamed != "" {
			to[name] = p.Renamed
		}
	}
	var out []lesson.Swept
	for _, b := range sweepable(f) {
		sentence := lesson.Rename(b.Sentence, to)
		if checked := guard.Check(sentence); sentence == b.Sentence || checked.Refused || checked.Sentence != sentence {
			continue
		}
		if change, ok := f.Reword(b, sentence); ok {
			change.Reason = "its files were renamed"
			out = append(out, change)
		}
	}
	return out
}

// row enters the changes, and explains them.
func row(changes []lesson.Swept) (ledger.Entry, []string) {
	entry := ledger.Entry{Source: ledger.Sweep()}
	var why []string
	for _, c := range changes {
		touched := ledger.Touched{Handle: c.Bullet.Handle(), What: c.What}
		line := touched.Handle + " is " + c.What
		if c.To.Trailer == nil {
			entry.Retired++
		} else {
			touched.To, touched.From = c.To.Handle(), c.Bullet.Trailer.Evidence
			line += " to " + touched.To
		}
		if c.What == "merged" {
			entry.Bullets = append(entry.Bullets, ledger.Touched{Handle: touched.To, What: "joined", From: c.Showed})
		}
		entry.Bullets = append(entry.Bullets, touched)
		why = append(why, line+": "+c.Reason+".")
	}
	return entry, why
}
