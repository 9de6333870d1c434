package similarity

import "testing"

func BenchmarkPrepare(b *testing.B) {
	for b.Loop() {
		Prepare(pendingA)
	}
}

// BenchmarkCompare is the dearest comparison: of two near copies, which every guard looks at.
func BenchmarkCompare(b *testing.B) {
	x, y := Prepare(pendingA), Prepare(pendingB)
	for b.Loop() {
		DefaultRule().Compare(x, y)
	}
}

// BenchmarkCandidate compares one new lesson with the 40 bullets that a store may hold.
func BenchmarkCandidate(b *testing.B) {
	pairs := readPairs(b, "pairs.jsonl")
	candidate, bullets := Prepare(pairs[0].A), make([]*Text, 40)
	for i := range bullets {
		bullets[i] = Prepare(pairs[i].B)
	}
	for b.Loop() {
		for _, bullet := range bullets {
			DefaultRule().Compare(candidate, bullet)
		}
	}
}
