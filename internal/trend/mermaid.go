package trend

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/report"
)

// Mermaid renders the refresh share by week as a Mermaid chart and, since GitHub's renderer
// lags behind Mermaid (github.md 4.3), the same numbers as a table.
func Mermaid(weeks []Week) string {
	if len(weeks) == 0 {
		return "Nothing was learned yet.\n"
	}
	var labels, shares []string
	var rows [][]string
	for _, w := range weeks {
		share, _ := RefreshShare(w)
		labels = append(labels, `"`+w.Monday.String()+`"`)
		shares = append(shares, fmt.Sprintf("%.1f", share*100))
		rows = append(rows, []string{w.Monday.String(), fmt.Sprint(w.Appended), fmt.Sprint(w.Refreshed), report.Percent(share), fmt.Sprint(w.Active)})
	}
	return "```mermaid\nxychart-beta\n" +
		"    title \"Lessons re-earned rather than new, % by week\"\n" +
		"    x-axis [" + strings.Join(labels, ", ") + "]\n" +
		"    y-axis \"refresh share, %\" 0 --> 100\n" +
		"    bar [" + strings.Join(shares, ", ") + "]\n```\n\n" +
		report.Table([]string{"week of", "appended", "re-earned", "refresh share", "active after"}, rows)
}
