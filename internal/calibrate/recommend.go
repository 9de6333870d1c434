package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// Recommendation is a floor and why.
type Recommendation struct {
	Floor   float64
	Reason  string // one sentence or more, for people
	TooFew  bool   // the labels do not suffice to trust the floor
	Missing int    // how many more labelled pairs at or above the floor it takes, if all are right
}

const (
	// leastPrecision is what a floor must reach on the labelled pairs (issue 6).
	leastPrecision = 0.97
	// trusted is the precision that must be sure, as the lower end of the interval, before a floor
	// is more than a guess.
	trusted = 0.9
	// upward is how far into the gap a floor is put: nearer to the duplicates, since a false collapse
	// loses a lesson and a missed one costs a line (design decision 12).
	upward = 0.75
)

// recommend picks the lowest floor that the labels bear out, and says why. Where they are too few, it
// never goes below the floor in force.
func (r Result) recommend(open []Example, at func(float64) Point) Recommendation {
	out := r.fromLabels(open, at)
	p := at(out.Floor)
	out.Missing = p.Precision.missing(trusted)
	out.TooFew = out.Missing > 0
	if !out.TooFew {
		return out
	}
	if out.Floor < r.Rule.Floor {
		out.Floor = r.Rule.Floor
		p = at(out.Floor)
		out.Missing = p.Precision.missing(trusted)
		out.Reason = "The labels would bear out a lower floor, but they are too few to lower it: the floor in force stays."
	}
	low, _ := p.Precision.Wilson()
	out.Reason += fmt.Sprintf(" Of %d labelled pairs that collapse there %d are right: that makes precision at least %.2f sure; %d more, all right, would make it %.2f.",
		p.Precision.Whole, p.Precision.Part, low, out.Missing, trusted)
	return out
}

func (r Result) fromLabels(open []Example, at func(float64) Point) Recommendation {
	switch {
	case r.Highest == nil:
		return Recommendation{
			Floor:  r.Rule.Floor,
			Reason: "No labelled pair that is not one lesson can collapse, which is no reason to lower the floor: the one in force stays.",
		}
	case r.Lowest == nil && r.Highest.Score < r.Rule.Floor:
		return Recommendation{Floor: r.Rule.Floor, Reason: "No labelled duplicate can collapse at any floor: the one in force stays."}
	case r.Lowest == nil: // nothing to keep above the highest
	case r.Highest.Score < r.Lowest.Score:
		gap := r.Lowest.Score - r.Highest.Score
		return Recommendation{
			Floor: floorIn(r.Highest.Score, r.Highest.Score+upward*gap),
			Reason: fmt.Sprintf("The labels leave a gap: the highest pair that is not one lesson scores %.4f, the lowest duplicate %.4f."+
				" The floor lies three quarters of the way up, since a false collapse is worse than a missed one.", r.Highest.Score, r.Lowest.Score),
		}
	}
	var scores []float64
	for _, e := range open {
		if e.Verdict == Duplicate {
			scores = append(scores, floorUnder(e.Score))
		}
	}
	slices.Sort(scores)
	for below, floor := range scores {
		p := at(floor)
		if p.Opposite == 0 && p.Precision.Value() >= leastPrecision {
			return Recommendation{
				Floor: floor,
				Reason: fmt.Sprintf("There is no gap: a pair that is not one lesson scores %.4f, a duplicate %.4f. This is the lowest floor at which"+
					" nothing opposite collapses and precision is %.2f or more; %d duplicates stay below it, since a false collapse is worse than a missed one.",
					r.Highest.Score, r.Lowest.Score, leastPrecision, below),
			}
		}
	}
	return Recommendation{
		Floor: math.Max(r.Rule.Floor, math.Min(1, floorUnder(r.Highest.Score)+1.0/steps)),
		Reason: fmt.Sprintf("No floor separates these pairs: one that is not one lesson scores %.4f, above every floor that precision of %.2f would take."+
			" This one is above them all, and hardly anything collapses.", r.Highest.Score, leastPrecision),
	}
}

// steps are the floors that are worth writing down: thousandths.
const steps = 1000

// floorUnder is the highest floor that a score reaches.
func floorUnder(score float64) float64 { return math.Floor(score*steps) / steps }

// floorIn is the highest floor above low and at most high; high itself in a gap too narrow for one.
func floorIn(low, high float64) float64 {
	if f := floorUnder(high); f > low {
		return f
	}
	return high
}
