package calibrate

import (
	"math"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Point is what a rule does with the labelled pairs at one floor, guards in force.
type Point struct {
	Floor     float64
	Precision Share // of the pairs that collapse, the duplicates
	Recall    Share // of the duplicates, those that collapse
	Distinct  int   // distinct pairs that collapse
	Opposite  int   // opposite pairs that collapse
}

// Example is a labelled pair with its score.
type Example struct {
	Label
	Score float64 // of the measure, comparable to a floor
}

// Result is a rule's calibration.
type Result struct {
	Rule      similarity.Rule
	Counts    map[Verdict]int // labelled pairs; skipped ones are in no other figure
	Points    []Point         // by floor, lowest first; the rule's and the recommended one are among them
	Guarded   map[Verdict]int // pairs that a guard keeps apart at any floor
	Short     int             // pairs that are never compared, since a side has too few tokens
	Highest   *Example        // of the pairs that are not one lesson and that no guard keeps apart; nil for none
	Lowest    *Example        // of the duplicates that no guard keeps apart; nil for none
	Recommend Recommendation
}

// floors are those that are always looked at, in hundredths.
var floors = []int{10, 15, 20, 25, 30, 35, 40, 45, 50}

// judged is a labelled pair, and what the rule thinks of it at any floor.
type judged struct {
	Example
	guarded, short bool
}

// Of measures a rule on labelled pairs.
func Of(labels []Label, rule similarity.Rule) Result {
	r := Result{Rule: rule, Counts: map[Verdict]int{}, Guarded: map[Verdict]int{}}
	var open []Example // pairs that collapse at some floor
	for _, l := range labels {
		r.Counts[l.Verdict]++
		if l.Verdict == Skip {
			continue
		}
		switch j := judge(l, rule); {
		case j.short:
			r.Short++
		case j.guarded:
			r.Guarded[l.Verdict]++
		default:
			open = append(open, j.Example)
		}
	}
	for i := range open {
		r.extremes(&open[i])
	}
	at := func(floor float64) Point { return pointAt(open, floor, r.Counts[Duplicate]) }
	r.Recommend = r.recommend(open, at)
	all := []float64{rule.Floor, r.Recommend.Floor}
	for _, hundredths := range floors {
		all = append(all, float64(hundredths)/100)
	}
	slices.Sort(all)
	for _, floor := range slices.Compact(all) {
		r.Points = append(r.Points, at(floor))
	}
	return r
}

// extremes keeps a pair that is the lowest duplicate so far, or the highest of the others.
func (r *Result) extremes(e *Example) {
	switch {
	case e.Verdict == Duplicate && (r.Lowest == nil || e.Score < r.Lowest.Score):
		r.Lowest = e
	case e.Verdict != Duplicate && (r.Highest == nil || e.Score > r.Highest.Score):
		r.Highest = e
	}
}

// judge compares a pair at a floor that every pair reaches which shares anything.
func judge(l Label, rule similarity.Rule) judged {
	short := min(len(similarity.Tokens(l.A)), len(similarity.Tokens(l.B))) < rule.MinTokens
	rule.Floor = math.SmallestNonzeroFloat64
	d := rule.Compare(similarity.Prepare(l.A), similarity.Prepare(l.B))
	return judged{Example{l, d.Sureness}, d.Guard != "", short}
}

// pointAt counts what collapses at a floor.
func pointAt(open []Example, floor float64, duplicates int) Point {
	p := Point{Floor: floor, Recall: Share{Whole: duplicates}}
	for _, e := range open {
		if e.Score < floor {
			continue
		}
		p.Precision.Whole++
		switch e.Verdict {
		case Duplicate:
			p.Precision.Part++
			p.Recall.Part++
		case Opposite:
			p.Opposite++
		default:
			p.Distinct++
		}
	}
	return p
}
