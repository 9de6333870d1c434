package distill

import (
	"regexp"
	"slices"
	"strings"
)

// remark is one objection of a reviewer: a title, sentences, or both.
type remark struct {
	source   int // index of the finding
	path     string
	line     int
	title    string
	body     []sentence
	fixes    []sentence // sentences of a field that is called a fix
	aside    []sentence // of a folded explanation, for a remark that is only a title otherwise
	quoted   string     // the code that the comment quotes, in backticks
	code     []string   // suggestion and diff fences
	grade    severity
	prose    bool // running text of a review's body: only an order in it counts
	nit      bool // below a heading that says so
	item     bool // born as a list item
	repeats  int
	disputed bool
}

func (r *remark) empty() bool { return r.title == "" && len(r.body) == 0 && len(r.fixes) == 0 }

// frame is what is known of an open details element.
type frame struct {
	class section
	path  string
}

// layout groups the blocks of one finding into remarks.
type layout struct {
	finding  Finding
	source   int
	inline   bool
	grade    severity    // of badges and label lines that stand before any text
	headed   [8]section  // by level of heading
	below    [8]severity // that a heading gives to all below it
	path     string      // of a heading that names a file
	quoted   string      // code quoted before the remark
	frames   map[int]frame
	field    string   // the labelled field at hand
	fields   []string // that the remark at hand has had
	skipList bool     // the list that follows tells steps, not remarks
	cur      *remark
	out      []*remark
}

// pseudoLevel is the level of a bold line that serves as a heading.
const pseudoLevel = 7

// namedPath is a path that can be quoted in a sentence.
var namedPath = regexp.MustCompile(`^[\pL\pN_@./+ \-\[\]()]{1,120}$`)

// readRemarks lists the remarks of a finding in order.
func readRemarks(source int, f Finding) []*remark {
	l := &layout{finding: f, source: source, inline: f.Path != "", frames: map[int]frame{}}
	if !namedPath.MatchString(f.Path) {
		l.finding.Path = ""
	}
	for _, b := range readMarkdown(f.Body) {
		l.block(b)
	}
	l.finish()
	return l.out
}

func (l *layout) finish() {
	if l.cur != nil && !l.cur.empty() {
		l.out = append(l.out, l.cur)
	}
	l.cur = nil
}

// begin starts a remark where b stands.
func (l *layout) begin(b block, prose bool) *remark {
	l.finish()
	r := &remark{source: l.source, path: l.finding.Path, line: l.finding.Line, grade: l.grade, prose: prose, quoted: l.quoted}
	l.quoted = ""
	if l.path != "" {
		r.path = l.path
	}
	for i, s := range l.headed {
		r.nit = r.nit || s == nitSection
		if r.grade == unlabelled {
			r.grade = l.below[i]
		}
	}
	for _, id := range b.details {
		f := l.frames[id]
		r.nit = r.nit || f.class == nitSection
		if f.path != "" {
			r.path = f.path
		}
	}
	l.cur, l.fields = r, nil
	if !l.inline {
		l.grade = unlabelled
	}
	return r
}

// current is the remark that running text belongs to.
func (l *layout) current(b block) *remark {
	if l.cur == nil {
		l.begin(b, !l.inline)
	}
	return l.cur
}

// hidden reports whether b stands below a heading or in a details element that holds no remarks.
func (l *layout) hidden(b block) bool {
	for _, s := range l.headed {
		if s.skipped() {
			return true
		}
	}
	for _, id := range b.details {
		if l.frames[id].class.skipped() {
			return true
		}
	}
	return false
}

func (l *layout) block(b block) {
	if l.folded(b) {
		l.explain(b)
		return
	}
	switch b.kind {
	case quote:
		if m := quotedCode.FindString(b.text()); m != "" {
			l.quoted = "`" + m + "`"
		}
	case summary:
		l.summary(b)
	case heading:
		l.heading(b)
	case gap:
		l.finish()
		l.headed[pseudoLevel] = ""
	case listEnd:
		l.skipList, l.field = false, ""
		if l.cur != nil && l.cur.item {
			l.finish()
		}
	case code:
		if l.cur != nil && (b.info == "suggestion" || b.info == "diff") && !l.hidden(b) {
			l.cur.code = append(l.cur.code, b.text())
		}
	default:
		if !l.hidden(b) {
			l.text(b)
		}
	}
}

// quotedCode is one line of source that a comment quotes to speak about it.
var quotedCode = regexp.MustCompile("^[^`\n]{2,60}[=(){}\\[\\]:_.;][^`\n]{0,60}$")

