package distill

import (
	"slices"
	"strings"
)

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
	moreHedges       = 0.3
	unsurePenalty    = 1.5
	nitPenalty       = 2.0
	localPenalty     = 0.8 // about these lines only
	vaguePenalty     = 1.2 // prose that names neither code nor a problem
	placePenalty     = 0.4 // for each better placed remark, at most maxPlace times
	maxPlace         = 4
	maxRepeats       = 3
	maxCandidates    = 300 // are compared with each other

	askedPenalty = 0.3 // a statement beside a question explains the question

	// enough is what a remark has to weigh to teach anything.
	enough = 0.5
)

var gradeWeight = map[severity]float64{low: -nitPenalty, medium: 0, high: 0.8, critical: 1.1}

// weigh is how much a remark would teach, before its place in the review counts.
func weigh(r *remark, a advice) float64 {
	if r.prose && r.tour {
		return 0
	}
	w := gradeWeight[r.grade]
	switch a.force {
	case orders, demands:
		w += orderWeight
	case advises:
		w += adviceWeight
	default:
		if r.prose || measures(a.problem) || a.problem.says(describesCue) && !a.problem.says(defectCue) {
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
	said := append([]sentence{spoken(r.title), a.order}, r.body...)
	says := func(c class) bool {
		return slices.ContainsFunc(said, func(s sentence) bool { return s.says(c) })
	}
	if says(defectCue) {
		w += defectWeight
	}
	if !a.order.empty() && (!a.problem.empty() || a.order.says(reasonCue)) {
		w += explainedWeight
	}
	rule := says(conventionCue) || isUniversal(a.order) && !r.formal
	if r.prose && !rule && a.sequel.empty() && !concrete(a.order) && !concrete(a.problem) && !a.problem.says(defectCue) {
		w -= vaguePenalty
	}
	if says(conventionCue) {
		w += conventionWeight
	}
	w += repeatWeight * float64(min(r.repeats, maxRepeats))
	if n := hedges(said); n > 0 {
		w -= hedgePenalty + moreHedges*float64(n-1)
	}
	if says(localCue) {
		w -= localPenalty
	}
	if says(unsureCue) {
		w -= unsurePenalty
	}
	if r.nit || says(trivialCue) || a.force == states && says(praiseCue) {
		w -= nitPenalty
	}
	return w
}

// hedges counts the hedges in what a remark says.
func hedges(said []sentence) int {
	n := 0
	for _, s := range said {
		for _, h := range s.hits {
			if h.class == hedgeCue && h.at != unplaced {
				n++
			}
		}
	}
	return n
}

// identifier is a name of the code that stands in no backticks.
var identifier = lazily(`\w_\w|\w\(\)|\b[a-z]+[A-Z]\w+|\b[A-Z]\w+(?:Exception|Error)\b|\b[a-z]\w+(?:/\w{2,}){2,}`)

// concrete reports whether a sentence names code, what it is set against or a reason; what stands
// behind a semicolon is one.
func concrete(s sentence) bool {
	return strings.ContainsAny(s.text, "`;") || s.says(reasonCue) || s.says(contrastCue) || identifier().MatchString(s.text)
}

// measures reports a number that a tool tells about the code.
func measures(s sentence) bool {
	return s.says(metricCue) && strings.ContainsAny(s.text, "0123456789")
}
