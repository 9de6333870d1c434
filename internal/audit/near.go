package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// NearPair is two lessons of different names that say much the same.
type NearPair struct {
	A    string  `json:"a"`
	B    string  `json:"b"`
	Body float64 `json:"body"` // share of the words of both bodies that both have, 0 to 1
	Why  string  `json:"why"`
}

const (
	// nearBody is the share of words from which two bodies are worth a look. Bodies have no measured floor
	// as sentences have: this one only asks a person to look.
	nearBody = 0.5
	// lookedAt bounds, in bytes, how much of a body is compared.
	lookedAt = 8 << 10
)

// nearPairs compares the bodies by their words, and the lines that stand for the lessons by the rule of
// collapse with its guards.
func nearPairs(files []File) []NearPair {
	bodies := make([]*similarity.Text, len(files))
	lines := make([]*similarity.Text, len(files))
	for i, f := range files {
		bodies[i] = similarity.Prepare(f.Lesson.Body[:min(len(f.Lesson.Body), lookedAt)])
		lines[i] = similarity.Prepare(f.Lesson.Summary())
	}
	found := map[[2]int]NearPair{}
	for _, p := range similarity.Join(bodies, similarity.Rule{Measure: similarity.WordsMeasure, Floor: nearBody}) {
		found[[2]int{p.A, p.B}] = NearPair{Body: p.Score, Why: fmt.Sprintf("their bodies share %.0f %% of their words", 100*p.Score)}
	}
	for _, p := range similarity.Join(lines, similarity.DefaultRule()) {
		key := [2]int{p.A, p.B}
		near, ok := found[key]
		switch {
		case p.Contradiction:
			near.Why = "an agent cannot follow both: " + p.Reason
		case p.Collapse:
			near.Why = "the lines that stand for them are one lesson: " + p.Reason
		case !ok:
			continue
		}
		if !ok {
			near.Body = similarity.Rule{Measure: similarity.WordsMeasure, Floor: 1}.Compare(bodies[p.A], bodies[p.B]).Score
		}
		found[key] = near
	}
	keys := make([][2]int, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out []NearPair
	for _, key := range keys {
		near := found[key]
		near.A, near.B = files[key[0]].Name, files[key[1]].Name
		out = append(out, near)
	}
	return out
}
