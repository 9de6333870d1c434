package distill

import (
	"cmp"
	"slices"
)

// A review is read up to these bounds. GitHub takes 65,536 characters in a comment.
const (
	maxReview   = 256 << 10 // bytes over all findings
	maxFindings = 1000
)

// bounded keeps the largest findings that fit; the others lose their bodies and keep their places.
// leftOut counts the findings that are not read, or only in part.
func bounded(findings []Finding) (kept []Finding, leftOut int) {
	kept = slices.Clone(findings)
	sizes := make([]int, len(kept))
	for i := range kept {
		if len(kept[i].Body) > maxReview {
			kept[i].Body = kept[i].Body[:maxReview]
			leftOut++
		}
		sizes[i] = len(kept[i].Body)
	}
	for _, i := range overflow(sizes, maxReview, maxFindings) {
		if kept[i].Body != "" {
			leftOut++
		}
		kept[i].Body = ""
	}
	return kept, leftOut
}

// overflow returns the indices of what does not fit when the largest go first, the earlier of equals.
func overflow(sizes []int, room, count int) []int {
	bySize := make([]int, len(sizes))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	var out []int
	for _, i := range bySize {
		if sizes[i] > room || count == 0 {
			out = append(out, i)
			continue
		}
		room -= sizes[i]
		count--
	}
	return out
}
