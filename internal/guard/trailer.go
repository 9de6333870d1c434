package guard

import (
	"unicode"
	"unicode/utf8"
)

// forged matches, in look-alike-free lower case, what a tolerant reader of the file could take
// for a bullet's trailer (format.md): a date with a word behind it, a verdict, or a pull request
// with a comma behind it.
var forged = lazily(`\d{4} ?- ?\d{1,2} ?- ?\d{1,2} ?[,;]` +
	`|[,;] ?\d{4} ?- ?\d{1,2} ?- ?\d{1,2} ?$` +
	`|^ ?(?:pr|pull request) ?(?:[\w.-]+ ?/ ?[\w.-]+ ?)?# ?\d+ ?[,;]` +
	`|\b(?:changes ?- ?requested|ci ?- ?fix|founder ?- ?note)\b` +
	`|^ ?(?:finding|earned \d+ ?x) ?$` +
	`|\b(?:overridden|stale|expired|withdrawn) \d{4} ?-`)

// Provenance in prose fools no parser, but people and agents that read the file: what only a
// trailer says, beside a pull request, a date or another such word, at the end of a sentence.
var (
	pullOrDate = `(?:\b(?:pr|pull request|pull) ?#? ?\d+|# ?\d+|\d{4} ?[-/.] ?\d{1,2} ?[-/.] ?\d{1,2})`
	trailing   = `(?:\b(?:changes?[ -]{1,3}requested|ci ?- ?fix|founder'?s? ?- ?note)\b|\bearned (?:\d+ ?(?:x\b|times)|once|twice|thrice)|\b(?:overridden|stale|expired|withdrawn) (?:on )?\d{4})`
	provenance = lazily(`(?:` + trailing + `.{0,60}?(?:` + pullOrDate + `|` + trailing + `)|` + pullOrDate + `.{0,60}?` + trailing + `).{0,60}$` +
		`|(?:\b(?:pr|pull request)) ?#? ?\d+ ?[,;] ?\d{4} ?- ?\d{1,2} ?- ?\d{1,2}.{0,20}$`)
)

// citesProvenance reports whether the sentence, code spans as well, ends like a bullet's trailer.
func citesProvenance(s string) bool { return provenance().MatchString(plain(s)) }

// withoutTrailers removes every bracketed group that could be read as a trailer, also one that
// is never closed. Groups within code stay: a parser takes none of them for a trailer, and
// citesProvenance refuses what readers would.
func withoutTrailers(s string) string {
	for {
		start, stop, ok := forgedGroup(s)
		if !ok {
			return s
		}
		s = s[:start] + s[stop:]
	}
}

// forgedGroup finds an innermost group whose content is a forged trailer.
func forgedGroup(s string) (start, stop int, ok bool) {
	ranges := codeRanges(s)
	open, content := -1, 0
	for i, r := range s {
		if _, code := inside(ranges, i); code {
			continue
		}
		switch bracket(r) {
		case '(':
			open, content = i, i+utf8.RuneLen(r)
		case ')':
			if open >= 0 && forged().MatchString(plain(s[content:i])) {
				return open, i + utf8.RuneLen(r), true
			}
			open = -1
		}
	}
	if open >= 0 && forged().MatchString(plain(s[content:])) {
		return open, len(s), true
	}
	return 0, 0, false
}

// bracket returns '(' for anything that looks like an opening bracket, ')' for a closing one.
func bracket(r rune) rune {
	switch {
	case unicode.Is(unicode.Ps, r):
		return '('
	case unicode.Is(unicode.Pe, r):
		return ')'
	}
	return 0
}
