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

// compare looks at every pair. A bullet is superfluous when an earlier one that stays says the same.
func (s *Store) compare(active []lesson.Bullet, rule similarity.Rule) {
	texts := make([]*similarity.Text, len(active))
	handles := make([]string, len(active))
	gone := make([]bool, len(active))
	for i, b := range active {
		texts[i], handles[i] = similarity.Prepare(b.Sentence), b.Handle()
		for j, a := range active[:i] {
			d := similarity.Decision{Collapse: true, Score: 1, Sureness: 1, Reason: "the same sentence"}
			if handles[i] != handles[j] {
				d = rule.Compare(texts[j], texts[i])
			}
			switch {
			case d.Collapse || d.Guard != "":
				s.Pairs = append(s.Pairs, Pair{a, b, d})
				gone[i] = gone[i] || (d.Collapse && !gone[j])
			case d.Sureness < rule.Floor && (s.Nearest == nil || d.Sureness > s.Nearest.Decision.Sureness):
				s.Nearest = &Pair{a, b, d}
			}
		}
		if gone[i] {
			s.Superfluous++
		}
	}
	slices.SortStableFunc(s.Pairs, func(a, b Pair) int { return cmp.Compare(b.Decision.Sureness, a.Decision.Sureness) })
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
