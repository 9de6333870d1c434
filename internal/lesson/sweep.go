package lesson

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Past is what is known of a name in a bullet. The zero Past is a name that never was a file.
type Past struct {
	Here    bool   // it is a file or a folder now
	Deleted Date   // the UTC day on which the default branch lost it
	Renamed string // the path that it has now
	Unknown bool   // it cannot be told whether it ever was a file
}

// Swept is what a sweep did to one bullet.
type Swept struct {
	Bullet Bullet   // as it was
	What   string   // "stale", "expired", "merged" or "renamed"
	To     Bullet   // the bullet that it was merged into, or became; zero for a retired one
	Showed Evidence // what To showed before a merge
	Reason string
}

// Age retires the active bullets with a trailer that expired: the trailer's date is more than
// days before today.
func (f *File) Age(today Date, days int) []Swept {
	return f.retireEach(today, Expired, func(b Bullet) string {
		if today.DaysSince(b.Trailer.Date) <= days {
			return ""
		}
		return fmt.Sprintf("it was earned last on %s, more than %d days ago", b.Trailer.Date, days)
	})
}

// Stale retires the active bullets with a trailer that name at least one file, all of whose files
// were deleted after the trailer's date. A file that is there, was renamed, or of which nothing
// is known keeps its bullet; a name that never was a file is no evidence either way.
func (f *File) Stale(today Date, past map[string]Past) []Swept {
	return f.retireEach(today, Stale, func(b Bullet) string {
		var gone []string
		for _, name := range FileNames(b.Sentence) {
			switch p := past[name]; {
			case p == Past{}:
			case !b.Trailer.Date.Before(p.Deleted):
				return ""
			default:
				gone = append(gone, fmt.Sprintf("%s was deleted on %s", name, p.Deleted))
			}
		}
		return strings.Join(gone, ", ")
	})
}

// retireEach retires the bullets for which reason says why.
func (f *File) retireEach(today Date, kind RetirementKind, reason func(Bullet) string) []Swept {
	var out []Swept
	for i := range f.slots {
		s := &f.slots[i]
		if s.state == removed || s.Trailer == nil || !s.Active() {
			continue
		}
		if why := reason(s.Bullet); why != "" {
			out = append(out, Swept{Bullet: s.Bullet, What: string(kind), Reason: why})
			t := *s.Trailer
			t.Retirement = Retirement{Kind: kind, Date: today}
			s.set(t)
		}
	}
	return out
}

// Reword gives an active bullet that Bullets or Find returned another sentence. It refuses a sentence that
// another bullet has, and one that would not read back as one bullet.
func (f *File) Reword(b Bullet, sentence string) (Swept, bool) {
	s := f.slotOf(b)
	if s == nil || f.find(Handle(sentence)) != nil {
		return Swept{}, false
	}
	fresh := Bullet{Sentence: sentence, Trailer: s.Trailer}
	if !readsBack(fresh) {
		return Swept{}, false
	}
	was := s.Bullet
	s.Sentence = sentence
	if s.state == kept {
		s.state = changed
	}
	return Swept{Bullet: was, What: "renamed", To: s.Bullet}, true
}

// Consolidate collapses active bullets onto older ones that say the same, by the rule that Add
// goes by: the oldest sentence and the newest evidence stay, and the earnings add up.
func (f *File) Consolidate(rule similarity.Rule) []Swept {
	var out []Swept
	texts := make([]*similarity.Text, len(f.slots))
	for i := range f.slots {
		s := &f.slots[i]
		if s.state == removed || s.Trailer == nil || !s.Active() {
			continue
		}
		texts[i] = similarity.Prepare(s.Sentence)
		best, decision := f.match(i, texts, rule)
		if best < 0 || s.Nested { // what hangs below a bullet is a person's
			continue
		}
		into := &f.slots[best]
		showed := into.Trailer.Evidence
		into.set(into.Trailer.absorb(*s.Trailer))
		out = append(out, Swept{Bullet: s.Bullet, What: "merged", To: into.Bullet, Showed: showed, Reason: decision.Reason})
		s.state = removed
	}
	return out
}

// match returns the older bullet that says what bullet i says, -1 for none.
func (f *File) match(i int, texts []*similarity.Text, rule similarity.Rule) (int, similarity.Decision) {
	best, decision := -1, similarity.Decision{}
	for j := range i {
		older := f.slots[j]
		if texts[j] == nil || older.state == removed || !mayMerge(older.Bullet, f.slots[i].Trailer.Verdict) {
			continue
		}
		d := compare(rule, older.Bullet, f.slots[i].Bullet, texts[j], texts[i])
		if d.Collapse && (best < 0 || d.Sureness > decision.Sureness) {
			best, decision = j, d
		}
	}
	return best, decision
}

// absorb returns the trailer with another's evidence. One pull request that both show counts once.
func (t Trailer) absorb(o Trailer) Trailer {
	earned := t.Earned + o.Earned
	if !t.PR.IsZero() && t.PR.Same(o.PR) {
		earned--
	}
	if t.Date.Before(o.Date) {
		t.PR, t.Date = o.PR, o.Date
	}
	t.Earned = earned
	return t
}
