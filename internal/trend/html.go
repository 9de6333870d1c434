package trend

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/report"
)

//go:embed page.html.tmpl
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent":   percent,
	"percentOf": func(w Week) string { return percent([]Week{w}) },
	"plot":      plotOf,
}).Parse(pageText))

// Section renders one series for a page that has classes for its parts: warning, plot and table.
func Section(s Series) (template.HTML, error) {
	var b strings.Builder
	err := page.ExecuteTemplate(&b, "series", s)
	return template.HTML(b.String()), err //nolint:gosec // the template escaped it
}

// HTML writes series as one page that needs nothing else: inline SVG, no script, light and dark.
func HTML(w io.Writer, all []Series) error { return page.Execute(w, all) }

func percent(weeks []Week) string {
	if share, known := RefreshShare(weeks...); known {
		return report.Percent(share)
	}
	return "–"
}

// The size of a plot in SVG units; what is drawn lies inside the edge.
const (
	plotWidth, plotHeight = 640.0, 200.0
	edge                  = 30.0
)

// plot is the picture "does the floor still separate?": share and margin over the weeks.
type plot struct {
	Shares  []mark // bars
	Margins []mark
	Line    []string // the margins as runs of points that are joined
	Closed  float64  // height of the line under which a margin has closed
	First   string
	Last    string
}

// mark is a value in the picture.
type mark struct {
	X, Y, Width, Height float64
	Title               string
}

func plotOf(s Series) plot {
	step := (plotWidth - 2*edge) / float64(max(1, len(s.Weeks)))
	y := func(value float64) float64 { return plotHeight - edge - value*(plotHeight-2*edge) }
	p := plot{Closed: y(report.ClosedMargin / s.Rule.Floor)}
	shares, margins := s.shares(), s.margins()
	var run []string
	flush := func() {
		if len(run) > 1 {
			p.Line = append(p.Line, strings.Join(run, " "))
		}
		run = nil
	}
	for i, w := range s.Weeks {
		left := edge + float64(i)*step
		if v := shares[i]; v.known {
			p.Shares = append(p.Shares, mark{
				left + step*0.15, y(v.value), step * 0.7, plotHeight - edge - y(v.value),
				fmt.Sprintf("week of %s: refresh share %s", w.Monday, report.Percent(v.value)),
			})
		}
		if !margins[i].known {
			flush()
			continue
		}
		at := mark{X: left + step/2, Y: y(margins[i].value), Title: fmt.Sprintf("week of %s: margin %.4f, from %.4f to %.4f", w.Monday, w.Margin.Width(), w.Margin.Below, w.Margin.Above)}
		p.Margins = append(p.Margins, at)
		run = append(run, fmt.Sprintf("%.1f,%.1f", at.X, at.Y))
	}
	flush()
	if n := len(s.Weeks); n > 0 {
		p.First, p.Last = s.Weeks[0].Monday.String(), s.Weeks[n-1].Monday.String()
	}
	return p
}
