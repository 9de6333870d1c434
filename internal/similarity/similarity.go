// Package similarity decides when two sentences are one lesson.
//
// The published rule is the Jaccard score of the sets of words with a floor of 0.25. The default measure
// keeps its form and its floor, and can be recomputed by hand: each word is replaced by its English stem
// (Snowball) and by the one that stands for its synonyms; a word of grammar weighs nothing, one of the
// general vocabulary of software a half, every other one; the score is the weight of the shared stems
// over that of all stems. Nothing depends on the store in which a pair stands.
//
// Guards forbid a collapse that a measure allows, and never cause one. To tell opposites apart they read
// what a sentence demands, what it rules out, and what it only tells or gives as a reason.
// Everything here is pure, deterministic and symmetric.
package similarity

import (
	"errors"
	"fmt"
	"strconv"
)

// WordsMeasure names the plain published rule in Rule.Measure.
const WordsMeasure = "words"

// Rule decides when two sentences are one lesson.
type Rule struct {
	Measure   string  // "" the product's default measure; "words" the plain published rule
	Floor     float64 // lowest score that is a collapse, in (0,1]
	MinTokens int     // a side with fewer distinct tokens is never compared
	grey      bool
}

// DefaultRule returns the published floors: 0.25, and 8 distinct tokens a side.
func DefaultRule() Rule { return Rule{Floor: 0.25, MinTokens: 8} }

// Grey returns the rule of the grey band, in which a second opinion may be asked: half the floor,
// and every guard but those that only ask for more likeness.
func (r Rule) Grey() Rule {
	r.Floor, r.grey = r.Floor/2, true
	return r
}

// Validate names what is wrong with a rule that a person configured.
func (r Rule) Validate() error {
	var errs []error
	if r.Measure != "" && r.Measure != WordsMeasure {
		errs = append(errs, fmt.Errorf("unknown measure %q: leave it empty or use %q", r.Measure, WordsMeasure))
	}
	if !(r.Floor > 0 && r.Floor <= 1) {
		errs = append(errs, fmt.Errorf("floor %v is not above 0 and at most 1", r.Floor))
	}
	if r.MinTokens < 0 {
		errs = append(errs, fmt.Errorf("min_tokens %d is negative", r.MinTokens))
	}
	return errors.Join(errs...)
}

// Decision says whether two sentences are one lesson, and why.
type Decision struct {
	Collapse      bool
	Score         float64  // plain Jaccard of the word sets: what is published
	Sureness      float64  // the measure that decided, comparable to the floor; for "words" it equals Score
	Shared        []string // sorted shared tokens
	Guard         string   // name of the guard that forbade the collapse; "" when none spoke
	Contradiction bool     // the guard was one of polarity: an agent that obeys one sentence breaks the other
	Reason        string   // one line for people
}

// Compare decides whether a and b are one lesson. It is symmetric.
func (r Rule) Compare(a, b *Text) Decision {
	d := Decision{Shared: shared(a.tokens, b.tokens)}
	d.Score = ratio(len(d.Shared), len(a.tokens)+len(b.tokens))
	d.Sureness = d.Score
	if r.Measure != WordsMeasure {
		d.Sureness = sureness(a, b)
	}
	fewest := min(len(a.tokens), len(b.tokens))
	switch {
	case fewest < r.MinTokens:
		d.Reason = "one side has " + strconv.Itoa(fewest) + " distinct tokens, fewer than " + strconv.Itoa(r.MinTokens)
	case d.Sureness < r.Floor:
		d.Reason = "sureness " + digits(d.Sureness) + " is under the floor " + digits(r.Floor)
	default:
		g, why := guarded(a, b, r.grey)
		if g == nil {
			d.Collapse = true
			d.Reason = "sureness " + digits(d.Sureness) + " reaches the floor " + digits(r.Floor)
			break
		}
		d.Guard, d.Contradiction = g.name, g.polarity
		d.Reason = g.name + ": " + why
	}
	return d
}

func digits(share float64) string { return strconv.FormatFloat(share, 'f', 3, 64) }
