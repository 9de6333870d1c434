package distill

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

var (
	codeSpans = lazily("`([^`]+)`")
	flags     = lazily(`(?:^|[\s(])(--?[A-Za-z][\w-]*)`)
	files     = lazily(`(?:[\w@.-]+/)*\w[\w-]+\.[a-z]{1,5}\b`)
	numbers   = lazily(`\d+(?:[.,]\d+)*`)
)

// supports returns why a sentence is no lesson of the finding: its shape, its language, or a
// name, path, flag or number that no finding holds.
func (in input) supports(lesson string, finding int) error {
	if strings.ContainsFunc(lesson, unicode.IsControl) || !strings.HasSuffix(lesson, ".") || !fits(lesson) || links().MatchString(lesson) {
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
		if !strings.Contains(said, strings.TrimSuffix(m[1], "()")) {
			return errors.New("a lesson quotes a name that the review does not hold")
		}
	}
	plain := codeSpans().ReplaceAllString(lesson, " ")
	for _, m := range flags().FindAllStringSubmatch(plain, -1) {
		if !strings.Contains(said, m[1]) {
			return errors.New("a lesson holds a flag that the review does not")
		}
	}
	for _, file := range files().FindAllString(plain, -1) {
		if !strings.Contains(said, file) {
			return errors.New("a lesson holds a path that the review does not")
		}
	}
	known := numbers().FindAllString(said, -1)
	for _, n := range numbers().FindAllString(plain, -1) {
		if !slices.Contains(known, n) {
			return errors.New("a lesson holds a number that the review does not")
		}
	}
	if !sameScript(plain, source) {
		return errors.New("a lesson is not in the language of its finding")
	}
	return nil
}

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
// finding's. It tells Japanese from English, not Spanish from English.
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
