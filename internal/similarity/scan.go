package similarity

import (
	"regexp"
	"slices"
	"strings"
)

// word is a token of a sentence in its place.
type word struct {
	text string // lower case
	term        // what the lexicon says of it
	code bool   // inside a code span
	on   bool   // "on" or "off" as a state, not a preposition
	mark rune   // a punctuation mark that ends a clause; then text is empty
}

// weight of the word in the default measure, in halves: 0 grammar, 1 general, 2 subject. A word of
// grammar inside a code span is general. Among words that weigh, it depends on the stem alone.
func (w word) weight() int {
	switch {
	case w.grammar && !w.code && !w.on:
		return 0
	case w.grammar, w.general:
		return 1
	default:
		return 2
	}
}

// identifiers are code spans, and bare words that only code is written in: paths, flags, dotted and
// snake_case names, calls, CONSTANTS and camelCase.
var (
	identifierPattern = regexp.MustCompile("`([^`]+)`" +
		`|(?:^|[\s("'])(--?[a-zA-Z][\w-]*|[\w.@-]*[\w-]/[\w./*-]*\w|\w+(?:\.\w+)*\(\)|[a-zA-Z]\w*_\w+|\w+\.(?:[a-z]{2,4})\b|[a-z]+[A-Z]\w+)`)
	hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

	// plainer undoes contractions; "icon-only buttons" limits nothing.
	plainer = strings.NewReplacer("n't", " not", "n’t", " not", " can not ", " cannot ", "-only ", " ")
)

// scan splits a sentence into words and clause marks.
func scan(sentence string) []word {
	sentence = plainer.Replace(sentence)
	out := make([]word, 0, len(sentence)/4)
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 {
			for _, w := range words(hump.ReplaceAllString(part, "$1 $2")) {
				out = append(out, word{text: w, term: termOf(w), code: true})
			}
			continue
		}
		out = appendProse(out, part)
	}
	for i := range out {
		out[i].on = isState(out, i)
	}
	return out
}

// isState reports whether "on" or "off" is a state: turned on, default to off, off by default.
func isState(ws []word, i int) bool {
	if ws[i].code || ws[i].text != "on" && ws[i].text != "off" {
		return false
	}
	next := word{mark: '.'}
	if i+1 < len(ws) {
		next = ws[i+1]
	}
	return next.mark != 0 || !next.code && functionWords[next.text] && !determiners[next.text]
}

func appendProse(out []word, prose string) []word {
	start := 0
	emit := func(end int) {
		for _, w := range words(prose[start:end]) {
			out = append(out, word{text: w, term: termOf(w)})
		}
	}
	for i, r := range prose {
		if endsClause(r, prose[i:]) {
			emit(i)
			start = i
			out = append(out, word{mark: r})
		}
	}
	emit(len(prose))
	return out
}

// endsClause reports whether r, with which rest begins, is punctuation between clauses and not inside
// a number, a file name or a time of day.
func endsClause(r rune, rest string) bool {
	switch r {
	case ';', '!', '?', '(', ')', '–', '—', '。', '，', '；', '：':
		return true
	case '.', ',', ':':
		return len(rest) == 1 || rest[1] == ' '
	default:
		return false
	}
}

// identifier is a name that only code has.
type identifier struct {
	name   string
	tokens []string // as Tokens gives them
	stems  []string // distinct, sorted; none for an operator such as %
}

// identifiers returns the distinct identifiers of a sentence in their order.
func identifiers(sentence string) []identifier {
	if !mayNameCode(sentence) {
		return nil
	}
	var out []identifier
	for _, m := range identifierPattern.FindAllStringSubmatch(sentence, -1) {
		id := identifier{name: m[1] + m[2], tokens: Tokens(m[1] + m[2])}
		for _, w := range words(hump.ReplaceAllString(id.name, "$1 $2")) {
			id.stems = append(id.stems, termOf(w).stem)
		}
		id.stems = distinct(id.stems)
		if !slices.ContainsFunc(out, func(i identifier) bool { return slices.Equal(i.stems, id.stems) }) {
			out = append(out, id)
		}
	}
	return out
}

// mayNameCode reports whether a sentence has what every identifier has one of. It spares most of
// plain prose the pattern.
func mayNameCode(sentence string) bool {
	for i := 1; i < len(sentence); i++ {
		switch before, c := sentence[i-1], sentence[i]; {
		case strings.IndexByte("`-/_(", before) >= 0:
			return true
		case before == '.' && 'a' <= c && c <= 'z', 'a' <= before && before <= 'z' && 'A' <= c && c <= 'Z':
			return true
		}
	}
	return false
}
