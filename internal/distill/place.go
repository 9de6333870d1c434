package distill

import (
	"strings"
)

const (
	fileName = `[\w@.+/-]*\w\.\w{1,10}`
	folder   = `[\w@.+-]+(?:/[\w@.+-]+)+`
	lines    = `(?::\d+(?:[-–:]\d+)?)`
	range1   = `\d+(?:\s*[-–]\s*L?\d+)?`
)

var (
	// quotable is a path that may stand in backticks. There are
	// no spaces in it: a stranger names files, and a name could be a sentence.
	quotable = lazily(`^[\pL\pN_@./+\-\[\]()]{1,120}$`)
	// lineRange begins a remark: "`12-14`: …", "Line 12: …".
	lineRange = lazily("^(?:`(?:L|lines? )?" + range1 + "`|(?:L|[Ll]ines? )" + range1 + ")\\s*[:：,–-]\\s*")
	// leadingPath begins a remark: "`a/b.go:12` …".
	leadingPath = lazily("^`(" + fileName + "|" + folder + ")" + lines + "?`")
	// onlyPath is the summary of a details element about one file: "a/b.go (2)".
	onlyPath = lazily(`^(` + fileName + `|\.[\w.-]+|` + folder + `)\s*(?:\(\d+\))?$`)
	// lineSuffix is a line in a code span.
	lineSuffix = lazily("(`[^`\\s]+\\.\\w+)" + lines + "`")

	inThis    = lazily(`(?i)\b(?:in|inside|within) this (?:file|module|package|class|component|script|test|folder|directory|place|spot|function|method)\b`)
	hereStart = lazily(`(?i)^here,? `)
	hereFrom  = lazily(`(?i)\b(from|in|to|of|near|around|inside|within|into) here\b`)
	hereEnd   = lazily("(?i)(\\w+|`) here([,.;:]|$)")
	hereMid   = lazily(`(?i)\b(\w+) here\b`)
	youAdded  = lazily(`(?i) (?:that )?you(?:'ve| have)? (?:added|wrote|introduced|changed|created)\b`)
)

// situate makes a sentence independent of where it stood: what points to the place of the comment
// becomes the path, and a line number goes, since it is another one tomorrow.
func situate(text, path string) string {
	text = lineSuffix().ReplaceAllString(text, "$1`")
	text = youAdded().ReplaceAllString(text, "")
	if path == "" {
		return text
	}
	place := "`" + path + "`"
	text = inThis().ReplaceAllString(text, "in "+place)
	text = hereFrom().ReplaceAllString(text, "$1 "+place)
	text = hereEnd().ReplaceAllString(text, "$1$2")
	if hereStart().MatchString(text) {
		return hereStart().ReplaceAllString(text, "In "+place+" ")
	}
	return hereMid().ReplaceAllString(text, "$1 in "+place)
}

// withoutPlace strips the path that a remark begins with where it is no part of the sentence.
func withoutPlace(text, path string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(text, path), " ")
	for _, joint := range []string{":", "：", "—", "–", "- "} {
		if strings.HasPrefix(rest, joint) {
			return strings.TrimLeft(rest, ":：—–- ")
		}
	}
	return text
}
