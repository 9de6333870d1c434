package distill

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Extractive distils without a model: it picks the remarks that teach most and rewrites each to
// one sentence. The same findings always give the same lessons.
type Extractive struct{}

// NewExtractive returns the distiller that needs no key and no network.
func NewExtractive() Extractive { return Extractive{} }

// String names the distiller.
func (Extractive) String() string { return "extractive" }

// candidate is a remark that can be said in one sentence.
type candidate struct {
	*remark
	advice
	text  string
	score float64
	said  *similarity.Text
}

// Distill implements Distiller. The error is the context's.
func (Extractive) Distill(ctx context.Context, findings []Finding) (Result, error) {
	findings, leftOut := bounded(findings)
	remarks, err := settle(ctx, findings)
	if err != nil {
		return Result{}, err
	}
	var candidates []candidate
	for _, r := range remarks {
		a, ok := boil(r)
		if !ok {
			continue
		}
		weight := weigh(r, a)
		if weight < enough {
			continue
		}
		if len(candidates) == maxCandidates {
			break
		}
		if text, ok := compose(r, a); ok {
			candidates = append(candidates, candidate{r, a, text, weight, similarity.Prepare(text)})
		}
	}
	result := choose(candidates)
	result.Refused = append(result.Refused, torn(remarks)...)
	result.LeftOut = leftOut
	return result, ctx.Err()
}

// maxTorn is the most orders with a missing address that are judged.
const maxTorn = 20

// torn are the orders that the guard refuses for the address that was taken from them. They would
// teach nothing anyway, but their reviewer is to be seen.
func torn(remarks []*remark) []Refusal {
	var out []Refusal
	tried := 0
	for _, r := range remarks {
		for _, s := range r.body {
			if tried == maxTorn {
				return out
			}
			if s.hole && s.force > states {
				tried++
				if judged := guard.Judge(s.source); judged.Refused {
					out = append(out, Refusal{Text: s.source, Source: r.source, Rule: judged.Rule, Reason: judged.Reason})
				}
			}
		}
	}
	return out
}

// choose takes the best remarks that the guard lets through, at most MaxLessons. It has them say
// different things.
func choose(candidates []candidate) Result {
	candidates = unite(candidates)
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(max(b.grade, medium), max(a.grade, medium)) })
	for i := range candidates {
		candidates[i].score -= placePenalty * float64(min(i, maxPlace))
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var result Result
	for _, c := range candidates {
		if len(result.Lessons) == MaxLessons {
			break
		}
		result.admit(c.text, c.source, c.sources()...)
	}
	return result
}

// unite merges candidates that say the same; what several comments share weighs more.
func unite(candidates []candidate) []candidate {
	var out []candidate
	rule := similarity.DefaultRule()
next:
	for _, c := range candidates {
		for i := range out {
			if rule.Compare(out[i].said, c.said).Collapse {
				out[i].score += repeatWeight
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}
