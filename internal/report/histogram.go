package report

import "math"

// wholeUpTo is how many active bullets a store may have for all of its pairs to be told apart, and halfUpTo
// for those from half the floor on: twice the bullets make four times the pairs.
const wholeUpTo, halfUpTo = 500, 20_000

// toldApartFrom is the share of the floor from which on the pairs of so many bullets are told apart. It
// is the edge of a bin.
func toldApartFrom(bullets int) float64 {
	switch {
	case bullets <= wholeUpTo:
		return 0
	case bullets <= halfUpTo:
		return reach
	default:
		return 0.75
	}
}

// Histogram counts pairs by their sureness. Bins are a quarter of the floor wide, so that the floor and
// half of it lie between two of them; the last one ends at 1.
type Histogram struct {
	Width  float64 // of a bin
	From   float64 // where the first bin begins: 0, in large stores half the floor, in huge ones three quarters of it
	Counts []int   // by bin
	Rest   int     // pairs below From: counted, but not told apart
}

// Bin is a bar of the histogram: the pairs from Low on and below High, or up to 1.
type Bin struct {
	Low, High float64
	Pairs     int
}

const binsToFloor = 4

func newHistogram(floor, from float64) Histogram {
	width := floor / binsToFloor
	return Histogram{Width: width, From: from, Counts: make([]int, max(1, int(math.Ceil((1-from)/width-1e-9))))}
}

func (h *Histogram) add(n int, sureness float64) {
	bin := int((sureness-h.From)/h.Width + 1e-9)
	h.Counts[min(max(0, bin), len(h.Counts)-1)] += n
}

// settle puts the pairs that share nothing into the first bin, where that begins at 0.
func (h *Histogram) settle() {
	if h.From == 0 {
		h.Counts[0] += h.Rest
		h.Rest = 0
	}
}

// Bins returns all bars.
func (h Histogram) Bins() []Bin {
	out := make([]Bin, len(h.Counts))
	for i, n := range h.Counts {
		out[i] = Bin{h.From + float64(i)*h.Width, min(1, h.From+float64(i+1)*h.Width), n}
	}
	return out
}

// Pairs is how many pairs were compared.
func (h Histogram) Pairs() int {
	n := h.Rest
	for _, count := range h.Counts {
		n += count
	}
	return n
}
