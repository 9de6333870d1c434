package similarity

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// Pair is two of the texts given to Join, by their places, with A < B.
type Pair struct {
	A, B int
	Decision
}

// Join returns every pair of texts that the rule compares and that reaches its floor, guarded or not,
// ordered by A and B: what a double loop over Compare finds, without looking at most pairs.
func Join(texts []*Text, r Rule) []Pair {
	var out []Pair
	for _, pairs := range Near(texts, r, r.Floor) {
		out = append(out, pairs...)
	}
	slices.SortFunc(out, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return out
}

// Near finds every pair of texts that the rule compares and whose sureness is at least from: all that
// share anything where from is 0. It yields them block by block in an order that is always the same, each
// block with the number of texts that are done, so that nobody has to hold more than a block of them.
//
// It is an exact set-similarity join over weighed sets. The sets are ordered by mass, so that those that
// can reach the bound beside another one lie in one window (length filter). What a set shares with them is
// counted along the inverted lists of its elements. The most frequent elements, whose lists would name
// nearly everyone, have a bit each instead; a pair that shares nothing else is looked for only where both
// sets consist of them far enough (prefix filter).
func Near(texts []*Text, r Rule, from float64) iter.Seq2[int, []Pair] {
	return func(yield func(done int, pairs []Pair) bool) {
		j := newJoiner(texts, r, from)
		probes := make([]probe, runtime.GOMAXPROCS(0))
		skipped := len(texts) - len(j.records)
		for at := 0; at < len(j.records); {
			next := min(at+block*len(probes), len(j.records))
			eachWorker(min(len(probes), next-at), func(first, workers int) {
				p := &probes[first]
				p.start(j)
				for x := at + first; x < next; x += workers {
					p.with(x)
				}
			})
			at = next
			var found []Pair
			for i := range probes {
				found = append(found, probes[i].out...)
				probes[i].out = probes[i].out[:0]
			}
			slices.SortFunc(found, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
			if !yield(skipped+at, found) {
				return
			}
		}
	}
}

// block is how many texts each processor compares with those before them until their pairs are yielded.
const block = 64

// eachWorker shares n pieces of work among the processors: do(first, workers) does the pieces first,
// first+workers and so on.
func eachWorker(n int, do func(first, workers int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() { do(first, workers) })
	}
	wait.Wait()
}

// joiner holds the sets in the order of their mass, and where each rare element occurs.
type joiner struct {
	rule    Rule
	from    float64 // the least sureness that is looked for
	texts   []*Text
	records []record
	rare    [][]element // by record
	lists   [][]int32   // by element, if it is rare: its records, ascending
	common  []int32     // the records that may reach the bound by frequent elements alone, ascending
	needed  []int32     // by the sum of two masses: the least weight that they share at the bound
}

// record is a text as a weighed set, without its rare elements: small, since a probe looks at many.
type record struct {
	frequent bitset
	mass     int32
	text     int32 // place in texts
}

// element is a feature by the number of its stem.
type element struct{ id, weight int32 }

// bitset holds frequent elements: a bit for each in the low half, and again in the high half for
// those that weigh 2, so that the bits in both sets are the weight that they share.
type bitset uint64

// maxFrequent is how many elements have a bit. More would leave shorter lists, and more sets that may
// reach the bound by frequent elements alone; both were measured.
const maxFrequent = 32

func (b *bitset) add(bit, weight int32) {
	*b |= 1 << bit
	if weight > 1 {
		*b |= 1 << (bit + maxFrequent)
	}
}

// shares is the weight of the elements in both sets.
func (b bitset) shares(o bitset) int32 { return int32(bits.OnesCount64(uint64(b & o))) }

func newJoiner(texts []*Text, r Rule, from float64) *joiner {
	j := &joiner{rule: r, from: from, texts: texts}
	sets, frequency := number(texts, r)
	bit := frequentBits(frequency)
	for i, set := range sets {
		if len(set) == 0 {
			continue
		}
		rec := record{text: int32(i)}
		for _, e := range set {
			rec.mass += e.weight
			if bit[e.id] >= 0 {
				rec.frequent.add(bit[e.id], e.weight)
			}
		}
		j.records = append(j.records, rec)
	}
	slices.SortFunc(j.records, func(a, b record) int { return cmp.Or(cmp.Compare(a.mass, b.mass), cmp.Compare(a.text, b.text)) })
	if n := len(j.records); n > 0 {
		j.needed = needed(from, 2*j.records[n-1].mass)
	}
	j.rare, j.lists = make([][]element, len(j.records)), make([][]int32, len(frequency))
	for x, rec := range j.records {
		j.rare[x] = slices.DeleteFunc(sets[rec.text], func(e element) bool { return bit[e.id] >= 0 })
		for _, e := range j.rare[x] {
			j.lists[e.id] = append(j.lists[e.id], int32(x))
		}
		if rec.frequent.shares(rec.frequent) >= j.needed[2*rec.mass] {
			j.common = append(j.common, int32(x))
		}
	}
	return j
}

// number returns the texts that the rule compares as sets of elements, and how many hold each element.
func number(texts []*Text, r Rule) (sets [][]element, frequency []int) {
	sets = make([][]element, len(texts))
	ids := map[string]int32{}
	for i, t := range texts {
		if !t.Comparable(r) {
			continue
		}
		features := t.weighed(r.Measure)
		sets[i] = make([]element, len(features))
		for k, f := range features {
			id, known := ids[f.stem]
			if !known {
				id = int32(len(ids))
				ids[f.stem], frequency = id, append(frequency, 0)
			}
			frequency[id]++
			sets[i][k] = element{id, int32(f.weight)}
		}
	}
	return sets, frequency
}

// frequentBits returns for each element its bit, -1 for the rare ones.
func frequentBits(frequency []int) []int32 {
	order, bit := make([]int, len(frequency)), make([]int32, len(frequency))
	for id := range order {
		order[id], bit[id] = id, -1
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(frequency[b], frequency[a]) })
	for n, id := range order[:min(len(order), maxFrequent)] {
		bit[id] = int32(n)
	}
	return bit
}

