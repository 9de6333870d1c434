package distill

import (
	"slices"
)

// remark is one objection of a reviewer: a title, sentences, or both.
type remark struct {
	source   int // index of the finding
	path     string
	line     int
	title    string
	body     []sentence
	fixes    []sentence // of a field that is called a fix
	aside    []sentence // of a folded explanation, for a remark that is only a title otherwise
	quoted   string     // the code that the comment quotes, in backticks
	code     []string   // suggestion and diff fences
	grade    severity
	prose    bool // running text of a review's body: only an order in it counts
	formal   bool // in a body with headings, as tools write them
	tour     bool // in a body that tells what the change does
	nit      bool // below a heading that says so
	item     bool // born as a list item
	repeats  int  // later comments that say "here too"
	disputed bool // a later comment contests the advice
}

func (r *remark) empty() bool { return r.title == "" && len(r.body) == 0 && len(r.fixes) == 0 }

// frame is what is known of an open details element.
type frame struct {
	section class
	path    string
}

// layout groups the blocks of one finding into remarks.
type layout struct {
	finding  Finding
	source   int
	inline   bool          // the finding is a comment on code, and so a remark by itself
	grade    severity      // of badges and label lines that stand before any text
	headed   [8]class      // sections by level of heading
	below    [8]severity   // that a heading gives to all below it
	path     string        // of a heading that names a file
	quoted   string        // code quoted before the remark
	frames   map[int]frame // by identity of the details element
	field    class         // the labelled field at hand
	fields   []string      // names of the fields that the remark at hand has had
	skipList bool          // the list that follows tells steps, not remarks
	formal   bool          // the body has headings
	tour     bool          // the body has a section that tells what the change does
	cur      *remark
	out      []*remark
}

// pseudoLevel is the level of a bold line that serves as a heading.
const pseudoLevel = 7

// readRemarks lists the remarks of a finding in order.
func readRemarks(source int, f Finding) []*remark {
	l := &layout{finding: f, source: source, inline: f.Path != "", frames: map[int]frame{}}
	if !quotable().MatchString(f.Path) {
		l.finding.Path = ""
	}
	for _, b := range readMarkdown(f.Body) {
		l.block(b)
	}
	l.finish()
	return l.out
}

// finish ends the remark at hand.
func (l *layout) finish() {
	if l.cur != nil && !l.cur.empty() {
		l.out = append(l.out, l.cur)
	}
	l.cur = nil
}

// begin starts a remark where b stands.
func (l *layout) begin(b block, prose bool) {
	l.finish()
	r := &remark{source: l.source, path: l.finding.Path, line: l.finding.Line, grade: l.grade, prose: prose, quoted: l.quoted}
	if l.path != "" {
		r.path = l.path
	}
	for i, section := range l.headed {
		r.nit = r.nit || section == nitSection
		if r.grade == unlabelled {
			r.grade = l.below[i]
		}
	}
	for _, id := range b.details {
		f := l.frames[id]
		r.nit = r.nit || f.section == nitSection
		if f.path != "" {
			r.path = f.path
		}
	}
	l.cur, l.fields, l.quoted = r, nil, ""
	if !l.inline {
		l.grade = unlabelled
	}
}

// hidden reports whether b stands below a heading or in a details element that holds no remarks.
func (l *layout) hidden(b block) bool {
	return slices.ContainsFunc(l.headed[:], skipped) ||
		slices.ContainsFunc(b.details, func(id int) bool { return skipped(l.frames[id].section) })
}

func (l *layout) block(b block) {
	switch {
	case b.kind == summary:
		l.summary(b)
	case l.folded(b):
		l.explain(b)
	case b.kind == heading:
		l.heading(b)
	case b.kind == gap:
		l.finish()
		l.headed[pseudoLevel] = ""
	case b.kind == listEnd:
		l.skipList, l.field = false, ""
		if l.cur != nil && l.cur.item {
			l.finish()
		}
	case b.kind == quote:
		if m := quotedCode().FindString(b.text()); m != "" {
			l.quoted = "`" + m + "`"
		}
	case l.hidden(b):
	case b.kind == row:
		l.row(b)
	case b.kind == code:
		if l.cur != nil && (b.info == "suggestion" || b.info == "diff") {
			l.cur.code = append(l.cur.code, b.text())
		}
	default:
		for _, part := range b.boldLines() {
			l.paragraph(part)
		}
	}
}

// quotedCode is one line of source that a comment quotes to speak about it.
var quotedCode = lazily("^[^`\n]{2,60}[=(){}\\[\\]:_.;][^`\n]{0,60}$")

// folded reports whether b stands in an explanation that an inline comment folds away.
func (l *layout) folded(b block) bool {
	return slices.ContainsFunc(b.details, func(id int) bool { return l.frames[id].section == asideSection })
}

// explain keeps the sentences of a folded explanation. Its headings name fields.
func (l *layout) explain(b block) {
	if b.kind == heading {
		l.field = fieldOf(b.text())
	}
	if b.kind == paragraph && l.cur != nil && l.field != noiseField {
		l.cur.aside = append(l.cur.aside, sentencesOf(b.text())...)
	}
}

// summary says what a details element holds. One of which nothing is known holds no remark,
// except nested in another: a walkthrough's findings are sorted by file and kind.
func (l *layout) summary(b block) {
	if len(b.details) == 0 {
		return
	}
	text, grade, _ := unlabel(b.text())
	var f frame
	path := onlyPath().FindStringSubmatch(text)
	section, known := sectionOf(text)
	switch {
	case path != nil:
		f.path = path[1]
	case known:
		f.section = section
	case grade > unlabelled: // a finding whose title is the summary
		f.section = issueSection
		if !l.hidden(b) {
			l.begin(b, false)
			l.cur.title, l.cur.grade = text, grade
		}
	case l.inline:
		f.section = asideSection
	case len(b.details) == 1:
		f.section = boilerplate
	}
	l.frames[b.details[len(b.details)-1]] = f
}

// heading begins a section, names a file, grades what follows, or is a remark's title.
func (l *layout) heading(b block) {
	l.finish()
	l.path, l.formal = "", true
	for i := b.level; i < len(l.headed); i++ {
		l.headed[i], l.below[i] = "", unlabelled
	}
	text, grade, number := unlabel(b.text())
	if m := leadingPath().FindStringSubmatch(text); m != nil && len(wordsOf(text)) <= 3 {
		l.path = m[1]
		_, end := withoutSuffix(text)
		l.grade = end.grade
		return
	}
	if g, ok := labelSeverity(text); ok || text == "" {
		l.below[b.level] = maximal(g, grade)
		return
	}
	if section, ok := sectionOf(text); ok && !number {
		l.headed[b.level], l.below[b.level] = section, grade
		l.tour = l.tour || section == boilerplate && !l.inline
		return
	}
	if l.hidden(b) || b.level < 3 && !number && grade == unlabelled && !l.inline {
		return
	}
	text, end := withoutSuffix(text)
	grade = maximal(grade, end.grade)
	l.begin(b, !l.inline && !number && end == suffix{} && grade == unlabelled)
	l.cur.title, l.cur.grade = text, maximal(l.cur.grade, grade)
	if end.path != "" {
		l.cur.path = end.path
	}
}
