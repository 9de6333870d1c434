package report

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/width"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// minWidth is the least width in columns that text is laid out for.
const minWidth = 60

// textPairs is how many pairs of a kind are shown as text.
const textPairs = 20

// Text renders the report for people, in lines of at most columns columns (at least 60).
func (r Report) Text(columns int) string {
	t := &text{columns: max(minWidth, columns)}
	t.rows(r.Stores)
	for _, m := range r.Stores {
		if m.Active > 1 {
			t.store(m)
		}
	}
	if len(r.Skipped) > 0 {
		t.line("", "")
		t.line("", "Skipped:")
		for _, s := range r.Skipped {
			t.line("  ", guard.Visible(s.Name)+": "+guard.Visible(s.Reason))
		}
	}
	return t.String()
}

// text lays lines out in a width.
type text struct {
	strings.Builder
	columns int
}

// line writes one line, cut to the width.
func (t *text) line(indent, line string) {
	t.WriteString(strings.TrimRight(indent+cut(line, t.columns-len(indent)), " ") + "\n")
}

// maxLines is how many lines one sentence may fill.
const maxLines = 4

// wrapped writes text behind a label, on as many lines as it takes, but at most maxLines.
func (t *text) wrapped(label, s string) {
	room := t.columns - columns(label)
	indent := strings.Repeat(" ", columns(label))
	line, n := "", 1
	words := strings.Fields(s)
	for i, word := range words {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= room:
			line += " " + word
		case n == maxLines:
			t.line(label, line+" "+strings.Join(words[i:], " "))
			return
		default:
			t.line(label, line)
			label, line, n = indent, word, n+1
		}
	}
	t.line(label, line)
}

// rows writes a line for each store. Long names are cut in the middle.
func (t *text) rows(stores []Measured) {
	rows := append([][]string{{"store", "active", "retired", "pairs", "at floor", "collapse", "share", "margin"}}, rowsOf(stores)...)
	widths := []int{0, 7, 7, 9, 8, 8, 7, 6}
	name := t.columns
	for i := 1; i < len(widths); i++ {
		for _, row := range rows {
			widths[i] = max(widths[i], len(row[i]))
		}
		name -= widths[i] + 1
	}
	name++ // the store's name ends where the first number's column begins
	for _, row := range rows {
		shown := guard.Visible(row[0])
		if over := columns(shown) - name; over > 0 && name > 16 {
			shown = cutMiddle(shown, name-1)
		} else if over > 0 { // a narrow terminal: the name has a line of its own
			t.line("", shown)
			shown = ""
		}
		line := pad(shown, name)
		for i, cell := range row[1:] {
			line += strings.Repeat(" ", min(i, 1)) + fmt.Sprintf("%*s", widths[i+1], cell)
		}
		t.line("", line)
	}
}

// rowsOf returns the cells of each store's row.
func rowsOf(stores []Measured) [][]string {
	var rows [][]string
	for _, m := range stores {
		margin := "-"
		if w := m.Margin(); w != nil {
			margin = fmt.Sprintf("%.3f", w.Width())
		}
		rows = append(rows, []string{
			m.Name, fmt.Sprint(m.Active), fmt.Sprint(m.RetiredTotal()), fmt.Sprint(m.AllPairs()), fmt.Sprint(m.Reaching),
			fmt.Sprint(m.Superfluous), Percent(m.DuplicateShare()), margin,
		})
	}
	return rows
}

func (t *text) store(m Measured) {
	t.line("", "")
	t.line("", guard.Visible(m.Name))
	t.wrapped("  ", m.summary())
	t.pairs("Contradictions and corrections", m.AllOpposed(), m.Opposed+len(m.Corrections))
	t.pairs("Pairs at or above the floor", m.Alike(), m.Reaching-m.Opposed)
	t.line("", "")
	t.wrapped("  Margin: ", m.marginLine())
	t.line("", "")
	t.histogram(m.Histogram, m.Floor)
}

