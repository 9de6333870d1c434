package memory

import (
	"context"
	"fmt"
	"slices"

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
	LeftOut  int              // findings that were too many or too large to be read
	Unjudged string           // why a second opinion could not be had; the lessons were kept apart
}

// Learn distils the findings of ev, and writes what is new or re-earned.
func (m Memory) Learn(ctx context.Context, ev Event) (Result, error) {
	distilled, err := m.Distil(ctx, ev)
	if err != nil {
		return Result{}, err
	}
	results, err := m.Write(ctx, []Distilled{distilled})
	return results[0], err
}

// Distilled is an event with what it teaches, ready to be written.
type Distilled struct {
	Event
	candidates []lesson.Candidate
	result     Result // what distilling has to tell
	judge      Judge
}

// Distil distils and guards. Every sentence passes the guard here, whatever distilled it.
func (m Memory) Distil(ctx context.Context, ev Event) (Distilled, error) {
	d := Distilled{Event: ev, judge: m.Judge}
	distilled, err := m.Distiller.Distill(ctx, ev.Findings)
	if err != nil {
		return d, fmt.Errorf("distil: %w", err)
	}
	d.result.Fallback, d.result.LeftOut = distilled.Fallback, distilled.LeftOut
	for _, r := range distilled.Refused {
		d.result.Outcomes = append(d.result.Outcomes, refusal(r.Text, r.Rule, r.Reason))
	}
	for _, l := range distilled.Lessons[:min(len(distilled.Lessons), distill.MaxLessons)] {
		checked := guard.Check(l.Text)
		if checked.Refused {
			d.result.Outcomes = append(d.result.Outcomes, refusal(l.Text, checked.Rule, checked.Reason))
			continue
		}
		d.candidates = append(d.candidates, lesson.Candidate{Sentence: checked.Sentence, Evidence: ev.Evidence})
	}
	return d, nil
}

// Decline refuses what was distilled, for a reason.
func (d *Distilled) Decline(reason string) {
	for _, c := range d.candidates {
		d.result.Outcomes = append(d.result.Outcomes, refusal(c.Sentence, "comment-only", reason))
	}
	d.candidates = nil
}

// Write writes what events teach, in their order and by one commit, and returns a result for each:
// Written says whether the commit has something of that event.
func (m Memory) Write(ctx context.Context, events []Distilled) ([]Result, error) {
	changes := make([]lesson.Change, len(events))
	second := make([]opinions, len(events))
	for i, ev := range events {
		second[i] = opinions{judge: ev.judge, known: map[[2]string]bool{}}
	}
	write, err := m.updateAll(ctx, func(f *lesson.File) (entries []ledger.Entry, why []string, err error) {
		for i, ev := range events {
			rule := m.Config.Rule()
			changes[i] = f.Add(second[i].on(ctx, f, ev.candidates, rule), rule, m.Config.Cap)
		}
		for i, ev := range events {
			changes[i].Settle(f)
			entry := learned(ev.Event, changes[i])
			entries = append(entries, entry)
			if len(entry.Bullets) > 0 { // the commit speaks of what it did
				why = append(why, prose(ev.Event, changes[i])...)
			}
		}
		return entries, why, nil
	})
	results := make([]Result, len(events))
	for i, ev := range events {
		results[i] = ev.result
		results[i].Write = write
		if len(write.entries) > 0 {
			results[i].Entry = write.entries[i]
			results[i].Written = write.Written && len(results[i].Entry.Bullets) > 0
		}
		if i > 0 { // of the file, not of the event
			results[i].Notices = nil
		}
		results[i].Outcomes = slices.Concat(changes[i].Outcomes, ev.result.Outcomes)
		results[i].Evicted = changes[i].Evicted
		results[i].Unjudged = second[i].failed
	}
	return results, err
}

func refusal(text, rule, reason string) lesson.Outcome {
	return lesson.Outcome{Kind: lesson.Refused, Sentence: text, Rule: rule, Reason: reason}
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
		if o.Kind == lesson.Refreshed && !o.Unchanged {
			lines = append(lines, fmt.Sprintf("%s was re-earned: %s.", o.Bullet.Handle(), o.Reason))
		}
	}
	return append(lines, contradictions(change)...)
}

func contradictions(change lesson.Change) []string {
	var lines []string
	for _, o := range change.Outcomes {
		for _, b := range o.Contradicts {
			does := "contradicts"
			if o.Bullet.IsCorrection() {
				does = "corrects"
			}
			lines = append(lines, fmt.Sprintf("%s %s %s: both stay, the newer is shown first.", o.Bullet.Handle(), does, b.Handle()))
		}
	}
	return lines
}
