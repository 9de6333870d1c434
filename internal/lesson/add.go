package lesson

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Candidate is a lesson that asks to enter the file.
type Candidate struct {
	Sentence string
	Evidence Evidence
	// SameAs is the handle of the bullet that a second opinion holds to be the same lesson; "" for
	// none. It collapses only what lies in the grey band (similarity.Rule.Grey).
	SameAs string
}

// OutcomeKind is what happened to a candidate.
type OutcomeKind string

// The outcomes of Add.
const (
	Appended  OutcomeKind = "appended"
	Refreshed OutcomeKind = "refreshed"
	Refused   OutcomeKind = "refused"
)

// Outcome is what happened to one candidate, and why.
type Outcome struct {
	Kind     OutcomeKind
	Sentence string // the candidate's
	Bullet   Bullet // the bullet appended or refreshed, as it is now; zero when refused
	Score    float64
	// Replaced is the evidence that a refresh wrote over.
	Replaced Evidence
	// Unchanged is true for a refresh that found nothing to write: the bullet already cites the
	// same pull request and day.
	Unchanged bool
	Opinion   bool   // the refresh rests on a second opinion (Candidate.SameAs)
	Rule      string // of a refusal: what keeps it out, in one word for counting
	Reason    string
	// Contradicts lists the active bullets that a guard kept apart from the candidate since an
	// agent that obeys one breaks the other, and those that the candidate says it corrects.
	Contradicts []Bullet
}

// Change is what one write did to the working list.
type Change struct {
	Outcomes []Outcome // one for each candidate, in order
	Evicted  []Bullet
}

// Changed reports whether the file differs from what was parsed.
func (f *File) Changed() bool {
	return slices.ContainsFunc(f.slots, func(s slot) bool { return s.state != kept })
}

// Add collapses each candidate onto the active bullet that already says it, or appends it, and
// then evicts down to limit bullets with a trailer, at most as many as were appended
// (design decision 10).
func (f *File) Add(candidates []Candidate, rule similarity.Rule, limit int) Change {
	var change Change
	texts := make([]*similarity.Text, len(f.slots), len(f.slots)+len(candidates))
	for _, c := range candidates {
		out := f.add(c, rule, &texts)
		change.Outcomes = append(change.Outcomes, out)
	}
	f.trim(&change, limit)
	return change
}

// add handles one candidate over the working list, so that two near copies that arrive together
// land on one bullet. texts caches the prepared sentences of f.slots.
func (f *File) add(c Candidate, rule similarity.Rule, texts *[]*similarity.Text) Outcome {
	out := Outcome{Sentence: c.Sentence}
	fresh := Bullet{Sentence: strings.TrimSpace(c.Sentence), Trailer: &Trailer{Evidence: c.Evidence, Earned: 1}}
	if !readsBack(fresh) {
		out.Kind, out.Rule, out.Reason = Refused, "unwritable", "it cannot be written as one bullet with one trailer"
		return out
	}
	text := similarity.Prepare(fresh.Sentence)
	best, decision := f.nearest(fresh, text, rule, texts, func(b Bullet, d similarity.Decision) bool {
		if d.Contradiction || Corrects(fresh, b) {
			out.Contradicts = append(out.Contradicts, b)
		}
		return true
	})
	if best < 0 && c.SameAs != "" {
		best, decision = f.nearest(fresh, text, rule.Grey(), texts, func(b Bullet, _ similarity.Decision) bool { return b.Handle() == c.SameAs })
		out.Opinion = best >= 0
	}
	if best < 0 {
		if b, is := f.declined(fresh, text, rule, *texts); is {
			out.Kind = Refused
			out.Reason = strings.TrimSpace("a person withdrew "+b.Handle()+", which says the same, "+b.Trailer.Retirement.Date.String()) + ": only a person's note teaches it again"
			return out
		}
		out.Kind, out.Bullet = Appended, fresh
		f.slots = append(f.slots, slot{Bullet: fresh, state: added})
		*texts = append(*texts, text)
		return out
	}
	out.Kind, out.Score, out.Reason = Refreshed, decision.Score, decision.Reason
	if out.Opinion {
		out.Reason = "a second opinion holds them to be one lesson; " + decision.Reason
	}
	out.Replaced = f.slots[best].Trailer.Evidence
	out.Unchanged = !f.slots[best].set(f.slots[best].Trailer.earn(c.Evidence))
	out.Bullet = f.slots[best].Bullet
	if out.Unchanged {
		out.Reason = "nothing to write: the bullet already cites " + strings.TrimSpace(out.Replaced.PR.String()+" "+out.Replaced.Date.String())
	}
	return out
}

