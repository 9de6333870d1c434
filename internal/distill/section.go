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

// sectionOf classifies a short heading by what stands before its colon or, where that tells
// nothing, by all of it. "" with true is a heading that says nothing of what follows. The longest phrase wins. A boilerplate word counts only where the heading
// begins with it and goes on to say of what ("Overview of this pull request"), since "Unclosed
// file" is a finding.
func sectionOf(text string) (class, bool) {
	if before, _, ok := strings.Cut(text, ":"); ok {
		if section, ok := sectionOf(before); ok {
			if section == boilerplate { // "Verdict: changes needed": what follows may be anything
				section = ""
			}
			return section, true
		}
	}
	s := analyse(text)
	if len(s.words) == 0 || len(s.words) > maxLabelWords {
		return "", false
	}
	best, length := class(""), 0
	for _, name := range sections {
		for _, h := range s.hits {
			whole := h.at == unplaced || h.words == len(s.words)
			opens := h.at == 0 && connectors[s.word(h.words)]
			if h.class != name || h.words <= length || h.at > 0 && len(s.words) > 4 || name == boilerplate && !whole && !opens {
				continue
			}
			best, length = name, h.words
		}
	}
	return best, length > 0
}

var connectors = setOf("of for by in and to from with looked reviewed changed found that at on der die des von de del des du da do dos")

// skipped reports whether nothing in a section is a remark.
func skipped(section class) bool {
	return section == boilerplate || section == praiseSection || section == questionSection
}

// fieldOf names the field that a short bold lead-in labels ("Impact", "Suggested fix"), or "".
func fieldOf(lead string) class {
	lead = strings.TrimRight(strings.TrimSpace(lead), ":：. ")
	s := analyse(leadSymbol().ReplaceAllString(lead, ""))
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
