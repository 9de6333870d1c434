package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// policy lets the page show itself, and do nothing else: no other script, style or address, whatever a
// bullet says.
var policy = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + hash(pageStyle) + "; script-src " + hash(pageScript)

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": Percent,
	"visible": guard.Visible,
	"at":      func(v float64) string { return fmt.Sprintf("%.1f", v) },
	"score":   func(v float64) string { return fmt.Sprintf("%.3f", v) },
	"class":   class,
}).Parse(pageText))

// HTML writes the report as one page that needs nothing else: inline SVG, light and dark; a script of
// its own sorts the pairs, and is not needed to read it.
func HTML(w io.Writer, r Report) error {
	view := struct {
		Report
		Policy string
		Style  template.CSS
		Script template.JS
		Views  []storeView
	}{r, policy, template.CSS(pageStyle), template.JS(pageScript), nil} //nolint:gosec // both are our own
	rows := rowsOf(r.Stores)
	for i, m := range r.Stores {
		view.Views = append(view.Views, storeView{m, fmt.Sprintf("store-%d", i+1), rows[i][1:], histogramPlot(m.Histogram, m.Floor, m.Margin()), mapOf(m.Store)})
	}
	return page.Execute(w, view)
}

// storeView is a store as the page shows it.
type storeView struct {
	Measured
	ID    string
	Cells []string // of its row, without the name
	Plot  barPlot
	Map   likeness
}

// Listed returns the pairs of the table: what a person has to settle comes first.
func (v storeView) Listed() []Pair { return append(v.AllOpposed(), v.Alike()...) }

// Left is how many pairs the table leaves out.
func (v storeView) Left() int { return v.Reaching + len(v.Corrections) - len(v.Listed()) }

// Summary says by which rule the store was measured.
func (v storeView) Summary() string { return v.summary() }

// Line says between which pairs the floor lies.
func (v storeView) Line() string { return v.marginLine() }

// Closed reports whether the margin has closed.
func (v storeView) Closed() bool {
	m := v.Margin()
	return m != nil && m.Closed()
}

// class is how the page colours a pair.
func class(p Pair) string {
	switch {
	case p.Opposed():
		return "against"
	case p.Decision.Guard != "":
		return "apart"
	case p.Decision.Collapse:
		return "one"
	}
	return "near"
}
