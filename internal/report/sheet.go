package report

import (
	"fmt"
	"strings"
)

// markdownPairs is how many pairs of a kind are shown as Markdown, and of how many characters each sentence.
const markdownPairs, markdownChars = 50, 300

// Markdown renders the report for GitHub.
func (r Report) Markdown() string {
	var b strings.Builder
	rows := rowsOf(r.Stores)
	for i, m := range r.Stores {
		rows[i][0] = Code(m.Name)
	}
	b.WriteString("# Lessons files\n\n" + Table([]string{"store", "active", "retired", "pairs", "at the floor", "would collapse", "share", "margin"}, rows))
	for _, m := range r.Stores {
		if m.Active > 1 {
			m.markdown(&b)
		}
	}
	if len(r.Skipped) > 0 {
		b.WriteString("\n## Skipped\n\n")
		for _, s := range r.Skipped {
			fmt.Fprintf(&b, "- %s: %s\n", Code(s.Name), Inline(s.Reason))
		}
	}
	return b.String()
}

func (m Measured) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s. Margin: %s.\n", Code(m.Name), m.summary(), m.marginLine())
	section := func(title string, pairs []Pair, all int) {
		if all == 0 {
			return
		}
		shown := pairs[:min(len(pairs), markdownPairs)]
		fmt.Fprintf(b, "\n### %s\n\n%s", title, PairsTable(shown, markdownChars))
		if left := all - len(shown); left > 0 {
			fmt.Fprintf(b, "\n…and %d more.\n", left)
		}
	}
	section("Contradictions and corrections", m.AllOpposed(), m.Opposed+len(m.Corrections))
	section("Pairs at or above the floor", m.Alike(), m.Reaching-m.Opposed)
	b.WriteString("\n### How sure the pairs are\n\n")
	var rows [][]string
	if h := m.Histogram; h.Rest > 0 {
		rows = append(rows, []string{fmt.Sprintf("under %.3f", h.From), fmt.Sprint(h.Rest), ""})
	}
	for _, bin := range m.Histogram.Bins() {
		if bin.Pairs > 0 {
			side := "under the floor"
			if bin.Low >= m.Floor-1e-9 {
				side = "**at or above the floor**"
			}
			rows = append(rows, []string{fmt.Sprintf("%.3f–%.3f", bin.Low, bin.High), fmt.Sprint(bin.Pairs), side})
		}
	}
	b.WriteString(Table([]string{"sureness", "pairs", ""}, rows))
}
