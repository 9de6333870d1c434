package lesson

import (
	"regexp"
	"strings"
)

// correction begins a bullet that says what it corrects: a handle, or the other's words in quotes
// (issue 6).
var correction = regexp.MustCompile("(?i)^correction to [\\s:]*(?:[\"“`'(\\[]*([0-9a-f]{6,8})\\b|[\"“«‘'`](.{12,}?)[\"”»’'`])")

// IsCorrection reports whether the bullet says that it corrects another.
func (b Bullet) IsCorrection() bool {
	const begins = "correction to "
	return len(b.Sentence) > len(begins) && strings.EqualFold(b.Sentence[:len(begins)], begins)
}

// Corrects reports whether a says that it corrects b, by b's handle or by quoting how b begins.
// Corrections that share b's words are found by comparing the two.
func Corrects(a, b Bullet) bool {
	m := correction.FindStringSubmatch(a.Sentence)
	switch {
	case m == nil:
		return false
	case m[1] != "":
		return strings.HasPrefix(b.Handle(), strings.ToLower(m[1]))
	}
	quoted := strings.TrimRight(normal(m[2]), " .…")
	return strings.HasPrefix(strings.ToLower(normal(b.Sentence)), strings.ToLower(quoted))
}
