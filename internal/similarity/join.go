package similarity

import (
	"cmp"
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
// ordered by A and B: what a double loop over Compare finds, without looking at most pairs. It is a
// set-similarity join with prefix, length and position filters (Xiao and others, "Efficient
// Similarity Joins for Near-Duplicate Detection", 2011) over weighed sets.
func Join(texts []*Text, r Rule) []Pair {
	j := newJoiner(texts, r)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(j.records)))
	found := make([][]Pair, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			seen := make([]int32, len(j.records))
			for x := w; x < len(j.records); x += workers {
				found[w] = j.probe(x, seen, found[w])
			}
		})
	}
	wait.Wait()
	out := slices.Concat(found...)
	slices.SortFunc(out, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return out
}

// joiner holds the sets in the order of their mass, and an index of the rare elements of each.
type joiner struct {
	rule    Rule
	texts   []*Text
	records []record
	index   [][]posting // by element; ascending by record
}

// record is a text as a weighed set, rarest element first.
type record struct {
	text     int // place in texts
	elements []int32
	rest     []int32     // rest[i] is the weight of elements[i:]; one longer than elements
	light    fingerprint // of the elements of weight 1
	heavy    fingerprint // of those of weight 2
}

// fingerprint is a set hashed to bits. Bits in which two differ are elements in which the sets differ,
// which bounds what they share (the bitmap filter of Sandes and others, 2020).
type fingerprint struct {
	bits [2]uint64
	size int
}

func (f *fingerprint) add(element int32) {
	bit := uint32(element) * 2654435761 >> 25 // multiplicative hashing to 7 bits
	f.bits[bit/64] |= 1 << (bit % 64)
	f.size++
}

// shares is the most elements that two sets can share.
func (f *fingerprint) shares(g *fingerprint) int {
	differ := bits.OnesCount64(f.bits[0]^g.bits[0]) + bits.OnesCount64(f.bits[1]^g.bits[1])
	return (f.size + g.size - differ) / 2
}

func (r *record) mass() int32 { return r.rest[0] }

// most is a bound of the weight that two records share.
func (r *record) most(o *record) int { return r.light.shares(&o.light) + 2*r.heavy.shares(&o.heavy) }

// posting is an element of a record: the record's mass, and the weight from the element on.
type posting struct{ record, mass, rest int32 }

func newJoiner(texts []*Text, r Rule) *joiner {
	j := &joiner{rule: r, texts: texts}
	sets := make([][]feature, len(texts))
	frequency := map[string]int32{}
	for i, t := range texts {
		if len(t.tokens) == 0 || len(t.tokens) < r.MinTokens {
			continue
		}
		sets[i] = t.weighed(r.Measure)
		for _, f := range sets[i] {
			frequency[f.stem]++
		}
	}
	names := make([]string, 0, len(frequency))
	for name := range frequency {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b)) })
	id := make(map[string]int32, len(names))
	for i, name := range names {
		id[name] = int32(i)
	}
	for i, set := range sets {
		if len(set) > 0 {
			j.records = append(j.records, newRecord(i, set, id))
		}
	}
	slices.SortFunc(j.records, func(a, b record) int { return cmp.Or(cmp.Compare(a.mass(), b.mass()), cmp.Compare(a.text, b.text)) })
	j.index = make([][]posting, len(names))
	for x, rec := range j.records {
		for place := range rec.prefix(j.needed(rec.mass(), rec.mass())) {
			e := rec.elements[place]
			j.index[e] = append(j.index[e], posting{int32(x), rec.mass(), rec.rest[place]})
		}
	}
	return j
}

func newRecord(text int, set []feature, id map[string]int32) record {
	weights := make([]element, len(set))
	for i, f := range set {
		weights[i] = element{id[f.stem], int32(f.weight)}
	}
	slices.SortFunc(weights, func(a, b element) int { return cmp.Compare(a.id, b.id) })
	rec := record{text: text, elements: make([]int32, len(set)), rest: make([]int32, len(set)+1)}
	for i, e := range slices.Backward(weights) {
		rec.elements[i] = e.id
		rec.rest[i] = rec.rest[i+1] + e.weight
		if e.weight == 1 {
			rec.light.add(e.id)
		} else {
			rec.heavy.add(e.id)
		}
	}
	return rec
}

// element is a feature by its rank of rarity.
type element struct{ id, weight int32 }

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

// needed is the least weight that two sets of these masses share when they reach the floor: from
// common/(a+b-common) >= floor. It is rounded down by a hair, so that no pair at the floor is lost.
func (j *joiner) needed(a, b int32) float64 {
	return j.rule.Floor/(1+j.rule.Floor)*float64(a+b) - 1e-6
}

// prefix is how many of the rarest elements a set must show: whoever shares the needed weight shares one.
func (r *record) prefix(needed float64) int {
	n := 0
	for n < len(r.elements) && float64(r.rest[n]) >= needed {
		n++
	}
	return n
}

// probe appends the pairs of record x with the records before it. seen holds for each record the last
// probe that met it.
func (j *joiner) probe(x int, seen []int32, out []Pair) []Pair {
	rec := &j.records[x]
	mass := float64(rec.mass())
	least := int32(math.Ceil(j.rule.Floor*mass - 1e-6)) // a lighter set cannot reach the floor
	for i := range rec.prefix(j.needed(rec.mass(), least)) {
		postings := j.index[rec.elements[i]]
		heaviest := float64(rec.rest[i])*(1+j.rule.Floor)/j.rule.Floor - mass + 1e-3 // with a heavier one, what is left is too little
		for _, p := range postings[firstAtLeast(postings, least):] {
			if int(p.record) >= x || float64(p.mass) > heaviest {
				break
			}
			if seen[p.record] == int32(x)+1 {
				continue
			}
			seen[p.record] = int32(x) + 1
			needed := j.needed(rec.mass(), p.mass)
			if float64(min(rec.rest[i], p.rest)) < needed {
				continue
			}
			other := &j.records[p.record]
			if float64(rec.most(other)) >= needed && float64(common(rec, other)) >= needed {
				out = j.decide(rec, other, out)
			}
		}
	}
	return out
}

// firstAtLeast is the place of the first posting of a record that weighs as much.
func firstAtLeast(postings []posting, mass int32) int {
	at, _ := slices.BinarySearchFunc(postings, mass, func(p posting, mass int32) int { return cmp.Compare(p.mass, mass) })
	return at
}

// decide appends the pair if the rule finds it at the floor.
func (j *joiner) decide(a, b *record, out []Pair) []Pair {
	first, second := min(a.text, b.text), max(a.text, b.text)
	if d := j.rule.Compare(j.texts[first], j.texts[second]); d.Sureness >= j.rule.Floor {
		out = append(out, Pair{A: first, B: second, Decision: d})
	}
	return out
}

// common is the weight that two records share.
func common(a, b *record) int32 {
	var sum int32
	for i, j := 0, 0; i < len(a.elements) && j < len(b.elements); {
		switch {
		case a.elements[i] < b.elements[j]:
			i++
		case a.elements[i] > b.elements[j]:
			j++
		default:
			sum += a.rest[i] - a.rest[i+1]
			i, j = i+1, j+1
		}
	}
	return sum
}
