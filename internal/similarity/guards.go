package similarity

import (
	"fmt"
	"slices"
	"strings"
)

// guard forbids a collapse that the measure proposes; it can never cause one. forbids returns one
// line that says why, or "". It sees the pair in a fixed order, so that every decision is symmetric.
type guard struct {
	name     string
	polarity bool // an agent that obeys one sentence breaks the other
	forbids  func(a, b *Text) string
}

// guards in the order in which they are asked.
var guards = []guard{
	{"negation", true, eitherWay(negated)},
	{"opposite", true, opposed},
	{"order", true, reordered},
	{"only", true, eitherWay(restricted)},
	{"exception", false, eitherWay(excepted)},
	{"roles", true, swapped},
	{"evidence", false, littleShared},
	{"condition", false, otherCondition},
	{"reason", false, otherReason},
	{"number", false, otherNumber},
	{"object", false, otherObject},
	{"template", false, template},
}

// guarded returns the first guard that forbids the collapse of a and b, and its reason.
func guarded(a, b *Text) (*guard, string) {
	switch strings.Compare(a.sentence, b.sentence) {
	case 0:
		return nil, "" // a sentence never contradicts itself
	case 1:
		a, b = b, a
	}
	for i := range guards {
		if why := guards[i].forbids(a, b); why != "" {
			return &guards[i], why
		}
	}
	return nil, ""
}

func eitherWay(f func(a, b *Text) string) func(a, b *Text) string {
	return func(a, b *Text) string {
		if why := f(a, b); why != "" {
			return why
		}
		return f(b, a)
	}
}

// covered is the share of a ruled-out proposition from which the other side is taken to demand it.
const covered = 2.0 / 3

// negated: a rules out what b demands.
func negated(a, b *Text) string {
	affirmed := b.affirmed()
	for _, p := range a.reading.subjects {
		if !a.reading.story && !b.reading.story && len(p) > 1 && a.within(p, affirmed) && !a.within(p, a.reading.demanded) {
			return fmt.Sprintf("one demands %q, against which the other gives a reason", strings.Join(p, " "))
		}
	}
	for _, p := range a.reading.rejects {
		left := subtract(p, affirmed)
		if own := subtract(p, a.reading.demanded); a.within(own, affirmed) && !agrees(left, b) {
			return fmt.Sprintf("one rules out %q, which the other demands", strings.Join(own, " "))
		}
		for _, d := range b.reading.demands {
			if ruledOut(left, b.reading.rejects) {
				break
			}
			if (len(d) > 1 || b.reading.story) && b.within(d, p) && !b.within(d, a.reading.demanded) {
				return fmt.Sprintf("one demands %q, which the other rules out", strings.Join(d, " "))
			}
		}
	}
	return ""
}

// ruledOut reports that one of the propositions says no more than the terms.
func ruledOut(terms []string, propositions [][]string) bool {
	return slices.ContainsFunc(propositions, func(p []string) bool { return len(subtract(p, terms)) == 0 })
}

// agrees reports that what is left of a ruled-out proposition is b's reason too, or the opposite of
// what b demands: then both rule it out.
func agrees(left []string, b *Text) bool {
	return intersection(left, b.reading.grounds) > 0 || slices.ContainsFunc(left, func(x string) bool {
		return slices.ContainsFunc(b.reading.demanded, func(y string) bool { return antonyms[[2]string{x, y}] })
	})
}

// within reports whether nearly all of t's proposition p is among the terms.
func (t *Text) within(p, terms []string) bool {
	all, found := 0, 0
	for _, term := range p {
		w := t.weight(term)
		all += w
		if _, ok := slices.BinarySearch(terms, term); ok {
			found += w
		}
	}
	return all > 0 && float64(found) >= covered*float64(all)
}

// affirmed are the terms that a text demands and nowhere rules out.
func (t *Text) affirmed() []string {
	out := t.reading.demanded
	for _, p := range t.reading.rejects {
		out = subtract(out, p)
	}
	return out
}

// opposed: each side has one word of a pair of antonyms, about a shared subject.
func opposed(a, b *Text) string {
	as, bs := subtract(a.reading.demanded, b.reading.demanded), subtract(b.reading.demanded, a.reading.demanded)
	for _, x := range as {
		for _, y := range bs {
			if antonyms[[2]string{x, y}] {
				return fmt.Sprintf("%q against %q", min(x, y), max(x, y))
			}
		}
	}
	return ""
}

