package distill

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
	text  string
	score float64
	said  *similarity.Text
}

// Weights of the ranking. An order outweighs one step of severity and two places in the review.
const (
	orderWeight      = 1.0
	adviceWeight     = 0.8
	statementWeight  = 0.5
	defectWeight     = 0.3
	explainedWeight  = 0.2
	conventionWeight = 0.4
	repeatWeight     = 0.3
	hedgePenalty     = 0.9
	unsurePenalty    = 1.5
	nitPenalty       = 2.0
	localPenalty     = 0.8 // about these lines only
	vaguePenalty     = 0.8 // prose that names neither code nor a defect
	placePenalty     = 0.4 // for each better placed remark, at most maxPlace times
	maxPlace         = 4
	maxRepeats       = 3
	maxCandidates    = 300 // are compared with each other

	askedPenalty = 0.3 // a statement beside a question explains the question

	// enough is what a remark has to weigh to teach anything.
	enough = 0.5
)

var gradeWeight = map[severity]float64{low: -nitPenalty, medium: 0, high: 0.8, critical: 1.1}

// Distill implements Distiller. The error is always nil.
func (Extractive) Distill(_ context.Context, findings []Finding) (Result, error) {
	var candidates []candidate
	for _, r := range settle(cleaned(findings), readRemarks) {
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
			candidates = append(candidates, candidate{r, text, weight, similarity.Prepare(text)})
		}
	}
	return choose(candidates), nil
}

// cleaned passes the findings through the guard: nothing invisible and no secret is read.
func cleaned(findings []Finding) []Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Body, _ = guard.Clean(out[i].Body[:min(len(out[i].Body), maxBody)])
	}
	return out
}

// weigh is how much a remark would teach, before its place in the review counts.
func weigh(r *remark, a advice) float64 {
	w := gradeWeight[r.grade]
	switch a.force {
	case orders, demands:
		w += orderWeight
	case advises:
		w += adviceWeight
	default:
		if r.prose || measures(a.problem) || a.problem.says("describes") && !a.problem.says("defect") {
			return 0
		}
		if r.title != "" && len(r.body) == 0 {
			return 0 // a bare title explains nothing
		}
		w += statementWeight
		if slices.ContainsFunc(r.body, sentence.isQuestion) {
			w -= askedPenalty
		}
	}
	said := append([]sentence{newSentence(r.title), a.order}, r.body...)
	says := func(class string) bool {
		return slices.ContainsFunc(said, func(s sentence) bool { return s.says(class) })
	}
	if says("defect") {
		w += defectWeight
	}
	if a.order.text != "" && (a.problem.text != "" || a.order.says("reason")) {
		w += explainedWeight
	}
	if r.prose && !says("convention") && !concrete(a.order) && !concrete(a.problem) {
		w -= vaguePenalty
	}
	if says("convention") {
		w += conventionWeight
	}
	w += repeatWeight * float64(min(r.repeats, maxRepeats))
	if says("hedge") {
		w -= hedgePenalty
	}
	if says("local") {
		w -= localPenalty
	}
	if says("unsure") {
		w -= unsurePenalty
	}
	if r.nit || says("trivial") || a.force == states && says("praise") {
		w -= nitPenalty
	}
	return w
}

// concrete reports whether a sentence names code, a defect or a reason.
func concrete(s sentence) bool {
	return strings.Contains(s.text, "`") || s.says("defect") || s.says("reason")
}

// measures reports a number that a tool tells about the code.
func measures(s sentence) bool {
	return s.says("metric") && strings.ContainsAny(s.text, "0123456789")
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
		result.admit(c.text, c.source)
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
