// Package report measures lessons files: which bullets say the same, how close the others come,
// and how the share of re-earned lessons develops. It renders what it measures. Pure.
package report

import (
	"cmp"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Pair is two active bullets of one file, and what the rule says of them.
type Pair struct {
	A, B     lesson.Bullet // A comes first in the file
	Decision similarity.Decision
}

// Store is what one lessons file is made of.
type Store struct {
	Active  int // active bullets, a person's own lines included
	Bounded int // bullets with a trailer, active or retired: what the cap bounds
	Retired map[lesson.RetirementKind]int
	// Pairs are at or above the floor, the surest first: those that would collapse, and those
	// that only a guard keeps apart.
	Pairs   []Pair
	Nearest *Pair // the surest pair below the floor, nil for none
	// Superfluous counts the active bullets that would collapse onto an earlier one.
	Superfluous int
}

// Of measures a file by a rule.
func Of(file *lesson.File, rule similarity.Rule) Store {
	s := Store{Retired: map[lesson.RetirementKind]int{}}
	_, s.Bounded = file.Counts()
	var active []lesson.Bullet
	for _, b := range file.Bullets() {
		if b.Active() {
			active = append(active, b)
		} else {
			s.Retired[b.Trailer.Retirement.Kind]++
		}
	}
	s.Active = len(active)
	s.compare(active, rule)
	return s
}

// reach is how far below the floor a pair is still called near, as a share of the floor.
const reach = 0.5

// compare finds the pairs. A bullet is superfluous when an earlier one that stays says the same.
func (s *Store) compare(active []lesson.Bullet, rule similarity.Rule) {
	sentences := make([]string, len(active))
	for i, b := range active {
		sentences[i] = b.Sentence
	}
	texts := similarity.PrepareAll(sentences)
	wider := rule
	wider.Floor *= reach
	gone := make([]bool, len(active))
	s.Pairs = corrections(active, rule, texts)
	for _, p := range withRepeated(active, similarity.Join(texts, wider)) {
		pair := Pair{active[p.A], active[p.B], p.Decision}
		if p.Reason != repeated {
			pair.Decision = rule.Compare(texts[p.A], texts[p.B])
		}
		switch d := pair.Decision; {
		case d.Collapse || d.Guard != "":
			s.Pairs = append(s.Pairs, pair)
			gone[p.B] = gone[p.B] || (d.Collapse && !gone[p.A])
		case s.Nearest == nil || d.Sureness > s.Nearest.Decision.Sureness:
			s.Nearest = &pair
		}
	}
	for _, g := range gone {
		if g {
			s.Superfluous++
		}
	}
	slices.SortStableFunc(s.Pairs, func(a, b Pair) int { return cmp.Compare(b.Decision.Sureness, a.Decision.Sureness) })
}

// repeated is why bullets of one sentence collapse, however short it is.
const repeated = "the same sentence"

// withRepeated adds to the pairs those of one sentence, in place of what the rule says of them.
// The pairs come ordered by B, then A.
func withRepeated(active []lesson.Bullet, pairs []similarity.Pair) []similarity.Pair {
	places := map[string][]int{}
	handles := make([]string, len(active))
	for i, b := range active {
		handles[i] = b.Handle()
	}
	pairs = slices.DeleteFunc(pairs, func(p similarity.Pair) bool { return handles[p.A] == handles[p.B] })
	for i, handle := range handles {
		for _, j := range places[handle] {
			pairs = append(pairs, similarity.Pair{A: j, B: i, Decision: similarity.Decision{Collapse: true, Score: 1, Sureness: 1, Reason: repeated}})
		}
		places[handle] = append(places[handle], i)
	}
	slices.SortFunc(pairs, func(p, q similarity.Pair) int { return cmp.Or(cmp.Compare(p.B, q.B), cmp.Compare(p.A, q.A)) })
	return pairs
}

// Collapsing returns the pairs that are one lesson.
func (s Store) Collapsing() []Pair {
	return slices.DeleteFunc(slices.Clone(s.Pairs), func(p Pair) bool { return !p.Decision.Collapse })
}

// DuplicateShare is the share of active bullets that would collapse, from 0 to 1.
func (s Store) DuplicateShare() float64 {
	if s.Active == 0 {
		return 0
	}
	return float64(s.Superfluous) / float64(s.Active)
}

// RetiredTotal counts the retired bullets of all kinds.
func (s Store) RetiredTotal() int {
	n := 0
	for _, k := range s.Retired {
		n += k
	}
	return n
}