// weighed returns the set that a measure compares.
func (t *Text) weighed(measure string) []feature {
	if measure != WordsMeasure {
		return t.features
	}
	out := make([]feature, len(t.tokens))
	for i, token := range t.tokens {
		out[i] = feature{token, 1}
	}
	return out
}

// needed tabulates for sums of two masses up to largest the least weight that two sets share at a
// bound: from common/(sum-common) >= bound. It is rounded down by a hair, so that no pair at the bound is lost.
func needed(bound float64, largest int32) []int32 {
	out := make([]int32, largest+1)
	for sum := range out {
		out[sum] = max(1, int32(math.Ceil(bound/(1+bound)*float64(sum)-1e-6)))
	}
	return out
}

// probe finds the pairs of one record after the other with those before it.
type probe struct {
	*joiner
	shared []int32 // by record: the weight of the rare elements that it shares with the one at work
	met    []int32 // the records for which that is not 0
	out    []Pair
}

// start makes the probe ready, once.
func (p *probe) start(j *joiner) {
	if p.joiner == nil {
		p.joiner, p.shared = j, make([]int32, len(j.records))
	}
}

// with appends the pairs of record x.
func (p *probe) with(x int) {
	rec := p.records[x]
	first := p.window(rec)
	p.met = p.met[:0]
	for _, e := range p.rare[x] {
		for _, y := range between(p.lists[e.id], first, x) {
			if p.shared[y] == 0 {
				p.met = append(p.met, y)
			}
			p.shared[y] += e.weight
		}
	}
	for _, y := range p.met {
		if p.reach(rec, p.records[y], p.shared[y]) {
			p.decide(rec, p.records[y])
		}
	}
	if rec.frequent.shares(rec.frequent) >= p.needed[rec.mass+p.records[first].mass] {
		for _, y := range between(p.common, first, x) {
			if p.reach(rec, p.records[y], 0) && p.shared[y] == 0 {
				p.decide(rec, p.records[y])
			}
		}
	}
	for _, y := range p.met {
		p.shared[y] = 0
	}
}

// between cuts ascending records to those from first on and before x.
func between(records []int32, first, x int) []int32 {
	from, _ := slices.BinarySearch(records, int32(first))
	to, _ := slices.BinarySearch(records[from:], int32(x))
	return records[from : from+to]
}

// reach reports whether two records that share this weight of rare elements reach the bound.
func (j *joiner) reach(a, b record, rare int32) bool {
	return rare+a.frequent.shares(b.frequent) >= j.needed[a.mass+b.mass]
}

// window returns the first record that is not too light to reach the bound beside rec.
func (j *joiner) window(rec record) int {
	least := j.from*float64(rec.mass) - 1e-6
	first, _ := slices.BinarySearchFunc(j.records, least, func(r record, least float64) int { return cmp.Compare(float64(r.mass), least) })
	return first
}

// decide appends the pair if it is as sure as is looked for.
func (p *probe) decide(one, other record) {
	a, b := int(min(one.text, other.text)), int(max(one.text, other.text))
	if d := p.rule.Compare(p.texts[a], p.texts[b]); d.Sureness >= p.from {
		p.out = append(p.out, Pair{A: a, B: b, Decision: d})
	}
}
