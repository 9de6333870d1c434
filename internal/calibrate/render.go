package calibrate

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Report is the calibration of several measures on one set of labels.
type Report struct {
	Labels    int // that count
	Elsewhere int // labels of sentences that the files do not hold, left out
	Results   []Result
}

// Measures calibrates the default measure and the plain rule with the thresholds of rule.
func Measures(labels []Label, rule similarity.Rule) []Result {
	words := rule
	rule.Measure, words.Measure = "", similarity.WordsMeasure
	return []Result{Of(labels, rule), Of(labels, words)}
}

// Text renders the report for people.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Labelled pairs: %d", r.Labels)
	if len(r.Results) > 0 {
		c := r.Results[0].Counts
		fmt.Fprintf(&b, " (%d duplicate, %d distinct, %d opposite, %d skipped)", c[Duplicate], c[Distinct], c[Opposite], c[Skip])
	}
	b.WriteString(". Intervals: 95 %, Wilson.\n")
	if r.Elsewhere > 0 {
		fmt.Fprintf(&b, "%d labels are left out: the files do not hold their sentences among the active bullets.\n", r.Elsewhere)
	}
	for _, result := range r.Results {
		result.text(&b)
	}
	return b.String()
}

func (r Result) text(b *strings.Builder) {
	fmt.Fprintf(b, "\nMeasure %s, guards in force, floor in force %g\n\n", r.measure(), r.Rule.Floor)
	fmt.Fprintf(b, "  %-7s %-30s %-30s %8s %8s\n", "floor", "precision", "recall", "distinct", "opposite")
	for _, p := range r.Points {
		mark := " "
		if p.Floor == r.Recommend.Floor {
			mark = ">"
		}
		fmt.Fprintf(b, "%s %-7.4g %-30s %-30s %8d %8d\n", mark, p.Floor, p.Precision.text(), p.Recall.text(), p.Distinct, p.Opposite)
	}
	fmt.Fprintf(b, "\n  kept apart by guards: %d duplicate, %d distinct, %d opposite; too short to be compared: %d\n",
		r.Guarded[Duplicate], r.Guarded[Distinct], r.Guarded[Opposite], r.Short)
	r.Highest.text(b, "highest that is not one lesson")
	r.Lowest.text(b, "lowest duplicate")
	fmt.Fprintf(b, "  recommended floor %.4g: %s\n", r.Recommend.Floor, r.Recommend.Reason)
	if r.Recommend.TooFew {
		fmt.Fprintf(b, "  too few labels: %d more pairs at or above the floor are missing\n", r.Recommend.Missing)
	}
}

func (e *Example) text(b *strings.Builder, title string) {
	if e != nil {
		fmt.Fprintf(b, "  %s: %.4f (%s)\n    %s\n    %s\n", title, e.Score, e.Verdict, guard.Visible(e.A), guard.Visible(e.B))
	}
}

// text renders a share as "0.67 (29/43, 0.52 to 0.80)".
func (s Share) text() string {
	if s.Whole == 0 {
		return "- (0/0)"
	}
	low, high := s.Wilson()
	return fmt.Sprintf("%.2f (%d/%d, %.2f to %.2f)", s.Value(), s.Part, s.Whole, low, high)
}

func (r Result) measure() string {
	if r.Rule.Measure == "" {
		return "default"
	}
	return r.Rule.Measure
}
