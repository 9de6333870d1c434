package distill

import (
	"slices"
	"strings"
	"unicode"
)

// sentence is one sentence of a finding with what its words say.
type sentence struct {
	text  string
	words []string
	hits  []hit

	// set by spoken
	source string // as the reviewer wrote it
	hole   bool   // an address that was a part of it is gone
	force  force
	turn   int // byte offset of an order behind the first clause, or 0
}

// analyse reads text as it stands.
func analyse(text string) sentence {
	words := wordsOf(text)
	return sentence{text: text, words: words, hits: cues().find(words, text)}
}

// tones are what the conversational parts of a sentence tell even after they are stripped.
var tones = []class{hedgeCue, metaCue, praiseCue, unsureCue, conventionCue, shouldCue}

// spoken reads a reviewer's sentence: addresses and lead-ins are stripped, their tone is kept.
func spoken(source string) sentence {
	text, hole := withoutLinks(source)
	text = withoutApproval(text)
	s := analyse(withoutLeadIn(text))
	s.source, s.hole = source, hole
	if s.text != text {
		raw := analyse(text)
		if len(raw.words) > 0 && raw.words[0] == "we" && s.isImperative() {
			s.hits = append(s.hits, hit{conventionCue, unplaced, 1})
		}
		for _, h := range raw.hits {
			if slices.Contains(tones, h.class) {
				s.hits = append(s.hits, hit{h.class, unplaced, h.words})
			}
		}
	}
	s.turn = s.laterOrder()
	s.force = s.instructs()
	return s
}

// says reports whether any phrase of the class occurs.
func (s sentence) says(c class) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == c })
}

// begins reports whether a phrase of the class stands at word i.
func (s sentence) begins(c class, i int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == c && h.at == i })
}

// word is the word at i, or "".
func (s sentence) word(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i]
}

func (s sentence) empty() bool { return s.text == "" }

// length is the number of words, where a script without spaces counts three characters as one.
func (s sentence) length() int {
	n := 0
	for _, r := range s.text {
		if unspaced(r) {
			n++
		}
	}
	return len(s.words) + n/3
}

// isQuestion reports whether the sentence asks.
func (s sentence) isQuestion() bool {
	return strings.HasSuffix(strings.TrimRight(s.text, " )\"'"), "?") || strings.HasSuffix(s.text, "？") || strings.HasSuffix(s.text, "؟")
}

// isEnglish reports whether the sentence is in English, as far as its small words tell.
func (s sentence) isEnglish() bool {
	english, foreign := 0, 0
	for _, w := range s.words {
		switch {
		case englishWords[w]:
			english++
		case foreignWords[w], strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxLatin1 }):
			foreign++
		}
	}
	return english > foreign || foreign == 0 && !isUnspaced(s.text)
}

// isGerman reports whether the sentence is in German, whose nouns begin with capitals.
func (s sentence) isGerman() bool {
	n := 0
	for _, w := range s.words {
		if germanWords[w] {
			n++
		}
	}
	return 4*n > len(s.words)
}

// isCode reports whether a line is source that nobody put into a fence.
func isCode(text string) bool {
	found := false
	outsideCode(text, func(s string) string {
		found = found || strings.ContainsAny(s, "{}") || strings.Contains(s, "();") || strings.Contains(s, "==")
		return s
	})
	return found
}

func isUnspaced(text string) bool { return strings.ContainsFunc(text, unspaced) }
