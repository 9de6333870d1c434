package report

import (
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// corrections returns the pairs of a bullet and the one that it names as corrected, where they
// share too few words for the rule to bring them together; of very many, the first.
func corrections(active []lesson.Bullet, rule similarity.Rule) []Pair {
	var out []Pair
	looked := 0
	for by, of := range lesson.Corrections(active) {
		if looked++; looked > maxPairs {
			break
		}
		d := rule.Compare(similarity.Prepare(active[by].Sentence), similarity.Prepare(active[of].Sentence))
		if d.Guard != "" {
			continue // it is among the pairs at the floor
		}
		d.Guard, d.Contradiction, d.Collapse, d.Reason = "correction", true, false, "correction: one names the other as what it corrects"
		out = append(out, newPair(active, min(by, of), max(by, of), d))
	}
	return out
}
