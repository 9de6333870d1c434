package guard

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// maxLiterals bounds the set that required returns.
const maxLiterals = 400

// required returns sets of literals: every match of the expression contains at least one literal
// of each set. The rules hold some hundred patterns of long alternations; looking for plain words
// first spares a text most of them.
func required(source string) [][]string {
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		panic(err) // the caller has compiled it
	}
	return literalsOf(re.Simplify()).all
}

// literals describes what an expression matches: exactly the strings of exact (nil: not known),
// and in any case something that contains one literal of each set of all.
type literals struct {
	exact []string
	all   [][]string
}

func literalsOf(re *syntax.Regexp) literals {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return exactly(string(re.Rune))
		}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return literals{exact: []string{""}}
	case syntax.OpCharClass:
		return classLiterals(re)
	case syntax.OpCapture:
		return literalsOf(re.Sub[0])
	case syntax.OpPlus:
		return literals{all: literalsOf(re.Sub[0]).all}
	case syntax.OpQuest:
		if sub := literalsOf(re.Sub[0]); sub.exact != nil {
			return literals{exact: append([]string{""}, sub.exact...)}
		}
	case syntax.OpAlternate:
		return alternateLiterals(re.Sub)
	case syntax.OpConcat:
		return concatLiterals(re.Sub)
	}
	return literals{}
}

func exactly(strings ...string) literals {
	return literals{exact: strings, all: worthwhile(nil, strings)}
}

func classLiterals(re *syntax.Regexp) literals {
	var all []string
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(all) == 10 || r > unicode.MaxASCII {
				return literals{}
			}
			all = append(all, string(r))
		}
	}
	return exactly(all...)
}

// alternateLiterals keeps one set: a match holds a literal of the best set of one of the branches.
func alternateLiterals(subs []*syntax.Regexp) literals {
	var out literals
	var union []string
	exact, bounded := true, true
	for _, sub := range subs {
		l := literalsOf(sub)
		exact = exact && l.exact != nil
		bounded = bounded && l.all != nil
		out.exact = append(out.exact, l.exact...)
		union = append(union, best(l.all)...)
	}
	if !exact || len(out.exact) > maxLiterals {
		out.exact = nil
	}
	if bounded {
		out.all = worthwhile(nil, union)
	}
	return out
}

// concatLiterals multiplies neighbours of which all strings are known, and keeps the products and
// the sets of the other parts.
func concatLiterals(subs []*syntax.Regexp) literals {
	var out literals
	product := []string{""}
	whole := true
	for _, sub := range subs {
		l := literalsOf(sub)
		if l.exact != nil && len(product)*len(l.exact) <= maxLiterals {
			product = multiply(product, l.exact)
			continue
		}
		out.all = worthwhile(out.all, product)
		product, whole = []string{""}, false
		if l.exact != nil && len(l.exact) <= maxLiterals {
			product = l.exact
		} else {
			out.all = append(out.all, l.all...)
		}
	}
	out.all = worthwhile(out.all, product)
	if whole {
		out.exact = product
	}
	return out
}

// worthwhile adds a set to the sets when it is worth looking for.
func worthwhile(sets [][]string, set []string) [][]string {
	if shortest(set) < 2 || len(set) > maxLiterals { // a single byte stands in nearly every text
		return sets
	}
	return append(sets, set)
}

// best returns the set that is found in the fewest texts, or nil.
func best(sets [][]string) []string {
	var out []string
	for _, set := range sets {
		out = better(out, set)
	}
	return out
}

func multiply(a, b []string) []string {
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// better returns the set of which the shortest literal is longer, since that occurs by chance
// less often; of sets that are long enough, the one with fewer literals.
func better(a, b []string) []string {
	const enough = 5
	longA, longB := min(shortest(a), enough), min(shortest(b), enough)
	if longB > longA || longB == longA && len(b) < len(a) {
		return b
	}
	return a
}

func shortest(all []string) int {
	if len(all) == 0 {
		return 0
	}
	n := len(all[0])
	for _, s := range all {
		n = min(n, len(s))
	}
	return n
}

// lexicon finds which of many literals a text holds, in one pass over the text.
type lexicon struct {
	literals []string
	numbers  map[string]int
	byStart  map[string][]int // the numbers of the literals, by their first bytes
}

const startLength = 3

// number returns the number of a literal, which is added when it is new.
func (l *lexicon) number(literal string) int {
	if n, known := l.numbers[literal]; known {
		return n
	}
	if l.numbers == nil {
		l.numbers, l.byStart = map[string]int{}, map[string][]int{}
	}
	n := len(l.literals)
	l.literals = append(l.literals, literal)
	l.numbers[literal] = n
	start := literal[:min(startLength, len(literal))]
	l.byStart[start] = append(l.byStart[start], n)
	return n
}

// numbered returns the numbers of literals.
func (l *lexicon) numbered(literals []string) []int {
	out := make([]int, len(literals))
	for i, literal := range literals {
		out[i] = l.number(literal)
	}
	return out
}

// heldBy reports for each literal's number whether text holds the literal.
func (l *lexicon) heldBy(text string) []bool {
	held := make([]bool, len(l.literals))
	for i := range len(text) {
		for n := 1; n <= startLength && i+n <= len(text); n++ {
			for _, number := range l.byStart[text[i:i+n]] {
				held[number] = held[number] || strings.HasPrefix(text[i:], l.literals[number])
			}
		}
	}
	return held
}