// reordered: one side does first what the other does later.
func reordered(a, b *Text) string {
	for _, s := range a.reading.sequence {
		for _, u := range b.reading.sequence {
			af, al := subtract(s.first, s.later), subtract(s.later, s.first)
			bf, bl := subtract(u.first, u.later), subtract(u.later, u.first)
			crossed := append(shared(af, bl), shared(al, bf)...)
			agreed := intersection(af, bf)+intersection(al, bl) > 0
			if bothWays := intersection(af, bl) > 0 && intersection(al, bf) > 0; bothWays || len(crossed) > 0 && !agreed {
				return fmt.Sprintf("%q comes first in one and later in the other", strings.Join(crossed, " "))
			}
		}
	}
	return ""
}

// restricted: a allows only what b does not ask for, or blames the restriction that b asks for.
func restricted(a, b *Text) string {
	for _, l := range a.reading.limits {
		if l.except || len(b.reading.demands) == 0 {
			continue
		}
		for _, m := range b.reading.limits {
			if !m.except && l.told != m.told && intersection(l.terms, m.terms) > 0 {
				return fmt.Sprintf("only %q is asked for by one and blamed by the other", strings.Join(l.terms, " "))
			}
		}
		if joined := b.joins(l.terms, l.main); !l.told && joined != "" {
			return fmt.Sprintf("one asks for %q alone, the other also for %q", strings.Join(l.terms, " "), joined)
		}
		if !l.told && len(l.terms) > 0 && !slices.ContainsFunc(b.reading.demands, func(d []string) bool {
			return intersection(d, l.terms) > 0 && intersection(d, l.main) > 0
		}) {
			return fmt.Sprintf("one allows only %q, which the other does not ask for", strings.Join(l.terms, " "))
		}
	}
	return ""
}

// joins returns what t names beside one of the terms ("harbour and date") and the known terms lack.
func (t *Text) joins(some, known []string) string {
	for i, w := range t.words {
		if w.text != "and" || w.code {
			continue
		}
		left, right := distinct(terms(t.words[max(0, i-3):i])), distinct(terms(t.words[i+1:min(len(t.words), i+4)]))
		if intersection(left, some) > 0 {
			left, right = right, left
		}
		if more := subtract(subtract(left, known), some); intersection(right, some) > 0 && len(more) > 0 {
			return strings.Join(more, " ")
		}
	}
	return ""
}

// excepted: a makes an exception that b does not know.
func excepted(a, b *Text) string {
	for _, l := range a.reading.limits {
		if l.except && !l.told && intersection(l.terms, stems(b)) == 0 {
			return fmt.Sprintf("one excepts %q, the other does not", strings.Join(l.terms, " "))
		}
	}
	return ""
}

// swapped: what one side demands is the other's reason against it, and the other way round.
func swapped(a, b *Text) string {
	x := subtract(subtract(shared(a.reading.demanded, b.reading.grounds), b.reading.demanded), a.reading.grounds)
	y := subtract(subtract(shared(b.reading.demanded, a.reading.grounds), a.reading.demanded), b.reading.grounds)
	if len(x) > 0 && len(y) > 0 {
		return fmt.Sprintf("%q and %q change places", strings.Join(x, " "), strings.Join(y, " "))
	}
	return ""
}

// evidence is the weight that two sentences must share, in halves: three words that name a subject.
const evidence = 6

// littleShared: short sentences reach the floor by two words.
func littleShared(a, b *Text) string {
	common := 0
	for _, f := range a.features {
		if at, ok := slices.BinarySearchFunc(b.features, f.stem, func(g feature, stem string) int { return strings.Compare(g.stem, stem) }); ok {
			common += max(f.weight, b.features[at].weight)
		}
	}
	if common < evidence {
		return "they share fewer than three words that name a subject"
	}
	return ""
}

// otherCondition: each side holds under a circumstance that the other never mentions, or one holds
// where the other does not.
func otherCondition(a, b *Text) string {
	x, y := a.reading.when, b.reading.when
	if len(x.terms) == 0 || len(y.terms) == 0 {
		return ""
	}
	if own, its := subtract(x.terms, stems(b)), subtract(y.terms, stems(a)); len(own) > 0 && len(its) > 0 {
		return fmt.Sprintf("one holds when %q, the other when %q", strings.Join(own, " "), strings.Join(its, " "))
	}
	if x.negated != y.negated {
		return fmt.Sprintf("one holds when %q, the other when not", strings.Join(x.terms, " "))
	}
	return ""
}

// otherReason: each side gives a reason of which the other knows nothing.
func otherReason(a, b *Text) string {
	x, y := subtract(a.reading.grounds, a.reading.demanded), subtract(b.reading.grounds, b.reading.demanded)
	if a.reading.story || b.reading.story || len(x) < 2 || len(y) < 2 || intersection(x, stems(b)) > 0 || intersection(y, stems(a)) > 0 {
		return ""
	}
	return fmt.Sprintf("one because of %q, the other because of %q", strings.Join(x, " "), strings.Join(y, " "))
}

