// Package memory holds the use cases: what it means to learn from a review. Each takes the
// store, the distiller and the event; none knows of GitHub, HTTP, SQL or the clock.
package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Store is where the lessons file lives; see package store for its errors.
type Store interface {
	Read(ctx context.Context) (store.Snapshot, error)
	Write(ctx context.Context, was store.Snapshot, content []byte, message string) (store.Commit, error)
}

// Memory is one repository's memory.
type Memory struct {
	Store     Store
	Distiller distill.Distiller
	Config    config.Config
	// Pause waits before try number n (from 1) after a lost race; nil tries at once.
	Pause func(ctx context.Context, n int) error
}

// Event is one review, or other source of findings, to learn from.
type Event struct {
	Source   ledger.Source
	Evidence lesson.Evidence
	By       string // login of the reviewer; "" when unknown
	Findings []distill.Finding
}

// Result is what an event led to.
type Result struct {
	Outcomes []lesson.Outcome // what happened to each distilled lesson, refused ones included
	Evicted  []lesson.Bullet  // what the cap cost
	Entry    ledger.Entry     // the numbers of the write, or of the file as it was
	Notices  []string         // what in the file was not understood, for its owner
	Fallback string           // why the extractive distiller stood in for a model
	Before   []byte           // the file as it was read
	After    []byte           // the file as it is, or would be
	Commit   store.Commit     // the write's commit
	Written  bool
}

// maxTries bounds the races that one write may lose (issue 2: at most 5 times).
const maxTries = 5

// Learn distils the findings of ev, and writes what is new or re-earned.
func (m Memory) Learn(ctx context.Context, ev Event) (Result, error) {
	candidates, refused, fallback, err := m.candidates(ctx, ev)
	if err != nil {
		return Result{}, err
	}
	result, err := m.update(ctx, func(f *lesson.File) (ledger.Entry, []string, Result) {
		change := f.Add(candidates, m.Config.Rule(), m.Config.Cap)
		return m.learned(ev, f, change)
	})
	result.Outcomes = append(result.Outcomes, refused...)
	result.Fallback = fallback
	return result, err
}

// candidates distils and guards. Every sentence passes the guard here, whatever distilled it.
func (m Memory) candidates(ctx context.Context, ev Event) (ok []lesson.Candidate, refused []lesson.Outcome, fallback string, err error) {
	distilled, err := m.Distiller.Distill(ctx, ev.Findings)
	if err != nil {
		return nil, nil, "", fmt.Errorf("distil: %w", err)
	}
	for _, r := range distilled.Refused {
		refused = append(refused, refusal(r.Text, r.Reason))
	}
	for _, l := range distilled.Lessons[:min(len(distilled.Lessons), distill.MaxLessons)] {
		checked := guard.Check(l.Text)
		if checked.Refused {
			refused = append(refused, refusal(l.Text, checked.Reason))
			continue
		}
		ok = append(ok, lesson.Candidate{Sentence: checked.Sentence, Evidence: ev.Evidence})
	}
	return ok, refused, distilled.Fallback, nil
}

func refusal(text, reason string) lesson.Outcome {
	return lesson.Outcome{Kind: lesson.Refused, Sentence: text, Reason: reason}
}

// update reads the file, applies change, and writes; on a lost race it does all of it again.
// The change is applied to a fresh file each time, so nothing of another writer is lost.
func (m Memory) update(ctx context.Context, change func(*lesson.File) (ledger.Entry, []string, Result)) (Result, error) {
	for try := 1; ; try++ {
		was, err := m.Store.Read(ctx)
		if err != nil {
			return Result{}, err
		}
		file := lesson.Parse(was.Content)
		entry, prose, result := change(file)
		result.Entry, result.Before, result.After = entry, was.Content, was.Content
		result.Notices = notices(file)
		if !file.Changed() {
			return result, nil
		}
		result.After = file.Bytes()
		result.Commit, err = m.Store.Write(ctx, was, result.After, entry.Message(prose, m.Config.Commit.SkipCI))
		switch {
		case err == nil:
			result.Written = true
			return result, nil
		case !errors.Is(err, store.ErrConflict):
			return result, err
		case try == maxTries:
			return result, fmt.Errorf("gave up after %d tries: %w", try, err)
		}
		if m.Pause != nil {
			if err := m.Pause(ctx, try); err != nil {
				return result, err
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

// learned describes a change that learning made.
func (m Memory) learned(ev Event, f *lesson.File, change lesson.Change) (ledger.Entry, []string, Result) {
	entry := ledger.Entry{Source: ev.Source, Floor: m.Config.Similarity.Floor, Evicted: len(change.Evicted)}
	for _, o := range change.Outcomes {
		switch {
		case o.Kind == lesson.Appended:
			entry.Appended++
			entry.Bullets = append(entry.Bullets, ledger.Touched{Handle: o.Bullet.Handle(), What: string(lesson.Appended)})
		case o.Kind == lesson.Refreshed && !o.Unchanged:
			entry.Refreshed++
			entry.Bullets = append(entry.Bullets, ledger.Touched{Handle: o.Bullet.Handle(), What: string(lesson.Refreshed), From: o.Replaced})
		}
	}
	for _, b := range change.Evicted {
		entry.Bullets = append(entry.Bullets, ledger.Touched{Handle: b.Handle(), What: "evicted"})
	}
	entry.Active, entry.Total = f.Counts()
	return entry, prose(ev, change), Result{Outcomes: change.Outcomes, Evicted: change.Evicted}
}

// prose explains the commit to a person.
func prose(ev Event, change lesson.Change) []string {
	by := "a reviewer"
	if ev.By != "" {
		by = "@" + ev.By // defused by the ledger
	}
	var lines []string
	if !ev.Source.PR.IsZero() {
		lines = append(lines, fmt.Sprintf("Distilled from a review by %s of %s.", by, ev.Source.PR))
	}
	for _, o := range change.Outcomes {
		for _, b := range o.Contradicts {
			lines = append(lines, fmt.Sprintf("%s contradicts %s: both stay, the newer is shown first.", o.Bullet.Handle(), b.Handle()))
		}
	}
	return lines
}

// ReadOnly is a Store whose writes are believed and not made: a dry run.
type ReadOnly struct{ Store }

// Write changes nothing.
func (ReadOnly) Write(context.Context, store.Snapshot, []byte, string) (store.Commit, error) {
	return store.Commit{}, nil
}
