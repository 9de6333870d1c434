package guard

import (
	"strings"
)

// What acts on GitHub outside code: https://docs.github.com on "autolinked references", on
// "mentioning people and teams" and on "linking a pull request to an issue".
var (
	mention = lazily(`(^|[^\w@/.` + "`" + `-])@([A-Za-z0-9][A-Za-z0-9-]*(?:/[A-Za-z0-9._-]*[A-Za-z0-9_])?)`)
	// reference matches #12, owner/repo#12 and owner#12; numbered matches GH-12.
	reference = lazily(`(^|[^\w#&/` + "`" + `-])((?:[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?)?#)(\d+)\b`)
	numbered  = lazily(`\b([Gg][Hh]-)(\d+)\b`)
	// address matches the number at the end of a URL of an issue, a pull request or a discussion.
	address = lazily(`(://[^\s/]+/[^\s/]+/[^\s/]+/(?:issues|pull|pulls|discussions)/)(\d)`)
	closing = lazily(`(?i)\b(clos|fix|resolv)(e[sd]?)?(:?\s+)(#|[\w.-]+/[\w.-]+#|GH-|https?://)`)
	sign    = lazily(`@[A-Za-z0-9]|#\d`)
)

// breaker is a zero-width space: GitHub no longer sees a mention or a reference, a person sees
// no difference.
const breaker = "\u200b"

// Defuse makes text harmless in commit messages, comments and pull-request bodies: mentions,
// issue references and closing keywords outside code spans are broken by a zero-width space.
// Its result never goes into the lessons file.
func Defuse(text string) string {
	return prose(text, func(s string) string {
		s = closing().ReplaceAllString(s, "${1}"+breaker+"${2}${3}${4}")
		s = numbered().ReplaceAllString(s, "${1}"+breaker+"${2}")
		s = address().ReplaceAllString(s, "${1}"+breaker+"${2}")
		return breakSigns(s)
	})
}

// breakSigns breaks every "@name" but in e-mail addresses and paths, and every "#1" but in
// character references and URLs.
func breakSigns(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range sign().FindAllStringIndex(s, -1) {
		harmless := map[byte]string{'@': word + "@/.-", '#': "&/#"}[s[m[0]]]
		if m[0] > 0 && strings.IndexByte(harmless, s[m[0]-1]) >= 0 {
			continue
		}
		b.WriteString(s[at:m[0]+1] + breaker)
		at = m[0] + 1
	}
	return b.String() + s[at:]
}

const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// quoteReferences puts mentions and issue references of a sentence in code spans, where they do
// not act and which hold no invisible character.
func quoteReferences(s string) string {
	s = prose(s, func(s string) string { return mention().ReplaceAllString(s, "$1`@$2`") })
	s = prose(s, func(s string) string { return reference().ReplaceAllString(s, "$1`$2$3`") })
	return prose(s, func(s string) string { return numbered().ReplaceAllString(s, "`$1$2`") })
}
