package lesson

import (
	"strings"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// nearest returns the slot that the candidate bullet collapses onto by the rule, the surest one of
// those that may, or -1. It shows each comparison to may. texts caches the prepared sentences.
func (f *File) nearest(fresh Bullet, text *similarity.Text, rule similarity.Rule, texts *[]*similarity.Text, may func(Bullet, similarity.Decision) bool) (int, similarity.Decision) {
	best, decision := -1, similarity.Decision{}
	for i := range f.slots {
		s := &f.slots[i]
		if s.state == removed || !mayMerge(s.Bullet, fresh.Trailer.Verdict) {
			continue
		}
		if (*texts)[i] == nil {
			(*texts)[i] = similarity.Prepare(s.Sentence)
		}
		d := compare(rule, fresh, s.Bullet, text, (*texts)[i])
		if may(s.Bullet, d) && d.Collapse && (best < 0 || d.Sureness > decision.Sureness) {
			best, decision = i, d
		}
	}
	return best, decision
}

// Doubtful returns the bullet that the candidate may be the same lesson as: the nearest one in the
// grey band (similarity.Rule.Grey). There is none where the candidate collapses by the rule alone.
func (f *File) Doubtful(c Candidate, rule similarity.Rule) (Bullet, bool) {
	fresh := Bullet{Sentence: strings.TrimSpace(c.Sentence), Trailer: &Trailer{Evidence: c.Evidence, Earned: 1}}
	text := similarity.Prepare(fresh.Sentence)
	texts := make([]*similarity.Text, len(f.slots))
	all := func(Bullet, similarity.Decision) bool { return true }
	if sure, _ := f.nearest(fresh, text, rule, &texts, all); sure >= 0 {
		return Bullet{}, false
	}
	best, _ := f.nearest(fresh, text, rule.Grey(), &texts, all)
	if best < 0 {
		return Bullet{}, false
	}
	return f.slots[best].Bullet, true
}

// compare decides whether two bullets are one lesson; texts are their prepared sentences. The same
// sentence is the same lesson, however short.
func compare(rule similarity.Rule, a, b Bullet, textA, textB *similarity.Text) similarity.Decision {
	if normal(a.Sentence) == normal(b.Sentence) {
		return similarity.Decision{Collapse: true, Score: 1, Sureness: 1, Reason: "the same sentence"}
	}
	return rule.Compare(textA, textB)
}

// mayMerge reports whether a lesson of verdict v may refresh b: retired bullets are never a
// target, a person's bullet is never touched, and founder notes merge with founder notes only.
func mayMerge(b Bullet, v Verdict) bool {
	return b.Trailer != nil && b.Active() && (b.Trailer.Verdict == FounderNote) == (v == FounderNote)
}
