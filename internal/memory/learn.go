package memory

import (
	"context"
	"fmt"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Event is one review, or other source of findings, to learn from.
type Event struct {
	Source   ledger.Source
	Also     []ledger.Source // further events that the same push answers
	Evidence lesson.Evidence
	By       string // login of the reviewer; "" when unknown
	From     string // what it was distilled from, where that is no review: "the check lint"
	Findings []distill.Finding
}

// Result is what an event led to.
type Result struct {
	Write
	Outcomes []lesson.Outcome // what happened to each distilled lesson, refused ones included
	Evicted  []lesson.Bullet  // what the cap cost
	Fallback string           // why the extractive distiller stood in for a model
	Unjudged string           // why a second opinion could not be had; the lessons were kept apart
}

// Learn distils the findings of ev, and writes what is new or re-earned.
func (m Memory) Learn(ctx context.Context, ev Event) (Result, error) {
	candidates, refused, fallback, err := m.candidates(ctx, ev)
	if err != nil {
		return Result{}, err
	}
	var change lesson.Change
	second := opinions{judge: m.Judge, known: map[[2]string]bool{}}
	write, err := m.update(ctx, func(f *lesson.File) (ledger.Entry, []string, error) {
		change = f.Add(second.on(ctx, f, candidates, m.Config.Rule()), m.Config.Rule(), m.Config.Cap)
		return learned(ev, change), prose(ev, change), nil
	})
	return Result{Write: write, Outcomes: append(change.Outcomes, refused...), Evicted: change.Evicted, Fallback: fallback, Unjudged: second.failed}, err
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

// learned is the row of a change that learning made.
func learned(ev Event, change lesson.Change) ledger.Entry {
	entry := ledger.Entry{Source: ev.Source, Also: ev.Also, Evicted: len(change.Evicted)}
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
	return entry
}

// prose explains the commit to a person.
func prose(ev Event, change lesson.Change) []string {
	from := "a review by a reviewer"
	switch {
	case ev.From != "":
		from = ev.From
	case ev.By != "":
		from = "a review by @" + ev.By // defused by the ledger
	}
	var lines []string
	if !ev.Source.PR.IsZero() {
		lines = append(lines, fmt.Sprintf("Distilled from %s of %s.", from, ev.Source.PR))
	}
	for _, o := range change.Outcomes {
		if o.Opinion && !o.Unchanged {
			lines = append(lines, fmt.Sprintf("%s was re-earned on a model's second opinion.", o.Bullet.Handle()))
		}
		for _, b := range o.Contradicts {
			lines = append(lines, fmt.Sprintf("%s contradicts %s: both stay, the newer is shown first.", o.Bullet.Handle(), b.Handle()))
		}
	}
	return lines
}
