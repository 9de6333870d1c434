package similarity

import (
	"fmt"
	"slices"
	"strings"
)

// covered is the share of a ruled-out proposition from which the other side is taken to demand it.
const covered = 2.0 / 3

// negated: a rules out what b demands.
func negated(a, b *detail) string {
	for _, p := range a.reading.objections {
		if !a.reading.story && !b.reading.story && len(p) > 1 && a.within(p, b.affirmed) && !a.within(p, a.reading.demanded) {
			return fmt.Sprintf("one demands %q, against which the other gives a reason", strings.Join(p, " "))
		}
	}
	for _, p := range a.reading.rejects {
		left := subtract(p, b.affirmed)
		if own := subtract(p, a.reading.demanded); a.within(own, b.affirmed) && !agrees(left, b) {
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

// commanded: a rules out a command line that b demands and a itself does not.
func commanded(a, b *detail) string {
	for _, id := range a.identifiers {
		if !strings.Contains(id.name, " ") || len(subtract(id.stems, b.affirmed)) > 0 || len(subtract(id.stems, a.reading.demanded)) == 0 {
			continue
		}
		for _, p := range a.reading.rejects {
			if len(subtract(id.stems, p)) == 0 {
				return fmt.Sprintf("one rules out %q, which the other demands", id.name)
			}
		}
	}
	return ""
}

// negatedElsewhere: in another language than English, one side negates and the other does not.
func negatedElsewhere(a, b *detail) string {
	if a.foreign != b.foreign {
		return "one side negates, the other does not"
	}
	return ""
}

// ruledOut reports that one of the propositions says no more than the terms.
func ruledOut(terms []string, propositions [][]string) bool {
	return slices.ContainsFunc(propositions, func(p []string) bool { return len(subtract(p, terms)) == 0 })
}

// agrees reports that what is left of a ruled-out proposition is b's reason too, or the opposite of
// what b demands: then both rule it out.
func agrees(left []string, b *detail) bool {
	return intersection(left, b.reading.grounds) > 0 || slices.ContainsFunc(left, func(x string) bool {
		return slices.ContainsFunc(b.reading.demanded, func(y string) bool { return oppose(x, y) })
	})
}

// within reports whether nearly all of t's proposition p is among the terms.
func (t *detail) within(p, terms []string) bool {
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

// opposed: each side has one word of a pair of antonyms, about a shared subject.
func opposed(a, b *detail) string {
	as, bs := subtract(a.reading.demanded, b.reading.demanded), subtract(b.reading.demanded, a.reading.demanded)
	for _, x := range as {
		for _, y := range bs {
			if oppose(x, y) {
				return fmt.Sprintf("%q against %q", min(x, y), max(x, y))
			}
		}
	}
	return ""
}

// reordered: one side does first what the other does later.
func reordered(a, b *detail) string {
	for _, s := range a.reading.order {
		for _, u := range b.reading.order {
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
func restricted(a, b *detail) string {
	for _, l := range a.reading.limits {
		if len(b.reading.demands) == 0 {
			continue
		}
		for _, m := range b.reading.limits {
			if l.blamed != m.blamed && intersection(l.terms, m.terms) > 0 {
				return fmt.Sprintf("only %q is asked for by one and blamed by the other", strings.Join(l.terms, " "))
			}
		}
		if joined := b.joins(l.terms, l.main); !l.blamed && joined != "" {
			return fmt.Sprintf("one asks for %q alone, the other also for %q", strings.Join(l.terms, " "), joined)
		}
		if !l.blamed && len(l.terms) > 0 && !slices.ContainsFunc(b.reading.demands, func(d []string) bool {
			return intersection(d, l.terms) > 0 && intersection(d, l.main) > 0 || len(l.terms) > 1 && a.within(l.terms, d)
		}) {
			return fmt.Sprintf("one allows only %q, which the other does not ask for", strings.Join(l.terms, " "))
		}
	}
	return ""
}

// joins returns what t names beside one of the terms ("harbour and date") and the known terms lack.
func (t *detail) joins(some, known []string) string {
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
func excepted(a, b *detail) string {
	for _, e := range a.reading.exceptions {
		if intersection(e, b.subjects) == 0 {
			return fmt.Sprintf("one excepts %q, the other does not", strings.Join(e, " "))
		}
	}
	return ""
}

// swapped: what one side demands the other rules out or argues against, and the other way round.
func swapped(a, b *detail) string {
	x := subtract(subtract(shared(a.reading.demanded, b.against(a)), b.reading.demanded), a.against(b))
	y := subtract(subtract(shared(b.reading.demanded, a.against(b)), a.reading.demanded), b.against(a))
	if len(x) > 0 && len(y) > 0 {
		return fmt.Sprintf("%q and %q change places", strings.Join(x, " "), strings.Join(y, " "))
	}
	return ""
}

// against are the terms that a text gives as a reason, or rules out where the other does not.
func (t *detail) against(other *detail) []string {
	out := slices.Clone(t.reading.grounds)
	for _, p := range t.reading.rejects {
		if !ruledOut(p, other.reading.rejects) {
			out = append(out, p...)
		}
	}
	return distinct(out)
}