// folded reports whether b stands in an explanation that an inline comment folds away.
func (l *layout) folded(b block) bool {
	return b.kind != summary && slices.ContainsFunc(b.details, func(id int) bool { return l.frames[id].class == asideSection })
}

// explain keeps the sentences of a folded explanation. Its headings name fields.
func (l *layout) explain(b block) {
	if b.kind == heading {
		l.field = fieldOf(b.text())
	}
	if b.kind != paragraph || l.cur == nil || l.field == "field-noise" {
		return
	}
	for _, s := range segment(b.text()) {
		if len(s) <= maxSentence && !isCode(s) {
			l.cur.aside = append(l.cur.aside, spoken(s))
		}
	}
}

func (l *layout) summary(b block) {
	if len(b.details) == 0 {
		return
	}
	text, grade, _ := unlabel(b.text())
	f := frame{}
	if m := pathName.FindStringSubmatch(text); m != nil {
		f.path = m[1]
	} else if class, ok := sectionOf(text); ok {
		f.class = class
	} else if grade > unlabelled {
		f.class = issueSection
		if !l.hidden(b) {
			l.begin(b, false).title = text
			l.cur.grade = grade
		}
	} else if l.inline {
		f.class = asideSection
	} else if len(b.details) == 1 {
		f.class = boilerplate
	}
	l.frames[b.details[len(b.details)-1]] = f
}

func (l *layout) heading(b block) {
	text, grade, number := unlabel(b.text())
	for i := b.level; i < len(l.headed); i++ {
		l.headed[i], l.below[i] = "", unlabelled
	}
	l.finish()
	l.path = ""
	if m := pathSpan.FindStringSubmatch(text); m != nil && len(wordsOf(text)) <= 3 {
		l.path = m[1]
		_, l.grade = withoutTrailingLabel(text)
		return
	}
	if g, ok := labelSeverity(text); ok || text == "" {
		l.below[b.level] = maximal(g, grade)
		return
	}
	if class, ok := sectionOf(text); ok && !number {
		l.headed[b.level], l.below[b.level] = class, grade
		return
	}
	if l.hidden(b) || b.level < 3 && !number && grade == unlabelled && !l.inline {
		return
	}
	place := trailingPath.FindStringSubmatch(text)
	if place != nil {
		text = strings.TrimSuffix(text, place[0])
	}
	text, end := withoutTrailingLabel(text)
	grade = maximal(grade, end)
	r := l.begin(b, !l.inline && !number && grade == unlabelled)
	r.title = strings.Trim(text, "* ")
	r.grade = maximal(r.grade, grade)
	if place != nil {
		r.path = place[1]
	}
}

// trailingPath is a path in brackets behind a title.
var trailingPath = regexp.MustCompile("\\s*\\(?`([\\w@.+/-]*\\w\\.\\w{1,10})(?::\\d+(?:[-–]\\d+)?)?`\\)?$")

// withoutTrailingLabel strips a severity behind a title: "Wording (info)".
func withoutTrailingLabel(text string) (string, severity) {
	if m := trailing.FindStringSubmatch(text); m != nil {
		if g, ok := labelSeverity(m[1] + m[2]); ok {
			return strings.TrimSuffix(text, m[0]), g
		}
	}
	return text, unlabelled
}

// text places a paragraph or a list item.
func (l *layout) text(b block) {
	if l.skipList && b.kind == item {
		return
	}
	for _, alt := range b.badges {
		if g, ok := labelSeverity(alt); ok {
			l.setGrade(maximal(l.grade, g))
		}
	}
	full := b.text()
	marked := false // laid out as a remark: by a line range, a path or a label
	if m := lineRange.FindString(full); m != "" {
		l.begin(b, false)
		b, marked = b.without(strings.Index(full, m)+len(m)), true
		full = b.text()
	}
	if full == "" || b.pointer() {
		return
	}
	if b.emphatic() {
		if g, ok := labelSeverity(strings.ReplaceAll(full, "|", " ")); ok {
			if !l.inline && !marked {
				l.finish()
			}
			l.setGrade(g)
			return
		}
	}
	lead, rest := b.lead()
	if lead == "" {
		l.sentences(b, full, marked)
		return
	}
	name := strings.TrimRight(lead, ":：.!")
	labelled := name != lead || rest == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：") || caption.MatchString(rest)
	rest = strings.TrimLeft(rest, ":：.–—- ")
	if field := fieldOf(name); field != "" && labelled {
		l.fieldText(b, name, field, rest)
	} else if g, ok := labelSeverity(name); ok && rest != "" {
		b.grade = g
		l.sentences(b, rest, true)
	} else if class, ok := sectionOf(name); ok && labelled {
		l.finish()
		l.headed[pseudoLevel] = class
		if !class.skipped() && rest != "" {
			l.sentences(b, rest, false)
		}
	} else if title, grade, _ := unlabel(name); labelled && newSentence(title).length() > 1 {
		title, end := withoutTrailingLabel(title)
		l.title(b, title, maximal(grade, end), marked)
		if rest != "" {
			l.add(rest)
		}
	} else {
		l.sentences(b, full, marked)
	}
}

