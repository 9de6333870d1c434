package distill

import (
	"slices"
	"strings"
)

// sections are what stands below a heading, a bold line or the summary of a details element, in
// the order in which they win when a heading could be two of them.
var sections = []class{nitSection, issueSection, questionSection, praiseSection, boilerplate}

// asideSection is what a comment folds away without a telling name.
const asideSection class = "aside"

// sectionOf classifies a short heading. The longest phrase wins. A boilerplate word counts only
// where the heading begins with it or is nothing else, since "Unclosed file" is a finding.
func sectionOf(text string) (class, bool) {
	s := analyse(text)
	if len(s.words) == 0 || len(s.words) > maxLabelWords {
		return "", false
	}
	best, length := class(""), 0
	for _, name := range sections {
		for _, h := range s.hits {
			if h.class != name || h.words <= length {
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
	if h.at == unplaced || h.words == len(s.words) {
		return true
	}
	after := strings.IndexByte(s.text, ':')
	return h.at == 0 && (connectors[s.words[h.words]] || after > 0 && len(wordsOf(s.text[:after])) == h.words)
}

var connectors = setOf("of for by in and to from with looked reviewed changed found that at on der die des von de del des du da do dos")

// skipped reports whether nothing in a section is a remark.
func skipped(section class) bool {
	return section == boilerplate || section == praiseSection || section == questionSection
}

// fieldOf names the field that a short bold lead-in labels ("Impact", "Suggested fix"), or "".
func fieldOf(lead string) class {
	lead = strings.TrimRight(strings.TrimSpace(lead), ":：. ")
	s := analyse(leadSymbol.ReplaceAllString(lead, ""))
	if len(s.words) > 3 {
		return ""
	}
	for _, field := range []class{severityField, fixField, whereField, problemField, noiseField} {
		if slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == field && (h.at == unplaced || h.words == len(s.words)) }) {
			return field
		}
	}
	return ""
}
