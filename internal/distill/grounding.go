package distill

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	codeSpans = lazily("`([^`]+)`")
	flags     = lazily(`(?:^|[\s(])(--?[A-Za-z][\w-]*)`)
	numbers   = lazily(`\d+(?:[.,]\d+)*`)
)

// supports returns why a sentence is no lesson of the finding: its shape, its language, or a
// name, path, host, flag or number that no finding holds as a whole.
func (in input) supports(lesson string, finding int) error {
	if strings.ContainsFunc(lesson, unicode.IsControl) || !strings.HasSuffix(lesson, ".") || !fits(lesson) || hasAddress(lesson) {
		return errors.New("a lesson does not have the shape of one")
	}
	said, source := "", ""
	for _, e := range in.Findings {
		said += e.Text + "\n" + e.Path + "\n"
		if e.Finding == finding {
			source = prose(e.Text)
		}
	}
	for _, m := range codeSpans().FindAllStringSubmatch(lesson, -1) {
		if !holds(said, strings.TrimSuffix(m[1], "()")) {
			return errors.New("a lesson quotes a name that the review does not hold")
		}
	}
	plain := codeSpans().ReplaceAllString(lesson, " ")
	for _, m := range flags().FindAllStringSubmatch(plain, -1) {
		if !holds(said, m[1]) {
			return errors.New("a lesson holds a flag that the review does not")
		}
	}
	for _, place := range placesIn(plain) {
		if !holds(said, place) {
			return errors.New("a lesson holds a path or a host that the review does not")
		}
	}
	known := numbers().FindAllString(said, -1)
	for _, n := range numbers().FindAllString(plain, -1) {
		if !slices.Contains(known, n) {
			return errors.New("a lesson holds a number that the review does not")
		}
	}
	if !sameScript(plain, source) || tongue(plain)*tongue(source) < 0 {
		return errors.New("a lesson is not in the language of its finding")
	}
	return nil
}

// holds reports whether name occurs in text as a whole: `rm` is not in "perform" or "rm-rf".
func holds(text, name string) bool {
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		first, width := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (!inName(before) || !inName(first)) && (!inName(last) || !inName(after)) {
			return true
		}
		from = start + width
	}
	return false
}

// inName reports whether a rune goes on a name. Scripts without spaces write names between their letters.
func inName(r rune) bool {
	return r == '_' || r == '-' || r == '$' || (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unspaced(r) && r != utf8.RuneError
}

// placesIn lists the words of a sentence that are or could be paths or hosts: those with a slash or
// a full stop inside, but for abbreviations and numbers.
func placesIn(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unspaced(r) || strings.ContainsRune("()[]{}<>\"'“”„«»,;!?、。（）", r)
	})
	var out []string
	for _, w := range words {
		w = strings.Trim(w, ".:/")
		if !strings.ContainsAny(w, "./\\") || w == "and/or" || strings.Trim(w, "0123456789.,/%:") == "" || slices.Contains(abbreviations, strings.ToLower(w)) {
			continue
		}
		out = append(out, w)
	}
	return out
}

// tongue is above 0 for an English text and below for one in another language that is written in
// Latin letters, as far as its small words tell: it does not tell French from German.
func tongue(text string) int {
	sign := 0
	for _, w := range analyse(text).words {
		switch {
		case englishWords[w]:
			sign++
		case foreignWords[w]:
			sign--
		}
	}
	if sign > -minTongue && sign < minTongue {
		return 0
	}
	return sign
}

// minTongue is by how many small words a text must be in one language rather than in another.
const minTongue = 2

// prose is the text of a finding without its fences and code spans.
func prose(body string) string {
	var sb strings.Builder
	for _, b := range readMarkdown(body) {
		if b.kind != code {
			sb.WriteString(codeSpans().ReplaceAllString(b.text(), " ") + "\n")
		}
	}
	return sb.String()
}

// minScriptShare is the share of a finding's letters from which on a lesson may be in their script.
const minScriptShare = 0.2

// sameScript reports whether the script that most of a lesson is written in is one of its
// finding's. It tells Japanese from English.
func sameScript(lesson, source string) bool {
	counts, letters := scripts(source)
	if letters == 0 {
		return true
	}
	ours, _ := scripts(lesson)
	best := slices.MaxFunc(writing, func(a, b *unicode.RangeTable) int { return ours[a] - ours[b] })
	return float64(counts[best]) >= minScriptShare*float64(letters)
}

// writing systems that are told apart. Japanese is Han and kana alike.
var writing = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Han, unicode.Hangul, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari}

func scripts(text string) (counts map[*unicode.RangeTable]int, letters int) {
	counts = map[*unicode.RangeTable]int{}
	for _, r := range text {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			counts[unicode.Han]++
			letters++
			continue
		}
		for _, w := range writing {
			if unicode.Is(w, r) {
				counts[w]++
				letters++
				break
			}
		}
	}
	return counts, letters
}
