package trend

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/report"
)

// Text renders series for people.
func Text(all []Series) string {
	var b strings.Builder
	for i, s := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		s.text(&b)
	}
	return b.String()
}

func (s Series) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s, %s\n", guard.Visible(s.Store), guard.Visible(s.Path))
	if len(s.Weeks) == 0 {
		b.WriteString("  no commit tells of a write\n")
		return
	}
	overall := "not known: nothing was learned"
	if share, known := RefreshShare(s.Weeks...); known {
		overall = report.Percent(share) + " of what was learned was known already"
	}
	fmt.Fprintf(b, "  refresh share  %s  %s\n", sparkline(s.shares()), overall)
	fmt.Fprintf(b, "  margin         %s  floor %g\n\n", sparkline(s.margins()), s.Rule.Floor)
	fmt.Fprintf(b, "  %-10s %8s %9s %7s %7s %7s %7s  %s\n", "week of", "appended", "re-earned", "share", "active", "retired", "evicted", "margin")
	for _, w := range s.Weeks {
		share, margin := "-", "-"
		if v, known := RefreshShare(w); known {
			share = report.Percent(v)
		}
		if m := w.Margin; m != nil {
			margin = fmt.Sprintf("%.3f (%.4f to %.4f)", m.Width(), m.Below, m.Above)
		}
		fmt.Fprintf(b, "  %-10s %8d %9d %7s %7d %7d %7d  %s\n", w.Monday, w.Appended, w.Refreshed, share, w.Active, w.Retired, w.Evicted, margin)
	}
	if warning := s.Warning(); warning != "" {
		fmt.Fprintf(b, "\n  warning: %s\n", warning)
	}
}

// point is a value of one week, or that it is not known.
type point struct {
	value float64
	known bool
}

// shares are the refresh shares by week.
func (s Series) shares() []point {
	out := make([]point, len(s.Weeks))
	for i, w := range s.Weeks {
		out[i].value, out[i].known = RefreshShare(w)
	}
	return out
}

// margins are the widths of the margins by week, as a share of the floor, at most 1.
func (s Series) margins() []point {
	out := make([]point, len(s.Weeks))
	for i, w := range s.Weeks {
		if w.Margin != nil {
			out[i] = point{min(1, w.Margin.Width()/s.Rule.Floor), true}
		}
	}
	return out
}

// sparkline draws values from 0 to 1 in eighths, a dot where one is not known.
func sparkline(points []point) string {
	const bars = "▁▂▃▄▅▆▇█"
	var b strings.Builder
	for _, p := range points {
		if !p.known {
			b.WriteRune('·')
			continue
		}
		b.WriteRune([]rune(bars)[min(7, int(p.value*8))])
	}
	return b.String()
}
