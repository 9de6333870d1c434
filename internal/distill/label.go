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
	s := newSentence(label)
	if len(s.words) > maxLabelWords {
		return unlabelled, false
	}
	if !s.isLabel() {
		s = newSentence(labelJoints.Replace(label))
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
		class string
		severity
	}{{"critical", critical}, {"high", high}, {"medium", medium}, {"low", low}}
	labelJoints = strings.NewReplacer("-", " ", "_", " ", "/", " ")
)

// isLabel reports whether labels account for every word.
func (s sentence) isLabel() bool {
	covered := make([]bool, len(s.words))
	for _, h := range s.hits {
		if h.class != "label-filler" && !isGrade(h.class) {
			continue
		}
		if h.at < 0 {
			return true
		}
		for i := range h.words {
			covered[h.at+i] = true
		}
	}
	return len(covered) > 0 && !slices.Contains(covered, false)
}

func isGrade(class string) bool {
	for _, g := range grades {
		if g.class == class {
			return true
		}
	}
	return false
}

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
	bracketed  = regexp.MustCompile(`^[\[(【]([^\])】]{1,40})[\])】][\s:：.–—-]*`)
	prefixed   = regexp.MustCompile(`^([^:：` + "`" + `]{1,40}?)\s*(?:[:：]|\s[–—-]+\s)\s*`)
	trailing   = regexp.MustCompile(`\s*(?:[\[(]([^\])]{1,24})[\])]|\s[–—-]\s([^–—]{1,16}))\s*$`)
	numbered   = regexp.MustCompile(`^(?:#\d+|\d{1,3}[.)])\s*`)
	lineRange  = regexp.MustCompile("^(?:`(?:L|lines? )?\\d+(?:\\s*[-–]\\s*L?\\d+)?`|(?:L|[Ll]ines? )\\d+(?:\\s*[-–]\\s*L?\\d+)?)\\s*[:：,–-]\\s*")
	pathSpan   = regexp.MustCompile("^`([\\w@.+/-]*\\w\\.\\w{1,10}|[\\w@.+-]+(?:/[\\w@.+-]+)+)(?::\\d+(?:[-–:]\\d+)?)?`")
	pathName   = regexp.MustCompile(`^([\w@.+/-]*\w\.\w{1,10}|\.[\w.-]+|[\w@.+-]+(?:/[\w@.+-]+)+)\s*(?:\(\d+\))?$`)
	leadSymbol = regexp.MustCompile(`^[\s\p{So}\x{1F3FB}-\x{1F3FF}\x{FE0F}\x{200D}•*_|>:–—-]+`)
)

// unlabel strips numbers, symbols and severity labels from the two ends of a title or a
// paragraph, and says which severity they gave.
func unlabel(text string) (rest string, grade severity, number bool) {
	rest = text
	for {
		before := rest
		if m := leadSymbol.FindString(rest); m != "" {
			if g, ok := emojiSeverity(m); ok {
				grade = maximal(grade, g)
			}
			rest = rest[len(m):]
		}
		if m := numbered.FindString(rest); m != "" && len(m) < len(rest) {
			rest, number = rest[len(m):], true
		}
		for _, re := range []*regexp.Regexp{bracketed, prefixed} {
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

// section is what stands below a heading, a bold line or the summary of a details element.
type section string

// Sections in the order in which they win when a heading could be two of them.
var sections = []section{"section-nits", "section-issues", "section-questions", "section-praise", "section-boiler"}

const (
	nitSection   section = "section-nits"
	issueSection section = "section-issues"
	boilerplate  section = "section-boiler"
	asideSection section = "aside" // folded away without a telling name
)

// sectionOf classifies a short heading. The longest phrase wins. A boilerplate word counts only
// where the heading begins with it or is nothing else, since "Unclosed file" is a finding.
func sectionOf(text string) (section, bool) {
	s := newSentence(text)
	if len(s.words) == 0 && !strings.ContainsFunc(text, unspaced) || len(s.words) > maxLabelWords {
		return "", false
	}
	best, length := section(""), 0
	for _, name := range sections {
		for _, h := range s.hits {
			if h.class != string(name) || h.words <= length {
				continue
			}
			if h.at > 0 && len(s.words) > 4 || name == boilerplate && !opens(s, h) {
				continue
			}
			best, length = name, h.words
		}
	}
	return best, length > 0
}

// opens reports whether a phrase is all of a heading, or its beginning and the rest only says of
// what: "Overview of this pull request", "Verdict: approve".
func opens(s sentence, h hit) bool {
	if h.at < 0 || h.words == len(s.words) {
		return true
	}
	after := strings.IndexByte(s.text, ':')
	return h.at == 0 && (slices.Contains(connectors, s.words[h.words]) || after > 0 && len(wordsOf(s.text[:after])) == h.words)
}

var connectors = strings.Fields("of for by in and to from with looked reviewed changed found that at on der die des von de del des du da do dos")

// skipped reports whether nothing below the section is a remark.
func (s section) skipped() bool {
	return s != "" && s != issueSection && s != nitSection
}

// fieldOf names the field that a short bold lead-in labels ("Impact", "Suggested fix"), or "".
func fieldOf(lead string) string {
	lead = strings.TrimRight(strings.TrimSpace(lead), ":：. ")
	s := newSentence(leadSymbol.ReplaceAllString(lead, ""))
	if len(s.words) > 3 {
		return ""
	}
	for _, class := range []string{"field-severity", "field-fix", "field-where", "field-problem", "field-noise"} {
		for _, h := range s.hits {
			if h.class == class && (h.at < 0 || h.words == len(s.words)) {
				return class
			}
		}
	}
	return ""
}
