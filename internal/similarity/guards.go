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
	likeness bool // it asks for more likeness, not for less difference: a second opinion may overrule it
	forbids  func(a, b *detail) string
}

// guards in the order in which they are asked.
var guards = []guard{
	{name: "correction", polarity: true, forbids: eitherWay(corrected)},
	{name: "negation", polarity: true, forbids: eitherWay(negated)},
	{name: "command", polarity: true, forbids: eitherWay(commanded)},
	{name: "language", polarity: true, forbids: negatedElsewhere},
	{name: "opposite", polarity: true, forbids: opposed},
	{name: "order", polarity: true, forbids: reordered},
	{name: "only", polarity: true, forbids: eitherWay(restricted)},
	{name: "exception", polarity: true, forbids: eitherWay(excepted)},
	{name: "roles", polarity: true, forbids: swapped},
	{name: "exchange", polarity: true, forbids: exchanged},
	{name: "evidence", likeness: true, forbids: littleShared},
	{name: "condition", forbids: otherCondition},
	{name: "reason", likeness: true, forbids: otherReason},
	{name: "number", forbids: otherNumber},
	{name: "object", forbids: otherObject},
	{name: "template", forbids: template},
}

// guarded returns the first guard that forbids the collapse of x and y, and its reason; in the
// grey band those of likeness are silent.
func guarded(x, y *Text, grey bool) (*guard, string) {
	switch strings.Compare(x.sentence, y.sentence) {
	case 0:
		return nil, "" // a sentence never contradicts itself
	case 1:
		x, y = y, x
	}
	a, b := x.details(), y.details()
	for i := range guards {
		if grey && guards[i].likeness {
			continue
		}
		if why := guards[i].forbids(a, b); why != "" {
			return &guards[i], why
		}
	}
	return nil, ""
}

func eitherWay(f func(a, b *detail) string) func(a, b *detail) string {
	return func(a, b *detail) string {
		if why := f(a, b); why != "" {
			return why
		}
		return f(b, a)
	}
}

// correction begins a sentence that corrects another one: it names the other's words, and says
// something else.
const correction = "correction to "

// corrected: a says that it corrects something, and b does not.
func corrected(a, b *detail) string {
	if says := func(d *detail) bool {
		return len(d.sentence) > len(correction) && strings.EqualFold(d.sentence[:len(correction)], correction)
	}; says(a) && !says(b) {
		return "one is a correction, perhaps of the other"
	}
	return ""
}

// evidence is the weight that two sentences must share, in halves: three words that name a subject.
const evidence = 6

// littleShared: short sentences reach the floor by two words.
func littleShared(a, b *detail) string {
	if overlap(a.Text, b.Text) < evidence {
		return "they share fewer than three words that name a subject"
	}
	return ""
}

// otherCondition: each side holds under a circumstance that the other never mentions, or one holds
// where the other does not.
func otherCondition(a, b *detail) string {
	x, y := a.reading.when, b.reading.when
	if len(x.terms) == 0 || len(y.terms) == 0 {
		return ""
	}
	if own, its := subtract(x.terms, b.subjects), subtract(y.terms, a.subjects); len(own) > 0 && len(its) > 0 {
		return fmt.Sprintf("one holds when %q, the other when %q", strings.Join(own, " "), strings.Join(its, " "))
	}
	if x.negated != y.negated {
		return fmt.Sprintf("one holds when %q, the other when not", strings.Join(x.terms, " "))
	}
	return ""
}

// otherReason: each side gives a reason of which the other knows nothing, or one gives such a reason at
// length. Opposites seldom share words in their reasons, rewordings often do.
func otherReason(a, b *detail) string {
	x, y := a.ownReason(b), b.ownReason(a)
	if min(len(x), len(y)) < 2 && max(len(x), len(y)) < 3 {
		return ""
	}
	return fmt.Sprintf("a reason of its own: %q", strings.Join(append(x, y...), " "))
}

// ownReason are the terms of t's reason, beyond what it demands, if other mentions none of them.
func (t *detail) ownReason(other *detail) []string {
	own := subtract(t.reading.grounds, t.reading.demanded)
	if t.reading.story || intersection(own, other.subjects) > 0 {
		return nil
	}
	return own
}

// otherNumber: each side names a number of its own.
func otherNumber(a, b *detail) string {
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
func (t *detail) units() []string {
	return slices.DeleteFunc(slices.Clone(t.reading.demanded), func(term string) bool { return !units[term] })
}

// otherObject: each side names an identifier of its own, and they have none in common.
func otherObject(a, b *detail) string {
	x, y := ownIdentifiers(a, b), ownIdentifiers(b, a)
	if len(x) == 0 || len(y) == 0 {
		return ""
	}
	return fmt.Sprintf("one is about %s, the other about %s", strings.Join(x, ", "), strings.Join(y, ", "))
}

// ownIdentifiers are those of a that b does not mention, as code or in prose.
func ownIdentifiers(a, b *detail) []string {
	var out []string
	for _, id := range a.identifiers {
		if len(id.stems) > 0 && len(subtract(id.stems, b.stems)) > 0 && len(subtract(id.tokens, b.tokens)) > 0 {
			out = append(out, id.name)
		}
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
