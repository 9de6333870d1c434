package distill

import "strings"

// suffix is what stands behind a title and is no part of it: "(`a/b.go:12`) — high · confidence 0.9".
type suffix struct {
	path  string // "" when it names none
	grade severity
}

// maxSuffix is the most bytes of a suffix.
const maxSuffix = 160

var (
	place = lazily("`(" + fileName + "|" + folder + ")(" + lines + ")?`")
	// opensSuffix tells a suffix from the rest of a sentence.
	opensSuffix = lazily("^(?:[(\\[]|[–—·•|-]\\s|(?:in|at|@) `|`[^`]*(?::\\d|/)[^`]*`)")
	joints      = strings.NewReplacer("(", "|", ")", "|", "[", "|", "]", "|", "·", "|", "•", "|", ",", "|", "–", "|", "—", "|", " - ", "|", "- ", "|", "in |", "|", "at |", "|", "@ |", "|")
)

// readSuffix reads a suffix. ok is false when it holds anything but places, labels and measures.
func readSuffix(text string) (s suffix, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > maxSuffix || !opensSuffix().MatchString(text) {
		return suffix{}, false
	}
	if m := place().FindStringSubmatch(text); m != nil {
		s.path, ok = m[1], true
	}
	text = joints.Replace(place().ReplaceAllString(text, "|"))
	for part := range strings.SplitSeq(text, "|") {
		if part = strings.Trim(part, " :."); part == "" {
			continue
		}
		g, isLabel := labelSeverity(part)
		if !isLabel && !measured().MatchString(part) {
			return suffix{}, false
		}
		s.grade, ok = maximal(s.grade, g), true
	}
	return s, ok
}

// titleFirst moves the place that a bold title stands behind to the title's other side:
// "`a/b.go:12` — **Missing check** (high)".
func (b block) titleFirst() block {
	m := placeBefore().FindStringSubmatch(b.text())
	if m == nil {
		return b
	}
	title, rest := b.without(len(m[0])).lead()
	if _, _, suffixed := cutSuffix(rest); analyse(title).length() < minTitle || !suffixed && strings.Trim(rest, ".: ") != "" && rest[0] != '\n' {
		return b
	}
	b.runs = []run{{text: strings.TrimRight(title, ".:"), strong: true}, {text: " (" + m[1] + ") "}, {text: rest}}
	return b
}

// placeBefore is a place with a line, or one before a dash or a colon.
var placeBefore = lazily("^(`(?:" + fileName + "|" + folder + ")" + lines + "?`)\\s*(?:[:–—-]\\s*|$)")

// cutSuffix cuts a suffix off the beginning of what follows a bold title. ok is false when there is
// none, so that the text may go on in the title's sentence.
func cutSuffix(text string) (s suffix, rest string, ok bool) {
	for i := min(len(text), maxSuffix); i > 0; i-- {
		if i < len(text) && !strings.HasPrefix(text[i:], "\n") && !strings.HasPrefix(text[i:], ": ") && !strings.HasPrefix(text[i:], ". ") {
			continue
		}
		if s, ok = readSuffix(text[:i]); ok {
			return s, strings.TrimLeft(text[i:], ":. \n"), true
		}
	}
	return suffix{}, text, false
}

// withoutSuffix strips a suffix from the end of a title: "Wording (info)", "Missing check (`a/b.go:12`)".
func withoutSuffix(title string) (string, suffix) {
	for i, c := range title {
		if c != ' ' || i == 0 {
			continue
		}
		if s, ok := readSuffix(title[i:]); ok {
			return title[:i], s
		}
	}
	return title, suffix{}
}
