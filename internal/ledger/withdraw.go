package ledger

import (
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// piece is one piece of a bullet's evidence, and the event that brought it.
type piece struct {
	source Source // zero where no commit names it
	lesson.Evidence
}

// Withdrawal is what is left of a bullet once the evidence of some reviews is gone.
type Withdrawal struct {
	Bullet lesson.Bullet // as it is in the file
	// Earned is how often the evidence that is left earned the bullet; 0 when none is left: the
	// bullet is overridden.
	Earned int
	// Shown is the evidence that the trailer goes back to: what it shows now where newer evidence
	// of someone else is left, or where the commits do not tell what was there before.
	Shown lesson.Evidence
}

// Withdraw returns what is left of the active bullets of f that owe evidence to reviews, by the
// entries of the commits, oldest first (design decision 6). Whose evidence a bullet has is read
// from the entries; only where they say nothing at all of a review, and nothing of where a
// changes-requested bullet's newest evidence is from, the pull request number decides.
func Withdraw(f *lesson.File, entries []Entry, reviews []Source) []Withdrawal {
	pieces := map[bool]map[string][]piece{false: evidence(entries, false), true: evidence(entries, true)}
	lost := slices.DeleteFunc(slices.Clone(reviews), func(r Source) bool { return told(entries, r) })
	var out []Withdrawal
	type name struct {
		handle string
		note   bool
	}
	seen := map[name]bool{} // of bullets that say the same, evidence belongs to the oldest
	for _, b := range f.Bullets() {
		if b.Trailer == nil || !b.Active() {
			continue
		}
		n := name{b.Handle(), b.Trailer.Verdict == lesson.FounderNote}
		if seen[n] {
			continue
		}
		seen[n] = true
		all := settle(slices.Clone(pieces[n.note][n.handle]), b.Trailer.Evidence)
		left := slices.DeleteFunc(slices.Clone(all), func(p piece) bool {
			return slices.Contains(reviews, p.source) || owed(p, b, lost)
		})
		if len(left) < len(all) {
			out = append(out, withdrawal(b, all, left))
		}
	}
	return out
}

func withdrawal(b lesson.Bullet, all, left []piece) Withdrawal {
	was, is := replay(all), replay(left)
	w := Withdrawal{Bullet: b, Earned: b.Trailer.Earned - (was.Earned - is.Earned), Shown: b.Trailer.Evidence}
	if len(left) > 0 {
		w.Earned = max(w.Earned, 1)
	}
	if shows(b, was) && !is.Date.IsZero() {
		w.Shown.PR, w.Shown.Date = is.PR, is.Date
	}
	return w
}

// shows reports whether the bullet's trailer shows what the commits say, and not a person's edit.
func shows(b lesson.Bullet, t lesson.Trailer) bool {
	return b.Trailer.PR.Same(t.PR) && b.Trailer.Date == t.Date
}

func replay(pieces []piece) lesson.Trailer {
	var all []lesson.Evidence
	for _, p := range pieces {
		all = append(all, p.Evidence)
	}
	return lesson.Replay(all)
}

// told reports whether the commits say anything of the review: what it taught, or that it was
// withdrawn.
func told(entries []Entry, review Source) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool {
		return e.Source == review || e.withdraws(review)
	})
}

// owed reports whether an unexplained piece is owed to one of the reviews that no commit tells
// of, by the pull request's number.
func owed(p piece, b lesson.Bullet, lost []Source) bool {
	return p.source == Source{} && b.Trailer.Verdict == lesson.ChangesRequested &&
		slices.ContainsFunc(lost, func(r Source) bool { return r.PR.Same(p.PR) })
}

// evidence returns by handle the evidence that bullets had after the entries, in the order in
// which it arrived: that of founder notes, or that of all others. The two never merge, though
// they may say the same and so share a handle.
func evidence(entries []Entry, notes bool) map[string][]piece {
	of := map[string][]piece{}
	for _, e := range entries {
		if e.Source.Channel != channelSweep && e.Source.Channel != channelEdit && notes != (e.Source.Channel == string(lesson.FounderNote)) {
			continue
		}
		fresh := piece{source: e.Source, Evidence: lesson.Evidence{PR: e.Source.PR}}
		for _, t := range e.Bullets {
			switch t.What {
			case "appended": // a new bullet, even where a retired one has the same sentence
				of[t.Handle] = []piece{fresh}
			case "refreshed":
				of[t.Handle] = append(settle(of[t.Handle], t.From), fresh)
			case "joined": // by the bullet of the next line
				of[t.Handle] = settle(of[t.Handle], t.From)
			case "renamed", "merged":
				moved := settle(of[t.Handle], t.From)
				delete(of, t.Handle) // which may be t.To, of two bullets that say the same
				of[t.To] = append(of[t.To], moved...)
			case "overridden", "taken back":
				of[t.Handle] = slices.DeleteFunc(settle(of[t.Handle], t.From), func(p piece) bool { return e.withdraws(p.source) })
			}
		}
	}
	return of
}

func (e Entry) withdraws(s Source) bool { return slices.Contains(e.Sources(), MergeOver(s)) }

// settle dates the newest piece of the pull request that a trailer showed. Evidence that no
// commit tells of is added, as from no event.
func settle(pieces []piece, shown lesson.Evidence) []piece {
	shown.Verdict = ""
	for i := len(pieces) - 1; i >= 0; i-- {
		switch p := &pieces[i]; {
		case !p.PR.Same(shown.PR):
		case p.Date == shown.Date:
			return pieces
		case p.Date.IsZero():
			p.Date = shown.Date
			return pieces
		}
	}
	return append(pieces, piece{Evidence: shown})
}