// otherNumber: each side names a number of its own.
func otherNumber(a, b *Text) string {
	x, y := subtract(a.numbers, b.numbers), subtract(b.numbers, a.numbers)
	if len(x) > 0 && len(y) > 0 {
		return fmt.Sprintf("%s against %s", strings.Join(x, " "), strings.Join(y, " "))
	}
	x, y = subtract(a.units(), b.units()), subtract(b.units(), a.units())
	if len(x) > 0 && len(y) > 0 {
		return fmt.Sprintf("%s against %s", strings.Join(x, " "), strings.Join(y, " "))
	}
	return ""
}

// units are those in which a text demands an amount.
func (t *Text) units() []string {
	return slices.DeleteFunc(slices.Clone(t.reading.demanded), func(term string) bool { return !units[term] })
}

// otherObject: each side names an identifier of its own, and they have none in common.
func otherObject(a, b *Text) string {
	x, y := ownIdentifiers(a, b), ownIdentifiers(b, a)
	if len(x) == 0 || len(y) == 0 {
		return ""
	}
	return fmt.Sprintf("one is about %s, the other about %s", strings.Join(x, ", "), strings.Join(y, ", "))
}

// ownIdentifiers are those of a that b does not mention, as code or in prose.
func ownIdentifiers(a, b *Text) []string {
	var out []string
	mentioned := distinct(stemSet(b.words))
	for _, id := range a.identifiers {
		if len(id.stems) > 0 && len(subtract(id.stems, mentioned)) > 0 && len(subtract(id.tokens, b.tokens)) > 0 {
			out = append(out, id.name)
		}
	}
	return out
}

// template: the sentences run in step and name different things in the same places.
func template(a, b *Text) string {
	al := align(spoken(a.words), spoken(b.words))
	places := len(al.slots) + al.actions
	switch {
	case al.share >= 0.5 && places >= 2, al.share >= 0.6 && places >= 1:
		return "the same words about " + strings.Join(al.slots, ", ")
	case al.share >= 0.75 && al.ownA > 0 && al.ownB > 0:
		return "nearly the same words, but each names something of its own"
	default:
		return ""
	}
}

// alignment is how far two sentences run in step.
type alignment struct {
	share      float64  // length of the common subsequence over the shorter sentence
	slots      []string // "x|y": between two common words, what only one and only the other names
	actions    int      // slots in which both name a verb
	ownA, ownB int      // words that only one side has
}

// maxSlot is the most words a side may have in a slot: more is another sentence, not another object.
const maxSlot = 3

// align follows the longest common subsequence of two sentences' stems.
func align(a, b []word) alignment {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].stem == b[j].stem {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	out := alignment{share: float64(length[0][0]) / float64(max(1, min(len(a), len(b))))}
	var x, y []word // what the sides name between two common words
	slot := func() {
		out.ownA, out.ownB = out.ownA+len(x), out.ownB+len(y)
		if len(x) > 0 && len(y) > 0 && len(x) <= maxSlot && len(y) <= maxSlot && (points(x) == points(y)) {
			out.slots = append(out.slots, phrase(x)+"|"+phrase(y))
			if verb(x[0]) && verb(y[0]) {
				out.actions++
			}
		}
		x, y = nil, nil
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i].stem == b[j].stem:
			slot()
			i, j = i+1, j+1
		case j >= len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			x = appendOwn(x, a[i], b)
			i++
		default:
			y = appendOwn(y, b[j], a)
			j++
		}
	}
	slot()
	return out
}

// appendOwn appends a word that points at something and that the other sentence does not have.
func appendOwn(own []word, w word, other []word) []word {
	if w.weight() == 0 && !pointers[w.text] || slices.ContainsFunc(other, func(o word) bool { return o.stem == w.stem }) {
		return own
	}
	return append(own, w)
}

// points reports that nothing but a word of grammar stands in a slot.
func points(own []word) bool { return len(own) == 1 && own[0].weight() == 0 }

func verb(w word) bool { return imperatives[w.text] || nouns[w.text] }

func phrase(ws []word) string {
	texts := make([]string, len(ws))
	for i, w := range ws {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

func spoken(ws []word) []word {
	return slices.DeleteFunc(slices.Clone(ws), func(w word) bool { return w.mark != 0 })
}

func stemSet(ws []word) []string {
	var out []string
	for _, w := range ws {
		out = append(out, w.stem)
	}
	return out
}

func stems(t *Text) []string {
	out := make([]string, 0, len(t.features))
	for _, f := range t.features {
		out = append(out, f.stem)
	}
	return out
}

// subtract returns the terms of sorted set a that are not in sorted set b.
func subtract(a, b []string) []string {
	var out []string
	for _, x := range a {
		if _, found := slices.BinarySearch(b, x); !found {
			out = append(out, x)
		}
	}
	return out
}
