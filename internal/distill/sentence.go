package distill

import (
	"slices"
	"strings"
	"unicode"
)

// sentence is one sentence of a finding with what its words say.
type sentence struct {
	text  string // without conversational lead-ins
	words []string
	hits  []hit
}

// newSentence analyses text as it stands.
func newSentence(text string) sentence {
	words := wordsOf(text)
	return sentence{text: text, words: words, hits: cues.find(words, text)}
}

// tones are what the conversational parts of a sentence tell even after they are stripped.
var tones = []string{"hedge", "meta", "praise", "unsure", "convention", "should"}

// spoken analyses a reviewer's sentence: the lead-ins are stripped, their tone is kept.
func spoken(text string) sentence {
	s := newSentence(withoutLeadIn(text))
	if s.text == text {
		return s
	}
	for _, h := range newSentence(text).hits {
		if slices.Contains(tones, h.class) {
			s.hits = append(s.hits, hit{h.class, -1, h.words})
		}
	}
	return s
}

// says reports whether any phrase of the class occurs.
func (s sentence) says(class string) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == class })
}

// begins reports whether a phrase of the class stands at word i.
func (s sentence) begins(class string, i int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == class && h.at == i })
}

// isQuestion reports whether the sentence asks.
func (s sentence) isQuestion() bool {
	return strings.HasSuffix(strings.TrimRight(s.text, " )\"'"), "?") || strings.HasSuffix(s.text, "？")
}

// force is how much a sentence instructs.
type force int

const (
	states force = iota // a plain statement
	advises
	demands // says "must"
	orders  // begins a clause with an imperative
)

// force of the sentence. A question has none.
func (s sentence) force() force {
	switch {
	case s.isQuestion():
		return states
	case s.imperativeAt(0) || s.laterOrder() > 0:
		return orders
	case s.says("must"):
		return demands
	case s.says("should"):
		return advises
	}
	return states
}

// finite verbs after the first words show that the first word was a noun ("Return types are wrong").
var finite = strings.Fields(`is are was were be been has had does did will would can could should must may might
	needs looks seems says gets isn't aren't doesn't wasn't fails breaks goes makes returns uses takes gives`)

// objects may follow an imperative directly and rule out that it is a noun.
var objects = strings.Fields(`the a an this that these those it them its their your our each every all any both no not one
	only either what which who whether how when where if to at in on from with by for into out up down off back as
	over under before after between until through against and or here there everywhere always never
	` + codeWord)

// imperativeAt reports whether the clause that starts at word i begins with an order.
func (s sentence) imperativeAt(i int) bool {
	for i < len(s.words) && slices.Contains([]string{"then", "also", "just", "instead", "so", "and", "simply", "rather", "first", "kindly"}, s.words[i]) {
		i++
	}
	if i >= len(s.words) {
		return false
	}
	if s.begins("opener", i) || s.begins("imperative", i) || vousForm(s.words[i]) {
		return true
	}
	if !s.begins("verb", i) || i+1 >= len(s.words) {
		return false
	}
	next := s.words[i+1]
	if next == "of" || slices.Contains(finite, next) {
		return false
	}
	if slices.Contains(objects, next) {
		return true
	}
	for _, w := range s.words[i+1 : min(i+5, len(s.words))] {
		if slices.Contains(finite, w) {
			return false
		}
		if slices.Contains(objects, w) {
			break
		}
	}
	return true
}

// vousForm reports French's imperative of the second person plural.
func vousForm(word string) bool {
	return len(word) > 5 && strings.HasSuffix(word, "ez")
}

// subordinate words open a clause that an order may follow after a comma.
var subordinate = strings.Fields(`if when whenever before after for in to instead rather on since as because unless once with without while where until from given otherwise
	wenn falls bevor nachdem da weil um si cuando antes después para al quand lorsque avant après pour se quando depois prima dopo per als wanneer voor jeśli gdy если когда перед после при для`)

// laterOrder is the byte offset of an order behind the sentence's first clause ("if X, do Y",
// "X is blank here; use Y"), or 0.
func (s sentence) laterOrder() int {
	afterComma := len(s.words) > 0 && slices.Contains(subordinate, s.words[0])
	inCode := false
	for i, c := range s.text {
		switch {
		case c == '`':
			inCode = !inCode
		case inCode:
		case c == ';' || c == ':' && strings.HasPrefix(s.text[i+1:], " ") || c == '—' || c == '–' || c == ',' && (afterComma || strings.HasPrefix(s.text[i:], ", but ") || strings.HasPrefix(s.text[i:], ", so ") || strings.HasPrefix(s.text[i:], ", please ")):
			from := i + len(string(c))
			clause := strings.TrimLeftFunc(s.text[from:], unicode.IsSpace)
			clause = strings.TrimPrefix(strings.TrimPrefix(clause, "but "), "so ")
			if head := newSentence(firstWords(clause, 60)); head.imperativeAt(0) {
				return len(s.text) - len(clause)
			}
		}
	}
	return 0
}

// firstWords is at most n bytes of s, cut at a space.
func firstWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return s
}

// pronouns point to something outside the clause.
var pronouns = strings.Fields(`it its them they their this that these those one ones both him such same
	es sie ihn ihm dies dieser diese dieses das esto eso lo la los las cela ça celui ceci isto isso ele ela questo quello dit deze это его её их это`)

// english reports whether the sentence is in English, as far as its small words tell.
func (s sentence) english() bool {
	en, other := 0, 0
	for _, w := range s.words {
		if slices.Contains(englishWords, w) {
			en++
		} else if slices.Contains(foreignWords, w) || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxLatin1 }) {
			other++
		}
	}
	return en > 0 && en > other || other == 0 && !strings.ContainsFunc(s.text, unspaced)
}

var (
	englishWords = strings.Fields("the a an is are to of and in when it not this that for with on from by be as at than before after each every must should")
	foreignWords = strings.Fields(`der die das den dem ein eine einen und nicht ist wird mit für auf bei von zu im el la los las un una que y es en con por
		para no se le les des est et dans pour sur avec ne pas du au o os não um uma em ao da do il che è di non per een het van niet met w z na się i и в на не с`)
)

// isCode reports whether a line is unfenced source.
func isCode(text string) bool {
	bare := outsideCode(text, func(s string) string { return strings.ReplaceAll(s, " ", "\x00") })
	for i, part := range strings.Split(bare, "`") {
		if i%2 == 0 && strings.ContainsAny(part, "{}") || i%2 == 0 && strings.Contains(part, "();") || i%2 == 0 && strings.Contains(part, "==") {
			return true
		}
	}
	return false
}
