package distill

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html/atom"
)

// cell is a cell of a table and the heading of its column.
type cell struct {
	name, text string
}

// rowOf is a row of a table below its heading.
func rowOf(heading, cells []string) block {
	b := block{kind: row}
	for i, text := range cells[:min(len(cells), len(heading))] {
		b.cells = append(b.cells, cell{heading[i], text})
	}
	return b
}

// table emits the rows of a Markdown table.
func (r *reader) table(n *east.Table) {
	var heading []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		var cells []string
		for at := c.FirstChild(); at != nil; at = at.NextSibling() {
			cells = append(cells, r.cellText(at))
		}
		if heading == nil {
			heading = cells
			continue
		}
		r.emit(rowOf(heading, cells))
	}
}

// cellText is a cell's text, or its badges' when it has none.
func (r *reader) cellText(n ast.Node) string {
	r.start(block{})
	r.inline(n, run{})
	b := *r.cur
	r.cur = nil
	return b.label()
}

func (b block) label() string {
	if text := b.text(); text != "" || len(b.badges) == 0 {
		return text
	}
	return b.badges[0]
}

// htmlTable is the HTML table that is open. A table inside it is text of its cell.
type htmlTable struct {
	depth   int // of nested tables; 0: none is open
	heading []string
	cells   []string
	inCell  bool
}

// openTable takes the start of a table, a row or a cell.
func (r *reader) openTable(a atom.Atom) {
	t := &r.html.table
	switch {
	case a == atom.Table:
		if t.depth == 0 {
			r.flush()
			*t = htmlTable{}
		}
		t.depth++
	case t.depth != 1:
	case a == atom.Tr:
		r.endRow()
	default:
		r.endCell()
		r.start(block{})
		t.inCell = true
	}
}

// closeTable takes the end of a table, a row or a cell.
func (r *reader) closeTable(a atom.Atom) {
	t := &r.html.table
	switch {
	case t.depth > 1:
		if a == atom.Table {
			t.depth--
		}
	case t.depth == 0:
	case a == atom.Td || a == atom.Th:
		r.endCell()
	default:
		r.endRow()
		if a == atom.Table {
			t.depth = 0
		}
	}
}

func (r *reader) endCell() {
	t := &r.html.table
	if !t.inCell {
		return
	}
	text := ""
	if r.cur != nil {
		text = r.cur.label()
	}
	r.cur, t.inCell = nil, false
	t.cells = append(t.cells, text)
}

func (r *reader) endRow() {
	r.endCell()
	t := &r.html.table
	switch {
	case len(t.cells) == 0:
	case t.heading == nil:
		t.heading = t.cells
	default:
		r.emit(rowOf(t.heading, t.cells))
	}
	t.cells = nil
}

// columnOf is the field that a column's heading names: "Fix", "Findings", "File/line".
func columnOf(heading string) class {
	heading, _, _ = strings.Cut(heading, "/")
	if field := fieldOf(heading); field != "" {
		return field
	}
	return fieldOf(strings.TrimSuffix(heading, "s"))
}

// row makes a remark of a table's row that names a cure, or tells a problem and how severe it is.
// Other tables list files, checks, figures or the titles of what follows.
func (l *layout) row(b block) {
	var problems, fixes []string
	behind, graded := suffix{}, false
	for _, c := range b.cells {
		field := columnOf(c.name)
		if g, ok := labelSeverity(c.text); ok && (field == severityField || field == problemField) {
			behind.grade, graded = maximal(behind.grade, g), true
			continue
		}
		switch field {
		case whereField:
			if m := onlyPlace().FindStringSubmatch(c.text); m != nil {
				behind.path = m[1]
			}
		case fixField:
			fixes = append(fixes, c.text)
		case problemField:
			problems = append(problems, c.text)
		}
	}
	fixes = slices.DeleteFunc(fixes, func(s string) bool { return analyse(s).length() < minProblem })
	told := slices.ContainsFunc(problems, func(s string) bool { return trimEnd(s) != s || analyse(s).length() > maxTitle })
	if len(fixes) == 0 && (!graded || !told) {
		return
	}
	l.begin(b, false)
	l.cur.grade, l.cur.item = maximal(behind.grade, l.cur.grade), true
	if behind.path != "" && !l.inline {
		l.cur.path = behind.path
	}
	for _, text := range problems {
		l.field = ""
		l.add(text)
	}
	for _, text := range fixes {
		l.field = fixField
		l.add(text)
	}
	l.field = ""
	l.finish()
}

// onlyPlace is a cell that names a file.
var onlyPlace = lazily("^`?(" + fileName + "|" + folder + ")" + lines + "?`?$")
