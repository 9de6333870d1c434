package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Order is what a person who may write to the repository asked for, in a comment, by a button or on
// the dashboard.
type Order struct {
	Source   ledger.Source // what ledger.Note, ledger.Withdrawn or ledger.Edited returns
	By       string        // the person's login
	Date     lesson.Date   // the UTC day of the order
	Reason   string        // the person's, for the commit; "" for none
	CoAuthor string        // see ledger.Entry
}

func (o Order) evidence() lesson.Evidence {
	return lesson.Evidence{PR: o.Source.PR, Date: o.Date, Verdict: lesson.FounderNote}
}

// What orders do to bullets, beside lesson.Appended, lesson.Refreshed and lesson.Withdrawn.
const (
	Kept     = "kept"     // it became a founder note in place
	Restored = "restored" // it was retired, and is a founder note now
	Reworded = "renamed"  // it has another sentence, and so another handle
)

// Deed is what an order did to one bullet.
type Deed struct {
	What   string        // "" when the bullet was left as it was, or there is none
	Bullet lesson.Bullet // as it is now; zero for none
	Reason string        // why nothing was done, or the scores of a refresh
	was    lesson.Evidence
	former string // its handle, where it was reworded
}

// Obeyed is what an order led to.
type Obeyed struct {
	Write
	Deeds   []Deed
	Evicted []lesson.Bullet // what the cap cost
	Before  bool            // the commits say that the order was obeyed before; Deeds are those
}

// obey applies an order once, however often it is given: the commits tell.
func (m Memory) obey(ctx context.Context, past History, o Order, apply func(*lesson.File, *Obeyed) []string) (Obeyed, error) {
	var done Obeyed
	write, err := m.update(ctx, func(f *lesson.File) (ledger.Entry, []string, error) {
		done = Obeyed{}
		earlier, err := obeyedBefore(ctx, past, o.Source)
		if err != nil || earlier != nil {
			done.Before = earlier != nil
			done.Deeds = deeds(f, earlier)
			return ledger.Entry{}, nil, err
		}
		why := apply(f, &done)
		return done.row(o), append(o.prose(), why...), nil
	})
	done.Write = write
	return done, err
}

// obeyedBefore returns the entry of the order, nil for none. It is asked for within the page of the
// newest commits: what is older was answered long since.
func obeyedBefore(ctx context.Context, past History, source ledger.Source) (*ledger.Entry, error) {
	messages, err := past.Messages(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("read what the commits say: %w", err)
	}
	for _, message := range messages {
		for _, e := range ledger.Parse(message) {
			if e.Source.PR.Same(source.PR) && e.Source.Object == source.Object && e.Source.ID == source.ID && e.Source.ByPerson() {
				return &e, nil
			}
		}
	}
	return nil, nil
}

// deeds are those of an entry, on the bullets as they are now.
func deeds(f *lesson.File, e *ledger.Entry) []Deed {
	var out []Deed
	if e == nil {
		return nil
	}
	for _, t := range e.Bullets {
		if t.What == evicted {
			continue
		}
		d := Deed{What: t.What}
		if found := f.Named(t.Handle); len(found) > 0 {
			d.Bullet = found[len(found)-1]
		}
		out = append(out, d)
	}
	return out
}

const evicted = "evicted"

// row enters what an order did.
func (done Obeyed) row(o Order) ledger.Entry {
	entry := ledger.Entry{Source: o.Source, Evicted: len(done.Evicted), CoAuthor: o.CoAuthor}
	for _, d := range done.Deeds {
		touched := ledger.Touched{Handle: d.Bullet.Handle(), What: d.What, From: d.was}
		switch d.What {
		case "":
			continue
		case string(lesson.Appended):
			entry.Appended++
		case string(lesson.Refreshed):
			entry.Refreshed++
		case string(lesson.Withdrawn):
			entry.Retired++
		case Reworded:
			touched.Handle, touched.To = d.former, touched.Handle
		}
		entry.Bullets = append(entry.Bullets, touched)
	}
	for _, b := range done.Evicted {
		entry.Bullets = append(entry.Bullets, ledger.Touched{Handle: b.Handle(), What: evicted})
	}
	return entry
}

// prose says who asked, and why. A reason is somebody's text: secrets are taken out here, and the
// ledger makes the rest harmless.
func (o Order) prose() []string {
	where := "the dashboard"
	if !o.Source.PR.IsZero() {
		where = o.Source.PR.String()
	}
	lines := []string{fmt.Sprintf("Asked for by @%s on %s.", o.By, where)}
	if reason, _ := guard.Clean(o.Reason); strings.TrimSpace(reason) != "" {
		lines = append(lines, "Reason: "+reason)
	}
	return lines
}