// earn returns the trailer with further evidence. Dates never go backwards, and only another
// pull request counts as another earning (design decision 11).
func (t Trailer) earn(e Evidence) Trailer {
	if !t.PR.Same(e.PR) {
		t.Earned++
	}
	if !e.Date.Before(t.Date) {
		t.PR, t.Date = e.PR, e.Date
	}
	return t
}

// readsBack reports whether b, written as a line, parses as exactly the bullet that was meant.
// It is the last defence against a sentence that forges structure or a trailer.
func readsBack(b Bullet) bool {
	if _, forged, oddity := splitTrailer(b.Sentence); forged != nil || oddity != "" {
		return false
	}
	parsed := Parse([]byte(b.String() + "\n")).slots
	return len(parsed) == 1 && !parsed[0].Nested && parsed[0].Sentence == b.Sentence &&
		parsed[0].Trailer != nil && *parsed[0].Trailer == *b.Trailer
}

// Settle says of what the change appended, and a later one of the same write evicted, that it was
// refused.
func (c *Change) Settle(f *File) {
	for i, o := range c.Outcomes {
		if _, stays := f.Find(o.Bullet.Handle()); o.Kind == Appended && !stays {
			c.Outcomes[i] = full(o.Sentence)
		}
	}
}

func full(sentence string) Outcome {
	return Outcome{Kind: Refused, Sentence: sentence, Rule: "full", Reason: "the file is full and every bullet in it has newer evidence"}
}

// trim evicts down to limit, at most as many bullets as this change appended. A candidate that
// is itself the oldest of a full file never was appended.
func (f *File) trim(change *Change, limit int) {
	appended := 0
	for _, o := range change.Outcomes {
		if o.Kind == Appended {
			appended++
		}
	}
	_, total := f.Counts()
	for range min(total-limit, appended) {
		i := f.oldest()
		if i < 0 {
			return
		}
		s := &f.slots[i]
		if s.state != added {
			change.Evicted = append(change.Evicted, s.Bullet)
			s.state = removed
			continue
		}
		for j := range change.Outcomes {
			if o := &change.Outcomes[j]; o.Kind == Appended && o.Bullet.Trailer == s.Trailer {
				*o = full(o.Sentence)
			}
		}
		f.slots = slices.Delete(f.slots, i, i+1)
	}
}

// oldest returns the bullet to evict next, -1 for none: retired ones first, then active ones,
// founder notes last; within each by evidence date, then position (design decision 10).
func (f *File) oldest() int {
	best := -1
	for i, s := range f.slots {
		if s.state == removed || s.Trailer == nil || s.Nested {
			continue
		}
		if best < 0 || evictionOrder(s.Bullet, f.slots[best].Bullet) < 0 {
			best = i
		}
	}
	return best
}

func evictionOrder(a, b Bullet) int {
	return cmp.Or(cmp.Compare(evictionClass(a), evictionClass(b)), a.date().t.Compare(b.date().t))
}

func evictionClass(b Bullet) int {
	switch {
	case !b.Active():
		return 0
	case b.Trailer.Verdict != FounderNote:
		return 1
	default:
		return 2
	}
}

// Window returns the newest size active bullets, newest first: a person's own lines, then by
// the date of the evidence, then by position (design decisions 9 and 10). What a file says twice in
// the same words is shown once.
func (f *File) Window(size int) []Bullet {
	active := slices.DeleteFunc(f.Bullets(), func(b Bullet) bool { return !b.Active() })
	slices.Reverse(active)
	slices.SortStableFunc(active, NewestFirst)
	said := map[string]bool{}
	active = slices.DeleteFunc(active, func(b Bullet) bool {
		handle := b.Handle()
		again := said[handle]
		said[handle] = true
		return again
	})
	return active[:min(size, len(active))]
}

// NewestFirst orders bullets by the day of their evidence; a person's own lines, which have none, come
// before all others.
func NewestFirst(a, b Bullet) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), b.date().t.Compare(a.date().t))
}

func rank(b Bullet) int {
	if b.Trailer == nil {
		return 0
	}
	return 1
}
