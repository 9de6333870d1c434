package guard

import (
	"regexp"
	"strings"
)

// What acts on GitHub outside code: https://docs.github.com on "autolinked references", on
// "mentioning people and teams" and on "linking a pull request to an issue".
var (
	mention = regexp.MustCompile(`(^|[^\w@/.` + "`" + `-])(@[A-Za-z0-9][A-Za-z0-9-]*(?:/[A-Za-z0-9._-]*[A-Za-z0-9_])?)`)
	// reference matches #12, owner/repo#12, owner#12 and GH-12.
	reference = regexp.MustCompile(`(^|[^\w#&/.` + "`" + `-])((?:[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?)?#\d+|[Gg][Hh]-\d+)\b`)
	// address matches the number at the end of a URL of an issue, a pull request or a discussion.
	address = regexp.MustCompile(`(://[^\s/]+/[^\s/]+/[^\s/]+/(?:issues|pull|pulls|discussions)/)(\d)`)
	closing = regexp.MustCompile(`(?i)\b(clos|fix|resolv)(e[sd]?|es|ed)?(:?\s+)(#|[\w.-]+/[\w.-]+#|GH-|https?://)`)
)

// breaker is a zero-width space: GitHub no longer sees a mention or a reference, a person sees
// no difference.
const breaker = "\u200b"

// Defuse makes text harmless in commit messages, comments and pull-request bodies: mentions,
// issue references and closing keywords outside code spans are broken by a zero-width space.
// It never goes into the lessons file.
func Defuse(text string) string {
	return prose(text, func(s string) string {
		s = mention.ReplaceAllStringFunc(s, func(m string) string { return strings.Replace(m, "@", "@"+breaker, 1) })
		s = closing.ReplaceAllString(s, "${1}"+breaker+"${2}${3}${4}")
		s = reference.ReplaceAllStringFunc(s, func(m string) string {
			if i := strings.IndexByte(m, '#'); i >= 0 {
				return m[:i+1] + breaker + m[i+1:]
			}
			i := strings.LastIndexByte(m, '-')
			return m[:i+1] + breaker + m[i+1:]
		})
		return address.ReplaceAllString(s, "${1}"+breaker+"${2}")
	})
}

// quoteReferences puts mentions and issue references of a sentence in code spans, where they do
// not act and which hold no invisible character.
func quoteReferences(s string) string {
	return prose(s, func(s string) string {
		for _, acting := range []*regexp.Regexp{mention, reference} {
			// Twice: neighbours share the character between them, which one pass sees only once.
			for range 2 {
				s = acting.ReplaceAllString(s, "$1`$2`")
			}
		}
		return s
	})
}
