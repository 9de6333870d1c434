package distill

import (
	"slices"
	"strings"
	"unicode"
)

// abbreviations end in a full stop that ends no sentence.
var abbreviations = strings.Fields(`e.g i.e etc vs cf resp approx incl excl fig no nr vol eq sec st mr mrs ms dr
	z.b d.h u.a bzw ca ggf evtl usw inkl s.o s.u p.ej ej pág sr sra núm p.ex ex env éd pp
	tj np т.д т.е т.к напр bijv o.a d.w.z al`)

// openEnded are abbreviations that often stand last, so that a capital after them does begin a sentence.
var openEnded = strings.Fields("etc al usw т.д")

// terminators end a sentence; the wide ones need no space after them.
const (
	terminators     = ".!?…।॥۔؟"
	wideTerminators = "。！？"
)

// wrapColumn is the length from which a line that goes on with a capital is taken for wrapped text
// rather than for a line of its own.
const wrapColumn = 60

// segment cuts running text into sentences. Code spans, paths, versions and abbreviations stay
// whole; a line break ends a sentence only where the next line clearly begins another.
func segment(text string) []string {
	var out []string
	runes := []rune(text)
	start, lineStart, inCode := 0, 0, false
	cut := func(end int) {
		if s := strings.Join(strings.Fields(string(runes[start:end])), " "); s != "" {
			out = append(out, s)
		}
		start = end
	}
	for i, c := range runes {
		switch {
		case c == '`':
			inCode = !inCode
		case inCode:
		case c == '\n':
			if endsLine(runes, lineStart, i) {
				cut(i)
			}
			lineStart = i + 1
		case strings.ContainsRune(wideTerminators, c):
			if i+1 == len(runes) || !strings.ContainsRune(wideTerminators+"」）", runes[i+1]) {
				cut(i + 1)
			}
		case strings.ContainsRune(terminators, c):
			if end := closing(runes, i+1); endsSentence(runes, start, i, end) {
				cut(end)
			}
		}
	}
	cut(len(runes))
	return out
}

// closing skips the quotes and brackets that close behind a terminator.
func closing(runes []rune, i int) int {
	for i < len(runes) && strings.ContainsRune(`"')]”’»`, runes[i]) {
		i++
	}
	return i
}

func endsSentence(runes []rune, start, at, end int) bool {
	if end < len(runes) && !unicode.IsSpace(runes[end]) {
		return unspacedEnd(runes, end)
	}
	if runes[at] != '.' {
		return true
	}
	from := at
	for from > start && !unicode.IsSpace(runes[from-1]) && runes[from-1] != '(' {
		from--
	}
	word := strings.ToLower(string(runes[from:at]))
	if word == "" || isListNumber(word) && from == start {
		return false
	}
	next := skipSpace(runes, end)
	if slices.Contains(abbreviations, word) {
		return next < len(runes) && unicode.IsUpper(runes[next]) && slices.Contains(openEnded, word)
	}
	single := []rune(word)
	if len(single) == 1 && unicode.IsLetter(single[0]) && next < len(runes) { // an initial
		return !unicode.IsUpper(runes[at-1])
	}
	return true
}

// unspacedEnd reports whether a script that needs no spaces goes on directly after the stop.
func unspacedEnd(runes []rune, end int) bool { return unspaced(runes[end]) }

func isListNumber(word string) bool {
	return len(word) <= 2 && strings.Trim(word, "0123456789") == ""
}

func skipSpace(runes []rune, i int) int {
	for i < len(runes) && unicode.IsSpace(runes[i]) {
		i++
	}
	return i
}

// endsLine reports whether the line break at i ends a sentence without punctuation.
func endsLine(runes []rune, lineStart, i int) bool {
	next := skipSpace(runes, i)
	if next == len(runes) {
		return true
	}
	c := runes[next]
	return i-lineStart < wrapColumn && (unicode.IsUpper(c) || c == '-' || c == '•' || unicode.Is(unicode.So, c))
}
