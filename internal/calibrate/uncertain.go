package calibrate

import (
	"cmp"
	"math"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Band are the scores at which a pair is uncertain, as multiples of the floor: below, hardly a pair is
// one lesson, above, hardly one is not.
var Band = struct{ Low, High float64 }{0.5, 2}

// Uncertain returns the pairs of active bullets of each file whose score lies in the band around the
// rule's floor, those that a guard keeps apart included: the nearest to the floor first, since they
// tell most about it. Pairs of one sentence, and pairs that were met before, are left out.
func Uncertain(files []*lesson.File, rule similarity.Rule) []Label {
	type scored struct {
		Label
		distance float64
	}
	var found []scored
	met := map[key]bool{}
	wide := rule
	wide.Floor *= Band.Low
	for _, file := range files {
		sentences := Active(file)
		for _, p := range similarity.Join(similarity.PrepareAll(sentences), wide) {
			a, b := sentences[p.A], sentences[p.B]
			k := keyOf(a, b)
			if p.Sureness > Band.High*rule.Floor || k[0] == k[1] || met[k] {
				continue
			}
			met[k] = true
			found = append(found, scored{Label{A: a, B: b}, math.Abs(math.Log(p.Sureness / rule.Floor))})
		}
	}
	slices.SortStableFunc(found, func(x, y scored) int { return cmp.Compare(x.distance, y.distance) })
	out := make([]Label, len(found))
	for i, s := range found {
		out[i] = s.Label
	}
	return out
}

// Unlabelled returns the pairs of which the labels say nothing.
func Unlabelled(pairs, labels []Label) []Label {
	done := map[key]bool{}
	for _, l := range labels {
		done[keyOf(l.A, l.B)] = true
	}
	return slices.DeleteFunc(slices.Clone(pairs), func(p Label) bool { return done[keyOf(p.A, p.B)] })
}

// Active returns the sentences of a file's active bullets, in its order.
func Active(file *lesson.File) []string {
	var out []string
	for _, b := range file.Bullets() {
		if b.Active() {
			out = append(out, b.Sentence)
		}
	}
	return out
}
