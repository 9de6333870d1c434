package distill

import (
	"slices"
	"strings"
)

// advice is a remark boiled down: what to do, and the problem that it cures.
type advice struct {
	order   sentence // empty when the remark only states a problem
	problem sentence
	before  sentence // the statement directly before the order, which a pronoun in it may point to
	sequel  sentence // the sentence directly behind the order, when it gives the reason
	titled  bool     // the problem is the title
	follows bool     // the problem is told after the order
	force   force    // of the order
}

// sources are the reviewer's sentences that the advice may be worded with.
func (a advice) sources() []string {
	return []string{a.order.source, a.problem.source, a.before.source, a.sequel.source}
}

// Fewest words of a title that says what is wrong, and of a statement that does.
const (
	minTitle   = 4
	minProblem = 4
	shortOrder = 6 // at most as long an order takes a further one along
)

// boil picks the order and the problem out of a remark. ok is false when it holds neither.
func boil(r *remark) (a advice, ok bool) {
	body := r.body
	if r.title != "" && len(body) == 0 && len(r.fixes) == 0 {
		body = r.aside
	}
	title := spoken(r.title)
	at := pickOrder(body)
	switch {
	case r.disputed: // the advice is contested, the problem stands
		at = -1
	case len(r.fixes) > 0 && !r.fixes[0].hole:
		a.order, a.force, at = r.fixes[0], max(advises, r.fixes[0].force), -1
	case title.force > states && isUsable(title) && title.length() >= minTitle:
		a.order, a.force, at = title, title.force, -1
		a.sequel = reasonAt(body, 0)
		title = sentence{}
	case at >= 0:
		a.order, a.force = body[at], body[at].force
		if a.sequel = reasonAt(body, at+1); slices.Contains(a.order.words, a.sequel.word(0)) {
			a.sequel = sentence{} // it gives a reason already
		}
		if a.sequel.empty() {
			a.sequel = cureAt(body, at+1, a.order)
		}
		if at > 0 && isUsable(body[at-1]) && body[at-1].force < demands {
			a.before = body[at-1]
		}
	}
	told, index := pickStatement(body, at, r.prose)
	switch {
	case !isUsable(title), !told.empty() && !a.order.empty() && (len(r.fixes) > 0 || title.length() < minTitle || echoes(title, a.order)):
		a.problem, a.follows = told, at >= 0 && index > at
	default:
		a.problem, a.titled = title, true
	}
	return a, !a.order.empty() || !a.problem.empty()
}

// echoes reports whether a third of a title's longer words stand in the order, too.
func echoes(title, order sentence) bool {
	long, shared := 0, 0
	for _, w := range title.words {
		if len(w) > 3 && w != codeWord {
			long++
			if slices.Contains(order.words, w) {
				shared++
			}
		}
	}
	return long > 0 && 3*shared >= long
}

// isUniversal reports whether a sentence speaks of every case.
func isUniversal(s sentence) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return universal[w] })
}

// isUsable reports whether a sentence is whole and about the code at all.
func isUsable(s sentence) bool {
	points := s.force == states && s.says(pointerCue)
	return s.length() > 1 && !s.hole && !s.isQuestion() && !s.says(metaCue) && !points
}

// reasonAt is the sentence at i when it gives a reason ("Otherwise …") and no closing remark
// ("Otherwise LGTM").
func reasonAt(body []sentence, i int) sentence {
	if i < len(body) && reasons[body[i].word(0)] && !body[i].hole && !body[i].approves() {
		return body[i]
	}
	return sentence{}
}

// cureAt is the sentence at i when it says what to do where the order only forbids, or names what
// there is already. One with an address stays out, so that the order is not judged by it.
func cureAt(body []sentence, i int, order sentence) sentence {
	if i >= len(body) || !isUsable(body[i]) || body[i].says(praiseCue) || hasAddress(body[i].source) {
		return sentence{}
	}
	next := body[i]
	if order.forbids() && (next.isImperative() && !next.forbids() || next.says(alternativeCue) && next.force == states) {
		return next
	}
	return sentence{}
}

func (s sentence) forbids() bool {
	return prohibitions[s.word(0)] || strings.HasPrefix(s.word(0), "n'")
}

// pickOrder is the index of the sentence that instructs most, the first of equals, or -1. What
// holds for every case goes before what holds for this one.
func pickOrder(body []sentence) int {
	best, strength := -1, 0
	for i, s := range body {
		weight := int(s.force)
		if s.force >= demands && isUniversal(s) {
			weight = int(orders) + 1
		}
		if weight > strength && isUsable(s) && (!s.says(praiseCue) || s.isImperative()) {
			best, strength = i, weight
		}
	}
	return best
}

// pickStatement is the first sentence that stands on its own, and its index: one that tells of a
// defect, another statement, or a further order. In prose, which wanders, it is the one before
// the order.
func pickStatement(body []sentence, order int, prose bool) (sentence, int) {
	best, bestRank, index := sentence{}, 0, -1
	for i, s := range body {
		if prose && order >= 0 && i != order-1 || order >= 0 && i > order+1 {
			continue
		}
		if i == order || s.says(praiseCue) || s.length() < minProblem || people[s.word(0)] || reasons[s.word(0)] || i > 0 && pronouns[s.word(0)] {
			continue
		}
		if !isUsable(s) { // what follows may be a story, the beginning a claim
			claim := spoken(firstClause(s.text))
			claim.source, claim.hole = s.source, s.hole
			if s = claim; s.length() < minProblem || !isUsable(s) {
				continue
			}
		}
		rank := 2
		if s.force >= demands {
			if order >= 0 && body[order].length() > shortOrder {
				continue // it says enough
			}
			rank = 1
		} else if s.says(defectCue) {
			rank = 3
		}
		if rank > bestRank {
			best, bestRank, index = s, rank, i
		}
	}
	return best, index
}
