package distill

import (
	"regexp"
	"slices"
	"strings"
)

// severity is how much a remark weighs by its reviewer's own label.
type severity int

const (
	low severity = iota - 1
	unlabelled
	medium
	high
	critical
)

// maxLabelWords is the most words that a label has.
const maxLabelWords = 6

// labelSeverity reads a label such as "P1", "Must fix", "Potential issue | Minor" or
// "security-high", all of whose words must be a label's. A low grade of something that is called
// a defect is medium.
func labelSeverity(label string) (severity, bool) {
	s := analyse(label)
	if len(s.words) > maxLabelWords {
		return unlabelled, false
	}
	if !s.isLabel() {
		s = analyse(labelJoints.Replace(label))
	}
	if s.isLabel() {
		for _, g := range grades {
			if s.says(g.class) {
				return g.severity, true
			}
		}
	}
	if len(s.words) == 0 || s.isLabel() {
		return emojiSeverity(label)
	}
	return unlabelled, false
}

var (
	grades = []struct {
		class class
		severity
	}{{criticalLabel, critical}, {highLabel, high}, {mediumLabel, medium}, {lowLabel, low}}
	labelJoints = strings.NewReplacer("-", " ", "_", " ", "/", " ")
)

// isLabel reports whether labels account for every word.
func (s sentence) isLabel() bool {
	covered := make([]bool, len(s.words))
	for _, h := range s.hits {
		if h.class != fillerLabel && !isGrade(h.class) {
			continue
		}
		if h.at == unplaced {
			return true
		}
		for i := range h.words {
			covered[h.at+i] = true
		}
	}
	return len(covered) > 0 && !slices.Contains(covered, false)
}

func isGrade(c class) bool {
	return c == criticalLabel || c == highLabel || c == mediumLabel || c == lowLabel
}

// labelLine reads a line of labels above a finding: "Likely defect | Serious | Quick win",
// "Severity: High · Confidence: 0.9".
func labelLine(text string) (severity, bool) {
	if g, ok := labelSeverity(labelSeparators.Replace(text)); ok {
		return g, true
	}
	grade, found := unlabelled, false
	for part := range strings.SplitSeq(strings.NewReplacer("·", "|", "•", "|").Replace(text), "|") {
		g, ok := labelSeverity(part)
		if !ok && !measured().MatchString(strings.TrimSpace(part)) {
			return unlabelled, false
		}
		grade, found = maximal(grade, g), found || ok
	}
	return grade, found
}

var (
	labelSeparators = strings.NewReplacer("|", " ", "·", " ", "•", " ")
	// measured is a number that a tool gives a finding: "Confidence: 0.9", "importance 8/10".
	measured = lazily(`^[\pL -]{1,24}:?\s*[\d.%/]+$`)
)

func emojiSeverity(label string) (severity, bool) {
	switch {
	case strings.ContainsAny(label, "🔴🟥🚨🛑⛔"):
		return critical, true
	case strings.ContainsAny(label, "🟠🟧"):
		return high, true
	case strings.ContainsAny(label, "🟡🟨⚠"):
		return medium, true
	case strings.ContainsAny(label, "🔵🔹🟢🟩⚪🪶🧹"):
		return low, true
	}
	return unlabelled, false
}

// maximal returns the graver of two severities, where a label wins over none.
func maximal(a, b severity) severity {
	if a == unlabelled {
		return b
	}
	if b == unlabelled {
		return a
	}
	return max(a, b)
}

var (
	bracketed  = lazily(`^[\[(【]([^\])】]{1,40})[\])】][\s:：.–—-]*`)
	prefixed   = lazily(`^([^:：` + "`" + `]{1,40}?)\s*(?:[:：]|\s[–—-]+\s)\s*`)
	numbered   = lazily(`^(?:#\d+|\d{1,3}[.)])\s*`)
	leadSymbol = lazily(`^[\s\p{So}\x{1F3FB}-\x{1F3FF}\x{FE0F}\x{200D}•*_|>:–—-]+`)
)

// unlabel strips numbers, symbols and severity labels from the two ends of a title or a
// paragraph, and says which severity they gave.
func unlabel(text string) (rest string, grade severity, number bool) {
	rest = text
	for {
		before := rest
		if m := leadSymbol().FindString(rest); m != "" {
			if g, ok := emojiSeverity(m); ok {
				grade = maximal(grade, g)
			}
			rest = rest[len(m):]
		}
		if m := numbered().FindString(rest); m != "" && len(m) < len(rest) {
			rest, number = rest[len(m):], true
		}
		for _, re := range []*regexp.Regexp{bracketed(), prefixed()} {
			m := re.FindStringSubmatch(rest)
			if m == nil {
				continue
			}
			if g, ok := labelSeverity(m[1]); ok {
				// The word is more exact than the symbol before it.
				grade, rest = g, rest[len(m[0]):]
			}
		}
		if rest == before {
			return strings.TrimSpace(rest), grade, number
		}
	}
}