// summary says by which rule the store was measured, and what that leaves out.
func (m Measured) summary() string {
	parts := []string{fmt.Sprintf("floor %g, %s measure", m.Rule.Floor, m.measure())}
	for _, k := range m.RetiredKinds() {
		parts = append(parts, fmt.Sprintf("%d retired as %s", k.Count, k.Kind))
	}
	if m.TooShort > 0 {
		parts = append(parts, fmt.Sprintf("%d too short to be compared", m.TooShort))
	}
	return strings.Join(parts, "; ")
}

// marginLine says between which pairs the floor lies.
func (m Measured) marginLine() string {
	margin := m.Margin()
	if margin == nil {
		return "not known: there is no pair"
	}
	under, over := "no pair from half the floor up to it", "no pair collapses"
	if p := m.Nearest(); p != nil {
		under = fmt.Sprintf("highest under the floor %.4f (lines %d, %d)", p.Decision.Sureness, p.A.Line, p.B.Line)
	}
	if p := m.Lowest; p != nil {
		over = fmt.Sprintf("lowest over it %.4f (lines %d, %d)", p.Decision.Sureness, p.A.Line, p.B.Line)
	}
	line := fmt.Sprintf("%.4f; %s, %s", margin.Width(), under, over)
	if margin.Closed() {
		line += "; it has closed: label pairs and calibrate"
	}
	return line
}

// pairs writes some of all pairs of one kind.
func (t *text) pairs(title string, pairs []Pair, all int) {
	if all == 0 {
		return
	}
	t.line("", "")
	t.line("  ", fmt.Sprintf("%s: %d", title, all))
	shown := pairs[:min(len(pairs), textPairs)]
	for _, p := range shown {
		verdict := p.Verdict()
		if why := p.Why(); why != "" {
			verdict += ": " + guard.Visible(why)
		}
		t.wrapped(fmt.Sprintf("    %.3f  ", p.Decision.Sureness), verdict)
		for _, b := range []lesson.Bullet{p.A, p.B} {
			t.wrapped(fmt.Sprintf("    %5d  ", b.Line), guard.Visible(b.Sentence))
		}
	}
	if left := all - len(shown); left > 0 {
		t.line("    ", fmt.Sprintf("…and %d more; --html and --json show up to %d", left, maxPairs))
	}
}

// histogram draws a bar for each bin that is not empty, and the floor between them.
func (t *text) histogram(h Histogram, floor float64) {
	t.line("  ", "sureness         pairs  (bars by the logarithm)")
	if h.Rest > 0 {
		t.line("  ", fmt.Sprintf("under %.3f %11d  not told apart", h.From, h.Rest))
	}
	most := 1
	for _, n := range h.Counts {
		most = max(most, n)
	}
	drawn := false
	for _, b := range h.Bins() {
		if !drawn && b.Low >= floor-1e-9 {
			drawn = true
			t.line("  ", strings.Repeat("─", 22)+fmt.Sprintf(" floor %g ", floor)+strings.Repeat("─", max(0, t.columns-40)))
		}
		if b.Pairs == 0 {
			continue
		}
		bar := strings.Repeat("█", max(1, int(math.Round(math.Log1p(float64(b.Pairs))/math.Log1p(float64(most))*float64(t.columns-28)))))
		t.line("  ", fmt.Sprintf("%.3f–%.3f %9d  %s", b.Low, b.High, b.Pairs, bar))
	}
}

// columns is how wide text is on a terminal: characters of East Asia take two columns.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut cuts text to a width, an ellipsis included.
func cut(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		if n += columnsOf(r); n >= limit {
			return s[:i] + "…"
		}
	}
	return s
}

// cutMiddle cuts text to a width by what is between its two ends.
func cutMiddle(s string, limit int) string {
	head := cut(s, (limit+1)/2)
	runes := []rune(s)
	tail, n := len(runes), columns(head)
	for tail > 0 && n+columnsOf(runes[tail-1]) <= limit {
		tail--
		n += columnsOf(runes[tail])
	}
	return head + string(runes[tail:])
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-columns(s))) }
