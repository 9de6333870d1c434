package distill

import (
	"cmp"
	"slices"
	"strings"
)

// paragraph places a paragraph or a list item: it begins a remark, goes on with one, labels one,
// or is none of the reviewer's words.
func (l *layout) paragraph(b block) {
	if l.skipList && b.kind == item {
		return
	}
	l.badges(b)
	full := b.text()
	marked := false // laid out as a remark
	if m := lineRange().FindString(full); m != "" {
		l.begin(b, false)
		b, marked = b.without(strings.Index(full, m)+len(m)), true
		full = b.text()
	}
	if full == "" || b.isButton() {
		return
	}
	b = b.titleFirst()
	if g, ok := labelLine(full); ok && (b.isEmphatic() || strings.ContainsAny(full, "|·•")) {
		if !l.inline && !marked {
			l.finish()
		}
		l.setGrade(g)
		return
	}
	if lead, rest := b.lead(); lead != "" {
		l.lead(b, lead, rest, marked)
	} else {
		l.running(b, full, unlabelled, marked)
	}
}

// badges reads the severity out of the alternative texts of images. In a review's body they begin
// a remark.
func (l *layout) badges(b block) {
	grade := unlabelled
	for _, alt := range b.badges {
		if g, ok := labelSeverity(alt); ok {
			grade = maximal(grade, g)
		}
	}
	if grade == unlabelled {
		return
	}
	if !l.inline {
		l.finish()
	}
	l.setGrade(maximal(l.grade, grade))
}

// setGrade applies a label to the remark that it stands in or, where none has begun, to the next.
func (l *layout) setGrade(g severity) {
	if l.cur != nil && (l.cur.empty() || l.inline && l.grade == unlabelled) {
		l.cur.grade = g
	}
	l.grade = g
}

// caption is what stands between a bold word and the code that it introduces.
var caption = lazily("^\\(`[^`]*`\\)\\s*[:：]?$")

// lead places a paragraph that begins with bold text: a field, a severity, a section, a title, or
// mere emphasis.
func (l *layout) lead(b block, lead, rest string, marked bool) {
	name := strings.TrimRight(lead, ":：.!")
	labelled := name != lead || rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：") || caption().MatchString(rest)
	tail := strings.TrimLeft(rest, ":：.–—- ")
	grade, isGrade := labelSeverity(name)
	section, isSection := sectionOf(name)
	title, titleGrade, _ := unlabel(name)
	title, end := withoutSuffix(title)
	behind, said, suffixed := cutSuffix(rest)
	switch field := fieldOf(name); {
	case labelled && field != "":
		l.takeField(b, name, field, tail)
	case isGrade && isTitle(tail) && (l.cur == nil || l.cur.empty()):
		l.title(b, tail, suffix{grade: grade}, true)
	case isGrade && tail != "":
		l.running(b, tail, grade, true)
	case labelled && isSection:
		l.finish()
		l.headed[pseudoLevel] = section
		if !skipped(section) && tail != "" {
			l.running(b, tail, unlabelled, false)
		}
	case suffixed && analyse(title).length() > 1:
		l.title(b, title, suffix{cmp.Or(behind.path, end.path), maximal(maximal(titleGrade, end.grade), behind.grade)}, marked)
		l.add(said)
	case labelled && analyse(title).length() > 1:
		l.title(b, title, suffix{end.path, maximal(titleGrade, end.grade)}, marked)
		l.add(tail)
	default:
		l.running(b, b.text(), unlabelled, marked)
	}
}

// isTitle reports whether the text behind a label is a title and no sentence.
func isTitle(text string) bool {
	s := analyse(text)
	return s.length() > 2 && s.length() <= maxTitle && trimEnd(text) == text && !isUnspaced(text)
}

// maxTitle is the most words of a title that nothing else marks as one.
const maxTitle = 12

// title begins a remark with a bold title and what stands behind it.
func (l *layout) title(b block, title string, behind suffix, marked bool) {
	if l.misplaced(b, marked || behind != suffix{}) {
		return
	}
	if l.cur == nil || !marked && !l.cur.empty() {
		l.begin(b, false)
	}
	l.cur.title, l.cur.prose, l.cur.item = title, false, b.kind == item
	l.cur.grade = maximal(behind.grade, l.cur.grade)
	if behind.path != "" && !l.inline {
		l.cur.path = behind.path
	}
}

// takeField takes a labelled field into the remark at hand. A name that the remark has had begins
// another.
func (l *layout) takeField(b block, name string, field class, text string) {
	l.field = field
	if l.cur == nil || slices.Contains(l.fields, name) {
		l.begin(b, false)
	}
	l.fields = append(l.fields, name)
	switch field {
	case severityField:
		if g, ok := labelSeverity(text); ok {
			l.cur.grade = g
		}
	case whereField:
		if m := leadingPath().FindStringSubmatch(text); m != nil {
			l.cur.path = m[1]
		}
	default:
		l.cur.prose = false
		l.add(text)
	}
}

// running takes running text.
func (l *layout) running(b block, text string, grade severity, marked bool) {
	text, own, _ := unlabel(text)
	grade = maximal(own, grade)
	path := leadingPath().FindStringSubmatch(text)
	head := spoken(firstWords(text, maxSentence))
	structured := marked || l.inline || max(grade, l.grade) > unlabelled || path != nil && b.kind == item ||
		slices.Contains(l.headed[:], issueSection)
	begins := b.kind == item && (!l.inline || head.force > states) || grade != unlabelled || l.cur == nil || l.cur.prose
	if begun := marked && l.cur != nil && l.cur.empty(); begins && !begun {
		if l.misplaced(b, structured && !l.inline) {
			return
		}
		l.begin(b, !structured)
		l.cur.item, l.cur.formal, l.cur.tour = b.kind == item, l.formal, l.tour
	}
	if grade != unlabelled {
		l.cur.grade = grade
	}
	if path != nil && !l.inline {
		l.cur.path = path[1]
		text = withoutPlace(text, path[0])
	}
	l.field = ""
	l.add(text)
	l.skipList = strings.HasSuffix(text, ":") && head.says(stepsCue)
}

// misplaced reports whether b begins something in a details element without being laid out as a
// remark.
func (l *layout) misplaced(b block, structured bool) bool {
	begun := l.cur != nil && l.cur.empty()
	return len(b.details) > 0 && !structured && !begun
}

// add appends sentences to the remark at hand, in the field at hand.
func (l *layout) add(text string) {
	switch {
	case l.cur == nil || l.field == noiseField:
	case l.field == fixField:
		l.cur.fixes = append(l.cur.fixes, sentencesOf(text)...)
	default:
		l.cur.body = append(l.cur.body, sentencesOf(text)...)
	}
}

// maxSentence is the length in bytes of what can still be one sentence.
const maxSentence = 1200

// sentencesOf reads the sentences of running text. Source without a fence is none.
func sentencesOf(text string) []sentence {
	var out []sentence
	for _, s := range segment(text) {
		if len(s) <= maxSentence && !isCode(s) {
			out = append(out, spoken(s))
		}
	}
	return out
}
