// Package report measures lessons files: which bullets say the same, how close the others come,
// and how the share of re-earned lessons develops. It renders what it measures. Pure.
package report

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Pair is two active bullets of one file, and what the rule says of them.
type Pair struct {
	A, B     lesson.Bullet // A comes first in the file
	Decision similarity.Decision
	a, b     int // their places among the active bullets
}

// Store is what one lessons file is made of. Its counts are exact, however large the file; of the
// pairs themselves only the surest are kept.
type Store struct {
	Active   int // active bullets, a person's own lines included
	Bounded  int // bullets with a trailer, active or retired: what the cap bounds
	Retired  map[lesson.RetirementKind]int
	TooShort int // active bullets with too few tokens to be compared with others than their copies
	Floor    float64

	Reaching    int // pairs at or above the floor: those that would collapse, and those that a guard keeps apart
	Merging     int // those of them that would collapse
	Opposed     int // those of them that contradict each other
	Superfluous int // active bullets that would collapse onto an earlier one that stays

	Pairs          []Pair // the surest of those at or above the floor, the surest first
	Contradictions []Pair // likewise, of those that contradict each other
	Below          []Pair // likewise, of those from half the floor up to the floor
	Lowest         *Pair  // the least sure that would collapse, nil for none
	Corrections    []Pair // of a bullet and the one that it names as corrected, below the floor or too short to be compared
	Histogram      Histogram
}

// maxPairs is how many pairs of a kind are kept: more than anyone reads.
const maxPairs = 1000

// reach is how far below the floor a pair is still called near, as a share of the floor.
const reach = 0.5

// Of measures a file by a rule.
func Of(file *lesson.File, rule similarity.Rule) Store {
	s, _ := Watched(file, rule, func(int, int) error { return nil }) // no error but that of watch
	return s
}

// Watched measures a file by a rule. While it compares, it tells watch how many of how many bullets
// are done; an error of watch ends it, and is returned.
func Watched(file *lesson.File, rule similarity.Rule, watch func(done, of int) error) (Store, error) {
	s := Store{Retired: map[lesson.RetirementKind]int{}, Floor: rule.Floor}
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
	s.Corrections = corrections(active, rule)
	return s, s.compare(active, rule, rule.Floor*toldApartFrom(len(active)), watch)
}

// compare finds the pairs that are as sure as from, and counts the others. Bullets of one sentence collapse, however short it is, and are compared
// with others as one.
func (s *Store) compare(active []lesson.Bullet, rule similarity.Rule, from float64, watch func(done, of int) error) error {
	groups := group(active)
	texts := make([]string, len(groups))
	for i, g := range groups {
		texts[i] = active[g[0]].Sentence
	}
	prepared := similarity.PrepareAll(texts)
	s.Histogram = newHistogram(rule.Floor, from)
	f := finder{Store: s, active: active, earlier: make([]big.Int, len(active))}
	comparable := 0
	for i, g := range groups {
		f.repeated(g)
		if prepared[i].Comparable(rule) {
			comparable += len(g)
			s.Histogram.Rest -= len(g) * (len(g) - 1) / 2 // counted as repeated
		}
	}
	s.TooShort = len(active) - comparable
	s.Histogram.Rest += comparable * (comparable - 1) / 2
	for done, pairs := range similarity.Near(prepared, rule, from) {
		for _, p := range pairs {
			f.pairs(groups[p.A], groups[p.B], p.Decision)
		}
		if err := watch(done, len(groups)); err != nil {
			return err
		}
	}
	s.Pairs, s.Contradictions, s.Below = f.reaching.surest(), f.opposed.surest(), f.below.surest()
	s.Superfluous = f.superfluous()
	s.Histogram.settle()
	return nil
}

// group returns the places of the bullets of each sentence, in the order of the first ones.
func group(active []lesson.Bullet) [][]int {
	var groups [][]int
	at := map[string]int{}
	for i, b := range active {
		handle := b.Handle()
		g, known := at[handle]
		if !known {
			g = len(groups)
			at[handle] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// RetiredTotal counts the retired bullets of all kinds.
func (s Store) RetiredTotal() int {
	n := 0
	for _, k := range s.Retired {
		n += k
	}
	return n
}

// AllPairs is how many pairs the active bullets make.
func (s Store) AllPairs() int { return s.Active * (s.Active - 1) / 2 }

// Collapsing returns those of the pairs kept that are one lesson.
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

// Nearest is the surest pair below the floor, nil where none reaches half of it.
func (s Store) Nearest() *Pair {
	if len(s.Below) == 0 {
		return nil
	}
	return &s.Below[0]
}

// newPair pairs two active bullets by their places.
func newPair(active []lesson.Bullet, a, b int, d similarity.Decision) Pair {
	return Pair{A: active[a], B: active[b], Decision: d, a: a, b: b}
}

// surestFirst orders pairs, those of one sureness by their places.
func surestFirst(p, q Pair) int {
	return cmp.Or(cmp.Compare(q.Decision.Sureness, p.Decision.Sureness), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// best keeps the surest of many pairs.
type best []Pair

func (s *best) add(p Pair) {
	if *s = append(*s, p); len(*s) >= 2*maxPairs {
		*s = s.surest()
	}
}

func (s *best) surest() []Pair {
	slices.SortFunc(*s, surestFirst)
	return (*s)[:min(len(*s), maxPairs)]
}
