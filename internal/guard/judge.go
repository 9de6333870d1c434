package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule refuses one way of steering an agent. Its patterns read levelled text (see level): lower
// case, no accents, straight quotation marks, no backticks. {name} stands for a vocabulary entry.
type rule struct {
	name string
	why  string // the reason that people are shown
	// speech refuses wherever it stands: no lesson about code needs it.
	speech []string
	// acts are refused where the sentence asks for them, and pass where it forbids, reports or
	// condemns them: a lesson about security names what it forbids.
	acts []string
	// unless lists settings that make a match of this rule harmless; they are looked for in the
	// clause of the match.
	unless []string

	foreign bool // in another language: not for a sentence that is clearly English

	refuses, passes []string // examples, which the tests run
}

type compiledRule struct {
	rule
	speech, acts, unless []pattern
}

// pattern is a compiled expression with sets of numbers of literals: every match holds a literal of
// each set.
type pattern struct {
	re    func() *regexp.Regexp // few texts need it
	needs [][]int
}

// rulebook is all rules, compiled, and the literals that their patterns need.
type rulebook struct {
	rules   []compiledRule
	lexicon lexicon
}

// compiled builds the rulebook at the first judgement: it takes a tenth of a second.
var compiled = sync.OnceValue(func() *rulebook {
	var entries []string
	for name, words := range vocabulary {
		entries = append(entries, "{"+name+"}", "(?:"+words+")")
	}
	expand := strings.NewReplacer(entries...)
	book := &rulebook{}
	compile := func(sources []string) []pattern {
		out := make([]pattern, len(sources))
		for i, source := range sources {
			for strings.Contains(source, "{") && source != expand.Replace(source) { // entries refer to others
				source = expand.Replace(source)
			}
			// A point within a name or an address ends no clause.
			source = strings.ReplaceAll(unaccented(source), `[^.;]`, `(?:[^.;]|\.\w)`)
			out[i].re = lazily(source)
			for _, literals := range required(source) {
				out[i].needs = append(out[i].needs, book.lexicon.numbered(literals))
			}
		}
		return out
	}
	for _, r := range rules {
		book.rules = append(book.rules, compiledRule{r, compile(r.speech), compile(r.acts), compile(r.unless)})
	}
	return book
})

// reading is one way to read a text, with the literals of the rulebook that it holds.
type reading struct {
	text    string
	holds   []bool
	english bool // clearly
}

func (b *rulebook) read(text string) reading {
	return reading{text, b.lexicon.heldBy(text), len(theGrammar().english.FindAllString(text, 3)) == 3}
}

func (p pattern) mayMatch(r reading) bool {
	for _, set := range p.needs {
		if !slices.ContainsFunc(set, func(literal int) bool { return r.holds[literal] }) {
			return false
		}
	}
	return true
}

// judge returns the first rule that refuses any reading of any of the texts.
func judge(texts ...string) (verdict, bool) {
	var seen []string
	for _, text := range texts {
		for _, s := range readings(text) {
			if s == "" || slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			read := compiled().read(s)
			for _, r := range compiled().rules {
				if r.refuses(read) {
					return verdict{r.name, r.why}, true
				}
			}
		}
	}
	return verdict{}, false
}

// readings returns what s says to a reader who sees through look-alike letters, digits that
// stand for letters, letters set apart, words written backwards or rotated, and base64.
func readings(s string) []string {
	base := simplify(level(s))
	folded := latin(base)
	apart := simplify(joined(s))
	return append(decoded(s), base, folded, leet(folded), apart, leet(latin(apart)), unhyphenated(folded), reversed(folded), rot13(folded))
}

// aside is a remark set between a prohibition and its verb: "never, whatever it costs, ...".
var aside = lazily(`\b(never|do not|don'?t|must not|should not), [^,]{0,80}, `)

// simplify spares the patterns two turns of phrase.
func simplify(s string) string {
	return strings.ReplaceAll(aside().ReplaceAllString(s, "$1 "), "instead of", "rather than")
}

func (r compiledRule) refuses(read reading) bool {
	s := read.text
	if r.foreign && read.english {
		return false
	}
	for _, p := range r.speech {
		if p.mayMatch(read) && p.re().MatchString(s) {
			return true
		}
	}
	for _, p := range r.acts {
		if !p.mayMatch(read) {
			continue
		}
		for at := 0; at < len(s); {
			m := p.re().FindStringIndex(s[at:])
			if m == nil {
				break
			}
			start, stop := at+m[0], at+m[1]
			if asked(s, start, stop) && !r.excused(s, start, stop) {
				return true
			}
			at = start + 1
		}
	}
	return false
}

func (r compiledRule) excused(s string, start, stop int) bool {
	clause := s[start : stop+clauseEnd(s[stop:])]
	for _, p := range r.unless {
		if p.re().MatchString(clause) {
			return true
		}
	}
	return false
}