// caption is what stands between a bold word and the code that it introduces.
var caption = regexp.MustCompile("^\\(`[^`]*`\\)\\s*[:：]?$")

// setGrade applies a label to the remark that it stands in or, where none has begun, to the next.
func (l *layout) setGrade(g severity) {
	if l.cur != nil && (l.cur.empty() || l.inline && l.grade == unlabelled) {
		l.cur.grade = g
	}
	l.grade = g
}

// title begins a remark with a bold title.
func (l *layout) title(b block, title string, grade severity, marked bool) {
	if l.hiddenDetails(b, marked || grade > unlabelled) {
		return
	}
	if !marked && (l.cur == nil || !l.cur.empty()) {
		l.begin(b, false)
	}
	l.cur.title, l.cur.prose, l.cur.item = title, false, b.kind == item
	l.cur.grade = maximal(grade, l.cur.grade)
}

// fieldText takes the text of a labelled field into the remark at hand.
func (l *layout) fieldText(b block, name, field, rest string) {
	l.field = field
	switch field {
	case "field-severity":
		if g, ok := labelSeverity(rest); ok {
			l.current(b).grade = g
		}
	case "field-where":
		if m := pathSpan.FindStringSubmatch(rest); m != nil {
			l.current(b).path = m[1]
		}
	default:
		if l.cur == nil || slices.Contains(l.fields, name) {
			l.begin(b, false)
		}
		l.cur.prose = false
		l.fields = append(l.fields, name)
		l.add(rest)
	}
}

// sentences takes running text.
func (l *layout) sentences(b block, text string, marked bool) {
	text, grade, _ := unlabel(text)
	grade = maximal(grade, b.grade)
	path := pathSpan.FindStringSubmatch(text)
	structured := marked || l.inline || grade > unlabelled || path != nil && b.kind == item || l.headed[pseudoLevel] == issueSection
	fresh := spoken(text)
	switch {
	case marked && l.cur != nil && l.cur.empty():
	case b.kind == item && (!l.inline || fresh.force() > states), grade != unlabelled, l.cur == nil, l.cur.prose:
		if l.hiddenDetails(b, structured && !l.inline) {
			return
		}
		l.begin(b, !structured)
		l.cur.item = b.kind == item
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
	l.skipList = strings.HasSuffix(text, ":") && fresh.says("steps")
}

// withoutPlace strips the path that a remark begins with where it is no part of the sentence.
func withoutPlace(text, path string) string {
	rest := strings.TrimPrefix(text, path)
	if cut := strings.TrimLeft(rest, " "); strings.HasPrefix(cut, ":") || strings.HasPrefix(cut, "：") || strings.HasPrefix(cut, "—") || strings.HasPrefix(cut, "–") || strings.HasPrefix(cut, "- ") {
		return strings.TrimLeft(cut, ":：—–- ")
	}
	return text
}

// hiddenDetails reports whether b begins something in a details element that is not laid out as
// a remark.
func (l *layout) hiddenDetails(b block, structured bool) bool {
	begun := l.cur != nil && l.cur.empty()
	return len(b.details) > 0 && !structured && !begun
}

// maxSentence is the length in bytes of what can still be one sentence.
const maxSentence = 1200

// add appends sentences to the remark at hand, in the field at hand.
func (l *layout) add(text string) {
	if l.cur == nil || l.field == "field-noise" {
		return
	}
	for _, s := range segment(text) {
		if len(s) > maxSentence || isCode(s) {
			continue
		}
		if l.field == "field-fix" {
			l.cur.fixes = append(l.cur.fixes, spoken(s))
		} else {
			l.cur.body = append(l.cur.body, spoken(s))
		}
	}
}
