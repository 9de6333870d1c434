package distill

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed cues.txt
var cuesText string

// class is what a phrase tells; each is a section of cues.txt, which says what it means.
type class string

const (
	mustCue       class = "must"
	shouldCue     class = "should"
	openerCue     class = "opener"
	alwaysCue     class = "always"
	imperativeCue class = "imperative"
	verbCue       class = "verb"

	hedgeCue      class = "hedge"
	praiseCue     class = "praise"
	closingCue    class = "closing"
	pointerCue    class = "pointer"
	metaCue       class = "meta"
	unsureCue     class = "unsure"
	defectCue     class = "defect"
	trivialCue    class = "trivial"
	localCue      class = "local"
	metricCue     class = "metric"
	describesCue  class = "describes"
	reasonCue     class = "reason"
	conventionCue class = "convention"
	contrastCue   class = "contrast"

	alternativeCue class = "alternative"
	stepsCue       class = "steps"
	nameCue        class = "name"

	ackCue     class = "ack"
	refuteCue  class = "refute"
	disputeCue class = "dispute"
	repeatCue  class = "repeat"

	criticalLabel class = "critical"
	highLabel     class = "high"
	mediumLabel   class = "medium"
	lowLabel      class = "low"
	fillerLabel   class = "label-filler"

	praiseSection   class = "section-praise"
	boilerplate     class = "section-boiler"
	nitSection      class = "section-nits"
	questionSection class = "section-questions"
	issueSection    class = "section-issues"

	whereField    class = "field-where"
	problemField  class = "field-problem"
	fixField      class = "field-fix"
	severityField class = "field-severity"
	noiseField    class = "field-noise"
)

// lexicon finds the phrases of every class of cues.txt in a sentence.
type lexicon struct {
	spaced map[string][]phrase // by the first two runes of the first word
	joined []phrase            // of scripts without spaces
}

type phrase struct {
	class class
	words []string
	stem  bool // the last word is only a beginning
}

// cues is read when a review is, not when a program starts.
var cues = sync.OnceValue(func() *lexicon { return readCues(cuesText) })

func readCues(data string) *lexicon {
	l := &lexicon{spaced: map[string][]phrase{}}
	current := class("")
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			current = class(strings.Trim(line, "[]"))
		default:
			for p := range strings.SplitSeq(line, ",") {
				l.add(current, strings.TrimSpace(p))
			}
		}
	}
	return l
}

func (l *lexicon) add(c class, text string) {
	if strings.ContainsFunc(text, unspaced) {
		l.joined = append(l.joined, phrase{class: c, words: []string{text}})
		return
	}
	stem := strings.HasSuffix(text, "*")
	words := wordsOf(strings.TrimSuffix(text, "*"))
	if len(words) == 0 {
		return
	}
	key := bucket(words[0])
	l.spaced[key] = append(l.spaced[key], phrase{c, words, stem})
}

// hit is a phrase found at a word of a sentence.
type hit struct {
	class class
	at    int // index of its first word, or unplaced
	words int
}

// unplaced is the position of a phrase in a script without spaces, or in a part that was stripped.
const unplaced = -1

// find returns every phrase in the sentence, which comes as its words and as text.
func (l *lexicon) find(words []string, text string) []hit {
	var hits []hit
	for i, w := range words {
		for _, p := range l.spaced[bucket(w)] {
			if p.matches(words[i:]) {
				hits = append(hits, hit{p.class, i, len(p.words)})
			}
		}
	}
	if strings.ContainsFunc(text, unspaced) {
		for _, p := range l.joined {
			if strings.Contains(text, p.words[0]) {
				hits = append(hits, hit{p.class, unplaced, 1})
			}
		}
	}
	return hits
}

func (p phrase) matches(words []string) bool {
	if len(words) < len(p.words) {
		return false
	}
	last := len(p.words) - 1
	for i, w := range p.words[:last] {
		if words[i] != w {
			return false
		}
	}
	if p.stem {
		return strings.HasPrefix(words[last], p.words[last])
	}
	return words[last] == p.words[last]
}

// bucket is the first two runes of a word.
func bucket(word string) string {
	_, first := utf8.DecodeRuneInString(word)
	_, second := utf8.DecodeRuneInString(word[first:])
	return word[:first+second]
}

// codeWord stands for a code span among words.
const codeWord = "`x`"

// wordsOf splits a sentence into lower-case words; a hyphen or an apostrophe inside a word
// belongs to it, and a code span is one word.
func wordsOf(s string) []string {
	var words []string
	start := -1
	runes := []rune(strings.ToLower(s))
	cut := func(end int) {
		if start >= 0 {
			words = append(words, strings.Trim(string(runes[start:end]), "-'"))
			start = -1
		}
	}
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; {
		case c == '`':
			cut(i)
			for i++; i < len(runes) && runes[i] != '`'; i++ {
			}
			words = append(words, codeWord)
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || unicode.IsMark(c) && start >= 0:
			if start < 0 {
				start = i
			}
		case c == '-' || c == '+' && start >= 0:
		case c == '\'' || c == '’':
			runes[i] = '\''
		default:
			cut(i)
		}
	}
	cut(len(runes))
	return words
}

// unspaced reports whether a rune belongs to a script whose words are not separated by spaces
// (or, as in Korean, carry their particles with them).
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}
