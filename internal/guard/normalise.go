package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// maxRounds bounds how many layers of markup are peeled: each round may uncover the next (an
// entity that hides a tag that hides a link). What has not settled by then is refused.
const maxRounds = 12

// normalise rewrites s until another round changes nothing, so that a sentence that passed once
// passes unchanged again.
func normalise(s string, m manner) (sentence string, redacted int, settled bool) {
	for range maxRounds {
		next, n := round(s, m)
		redacted += n
		if next == s {
			return s, redacted, true
		}
		s = next
	}
	return "", redacted, false
}

func round(s string, m manner) (string, int) {
	s, n := redact(visible(s))
	s = flatten(prose(withoutComments(strings.TrimSpace(s)), quoteTypes), m.verbatim)
	s = withoutTrailers(s)
	s = prose(s, func(s string) string { return withoutURLs(s, m.verbatim) })
	s = quoteReferences(s)
	s = prose(s, tidy)
	return finish(withoutMarker(fold(s))), n
}

// typeParameters matches a type with parameters, up to two deep: Vec<T>, Map<String, List<int>>.
var typeParameters = lazily(`[\pL_][\pL\d_:.]*<(&?\*?[\pL\d_:.\[\]?*']+(?:<[\pL\d_:., \[\]?*'&]*>)?(?:, ?&?\*?[\pL\d_:.\[\]?*']+(?:<[\pL\d_:., \[\]?*'&]*>)?)*)>`)

// quoteTypes puts types with parameters in code spans, where they are not taken for HTML.
func quoteTypes(s string) string {
	return typeParameters().ReplaceAllStringFunc(s, func(t string) string {
		parameter := t[strings.IndexByte(t, '<')+1 : len(t)-1]
		if strings.ToLower(parameter) == parameter && atom.Lookup([]byte(parameter)) != 0 {
			return t // a tag that follows a word: "fast<br>"
		}
		return "`" + t + "`"
	})
}

var url = lazily(`(?i)(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>` + "`" + `]*[^\s<>` + "`" + `.,;:!?'")\]}*]`)

func withoutURLs(s string, verbatim bool) string {
	if verbatim {
		return url().ReplaceAllString(s, "`$0`")
	}
	return url().ReplaceAllString(s, "")
}

var target = lazily(`\]\([^()\s]*(?: [^()]*)?\)`)

// withoutTargets drops the targets of Markdown links: they never reach the sentence, so they are
// not judged.
func withoutTargets(s string) string { return target().ReplaceAllString(s, "]") }

var (
	emptyPair   = lazily(`\(\s*\)|\[\s*\]|""`)
	beforePoint = lazily(`([^<\s])\s+([.,;:!?])(\s|$)`)
)

// tidy removes what removals leave behind.
func tidy(s string) string {
	return beforePoint().ReplaceAllString(emptyPair().ReplaceAllString(s, ""), "$1$2$3")
}

// marker is what would make the beginning of a bullet something else than a sentence, and that
// the Markdown parser has not taken: a check box, a table's bar, a typographic bullet.
var marker = lazily(`^(?:\[[ xX]?\]|[|•·▪◦‣*+>#=~–—-]+(?:\s+|$)|\|+)\s*`)

func withoutMarker(s string) string {
	for marker().MatchString(s) {
		s = marker().ReplaceAllString(s, "")
	}
	return s
}

// finish makes s end in ".", "!" or "?".
func finish(s string) string {
	s = strings.TrimRight(s, " ,;:–—-|\\")
	if s == "" {
		return ""
	}
	switch last, size := utf8.DecodeLastRuneInString(s); last {
	case '.', '!', '?':
		return s
	case '。', '．', '｡', '…', '।', '۔':
		return s[:len(s)-size] + "."
	case '！':
		return s[:len(s)-size] + "!"
	case '？', '؟':
		return s[:len(s)-size] + "?"
	}
	return s + "."
}

// wordCount returns how many words s has; scripts that set no spaces count two letters a word.
func wordCount(s string) int {
	words, dense := 0, 0
	for _, field := range strings.Fields(s) {
		n := strings.Count(strings.Map(func(r rune) rune {
			if unspaced(r) {
				return 'x'
			}
			return -1
		}, field), "x")
		dense += n
		if n == 0 && strings.ContainsFunc(field, unicode.IsLetter) {
			words++
		}
	}
	return words + dense/2
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

const (
	leastWordShare = 0.7 // of the characters outside code: letters, digits, marks, spaces
	longestWord    = 45  // "pneumonoultramicroscopicsilicovolcanoconiosis"
)

// mostlyWords reports whether s reads like words. A code span counts as one.
func mostlyWords(s string) bool {
	good, all, words, long := 0, 0, 0, false
	prose(s, func(s string) string {
		for _, r := range s {
			all++
			if unicode.In(r, unicode.L, unicode.M, unicode.N) || r == ' ' {
				good++
			}
		}
		for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
			words++
			long = long || utf8.RuneCountInString(w) > longestWord && !strings.ContainsFunc(w, unspaced)
		}
		return ""
	})
	const codeSpan = 4 // characters, about a short word
	spans := codeSpan * len(codeRanges(s))
	return words > 0 && !long && float64(good+spans) >= leastWordShare*float64(all+spans)
}
