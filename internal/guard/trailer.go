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
	`|^ ?(?:pr|pull request)? ?(?:[\w.-]+ ?/ ?[\w.-]+ ?)?# ?\d+ ?[,;]` +
	`|\b(?:changes ?- ?requested|ci ?- ?fix|founder ?- ?note)\b` +
	`|^ ?(?:finding|earned \d+ ?x) ?$` +
	`|\b(?:overridden|stale|expired|withdrawn) \d{4} ?-`)

// withoutTrailers removes every bracketed group that could be read as a trailer, also one that
// is never closed. Groups within code stay: a sentence does not end in code.
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
