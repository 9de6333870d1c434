package report

import (
	"math/big"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// finder counts the pairs of a store as they are found.
type finder struct {
	*Store
	active                   []lesson.Bullet
	reaching, opposed, below best
	earlier                  []big.Int // by bullet: the places of those before it that it collapses with, as bits
}

// repeated is why bullets of one sentence collapse.
const repeated = "the same sentence"

// repeated counts the pairs of the bullets of one sentence.
func (f *finder) repeated(group []int) {
	for i, b := range group {
		if n := len(f.reaching); n >= maxPairs && i > maxPairs { // all of these are as sure as can be
			f.count(i, similarity.Decision{Collapse: true, Sureness: 1})
			f.earlier[b].SetBit(&f.earlier[b], group[0], 1)
			continue
		}
		for _, a := range group[:i] {
			f.found(a, b, similarity.Decision{Collapse: true, Score: 1, Sureness: 1, Reason: repeated})
		}
	}
}

// pairs counts the pairs between the bullets of one sentence and those of another.
func (f *finder) pairs(one, other []int, d similarity.Decision) {
	f.Histogram.Rest -= len(one) * len(other)
	for _, a := range one {
		for _, b := range other {
			f.found(min(a, b), max(a, b), d)
		}
	}
}

// found counts one pair.
func (f *finder) found(a, b int, d similarity.Decision) {
	p := newPair(f.active, a, b, d)
	f.count(1, d)
	switch {
	case d.Sureness < reach*f.Floor:
	case d.Sureness < f.Floor:
		f.below.add(p)
	default:
		f.reaching.add(p)
	}
	if d.Contradiction {
		f.opposed.add(p)
	}
	if d.Collapse {
		f.earlier[b].SetBit(&f.earlier[b], a, 1)
		if f.Lowest == nil || surestFirst(*f.Lowest, p) < 0 {
			f.Lowest = &p
		}
	}
}

func (f *finder) count(n int, d similarity.Decision) {
	f.Histogram.add(n, d.Sureness)
	if d.Sureness >= f.Floor {
		f.Reaching += n
	}
	if d.Collapse {
		f.Merging += n
	}
	if d.Contradiction {
		f.Opposed += n
	}
}

// superfluous counts the bullets that would collapse onto an earlier one that stays.
func (f *finder) superfluous() int {
	n := 0
	var stays, onto big.Int
	for b := range f.earlier {
		if onto.And(&f.earlier[b], &stays).Sign() != 0 {
			n++
		} else {
			stays.SetBit(&stays, b, 1)
		}
	}
	return n
}
