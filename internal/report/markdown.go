package report

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// Inline renders untrusted text for one line of GitHub's Markdown, a table's cell included: it
// pings nobody, closes no issue, and nothing in it is markup but plain code spans.
func Inline(text string) string {
	text = guard.Visible(text)
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 || strings.Contains(text, "``") {
		return escape(guard.Defuse(strings.ReplaceAll(text, "`", "'")))
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			b.WriteString("`" + strings.ReplaceAll(part, "|", `\|`) + "`")
			continue
		}
		b.WriteString(escape(guard.Defuse(part)))
	}
	return b.String()
}

// Code renders untrusted text, such as a path, as a code span.
func Code(text string) string {
	text = guard.Visible(text)
	if text == "" || strings.Contains(text, "`") {
		return Inline(text)
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// escape takes its meaning from every character that has one in GitHub's Markdown. The colon
// keeps addresses from becoming links, the dollar formulas from being set.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#+!|~&:$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "www.", "www\u200b.")
}

// Shorten cuts text to at most limit characters, an ellipsis included.
func Shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return string(runes[:limit-1]) + "…"
}

// Percent renders a share: "12.5 %".
func Percent(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", share*100), ".0") + " %"
}

// Table renders rows under a header. Cells are Markdown already; see Inline.
func Table(header []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(header)
	line(strings.Split(strings.Repeat("---,", len(header)-1)+"---", ","))
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// PairsTable renders pairs with both sentences, each cut to chars characters.
func PairsTable(pairs []Pair, chars int) string {
	var rows [][]string
	for _, p := range pairs {
		verdict := p.Verdict()
		if p.Opposed() {
			verdict = "**" + verdict + "**"
		}
		if why := p.Why(); why != "" {
			verdict += ": " + Inline(why)
		}
		rows = append(rows, []string{
			fmt.Sprintf("%.2f", p.Decision.Sureness), fmt.Sprintf("%.2f", p.Decision.Score),
			fmt.Sprintf("%d, %d", p.A.Line, p.B.Line),
			Inline(Shorten(p.A.Sentence, chars)) + "<br>" + Inline(Shorten(p.B.Sentence, chars)), verdict,
		})
	}
	return Table([]string{"sureness", "shared words", "lines", "sentences", "verdict"}, rows)
}
