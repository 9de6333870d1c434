package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

var (
	mentions = lazily(`(^|[\s(])@([A-Za-z0-9][\w-]*)`)
	shortcut = lazily(`:[a-z][a-z0-9_+-]+:`)
	tags     = lazily(`</?[a-zA-Z!][^>]{0,200}>`)
)

// shape makes a wording into a lesson's one line, or "" when it cannot be one.
func shape(text, path string) string {
	text = outsideCode(text, func(s string) string {
		s = shortcut().ReplaceAllString(tags().ReplaceAllString(links().ReplaceAllString(spellOut(s), ""), ""), "")
		s = mentions().ReplaceAllString(s, "$1$2")
		return strings.Map(func(r rune) rune {
			if isSymbol(r) {
				return -1
			}
			return r
		}, s)
	})
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " ,", ",")
	text = trimEnd(text)
	if !isUnspaced(text) {
		text = upperFirst(text)
	}
	if analyse(text).length() < minWords {
		return ""
	}
	if len(similarity.Tokens(text)) < MinTokens && path != "" {
		if analyse(text).isEnglish() {
			text += " in `" + path + "`"
		} else {
			text += " (`" + path + "`)"
		}
	}
	text += "."
	if hasAddress(text) || strings.Contains(text, "<!--") || !fits(text) || strings.Count(text, "`")%2 != 0 {
		return ""
	}
	return text
}

// isSymbol reports an emoji or an invisible character.
func isSymbol(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Cf, unicode.Cc, unicode.Co, unicode.Variation_Selector) && r != '\n' && r != '°' ||
		r >= 0x1F3FB && r <= 0x1F3FF
}

// minWords is the least number of words of a lesson apart from the place that is added to it.
const minWords = 5

// outsideCode applies f to the stretches between code spans.
func outsideCode(text string, f func(string) string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = f(parts[i])
	}
	return strings.Join(parts, "`")
}

func trimEnd(s string) string {
	return strings.TrimRightFunc(s, func(r rune) bool { return strings.ContainsRune(" .!:;,。！：；、…।॥۔", r) || isSymbol(r) })
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst lowers a capital that only began a sentence. Names and, outside English, nouns keep
// theirs.
func lowerFirst(text string) string {
	text = strings.TrimSpace(text)
	head := analyse(firstWords(text, 80))
	r, n := utf8.DecodeRuneInString(text)
	if len(head.words) == 0 || !unicode.IsUpper(r) || head.begins(nameCue, 0) {
		return text
	}
	word := text[n:min(len(text), max(n, len(head.word(0))))]
	small := germanWords[head.word(0)] || head.begins(imperativeCue, 0) || head.begins(openerCue, 0)
	if strings.ContainsFunc(word, unicode.IsUpper) || !small && head.isGerman() {
		return text
	}
	return string(unicode.ToLower(r)) + text[n:]
}
