package report

import (
	"fmt"
	"math"
	"strings"
)

// The histogram in SVG units; what is drawn lies between its edges.
const (
	plotWidth                   = 560.0
	plotSide, plotTop, plotBase = 14.0, 20.0, 228.0
)

// barPlot is a histogram as the page draws it, over scores from 0 to 1.
type barPlot struct {
	Bars  []bar
	Ticks []tick
	Floor tick // where the floor is
	Band  *bar // the margin around it
	Rest  string
	Text  string // says all of it
}

// bar is a rectangle with what it says.
type bar struct {
	X, Y, Width, Height float64
	Class, Title, Label string
}

// Middle is where the label of a bar is centred.
func (b bar) Middle() float64 { return b.X + b.Width/2 }

// Above is the line on which the label of a bar stands.
func (b bar) Above() float64 { return b.Y - 4 }

// tick is a label on the axis.
type tick struct {
	X     float64
	Label string
}

// histogramPlot draws a histogram; heights are logarithms, since few pairs of many are alike.
func histogramPlot(h Histogram, floor float64, margin *Margin) barPlot {
	x := func(score float64) float64 { return plotSide + score*(plotWidth-2*plotSide) }
	most := 1
	for _, n := range h.Counts {
		most = max(most, n)
	}
	p := barPlot{Floor: tick{x(floor), fmt.Sprintf("floor %g", floor)}}
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		p.Ticks = append(p.Ticks, tick{x(v), fmt.Sprintf("%g", v)})
	}
	var said []string
	for _, bin := range h.Bins() {
		if bin.Pairs == 0 {
			continue
		}
		height := math.Log1p(float64(bin.Pairs)) / math.Log1p(float64(most)) * (plotBase - plotTop - 16)
		b := bar{
			X: x(bin.Low) + 1, Width: max(1, x(bin.High)-x(bin.Low)-2), Y: plotBase - height, Height: height,
			Class: "under", Title: fmt.Sprintf("%d pairs from %.3f to %.3f", bin.Pairs, bin.Low, bin.High),
		}
		if bin.Low >= floor-1e-9 {
			b.Class = "over"
		}
		if b.Width >= 8*float64(len(fmt.Sprint(bin.Pairs))) {
			b.Label = fmt.Sprint(bin.Pairs)
		}
		p.Bars = append(p.Bars, b)
		said = append(said, b.Title)
	}
	if margin != nil && margin.Width() > 0 {
		p.Band = &bar{X: x(margin.Below), Width: x(margin.Above) - x(margin.Below), Y: plotTop, Height: plotBase - plotTop}
	}
	if h.Rest > 0 {
		p.Rest = fmt.Sprintf("%d pairs under %.3f are not told apart", h.Rest, h.From)
		said = append(said, p.Rest)
	}
	p.Text = fmt.Sprintf("Histogram of pairs by sureness, the floor at %g: %s.", floor, strings.Join(said, ", "))
	return p
}
