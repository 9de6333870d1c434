package report

import (
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// corrections returns the pairs of a bullet and the one that it names as corrected, where they
// share too few words for the rule to bring them together.
func corrections(active []lesson.Bullet, rule similarity.Rule) []Pair {
	var out []Pair
	for i, a := range active {
		if !a.IsCorrection() {
			continue
		}
		for j, b := range active {
			if i == j || !lesson.Corrects(a, b) {
				continue
			}
			d := rule.Compare(similarity.Prepare(a.Sentence), similarity.Prepare(b.Sentence))
			if d.Guard != "" {
				continue // it is among the pairs at the floor
			}
			d.Guard, d.Contradiction, d.Collapse, d.Reason = "correction", true, false, "correction: one names the other as what it corrects"
			out = append(out, newPair(active, min(i, j), max(i, j), d))
		}
	}
	return out
}
