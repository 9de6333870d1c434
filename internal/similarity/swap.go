package similarity

import (
	"fmt"
	"slices"
)

// alike is the sureness from which two sentences are the same words, and only their order can differ.
const alike = 0.95

// exchanged: the sentences are the same words, but two of them change places: "from staging to
// production" and "from production to staging". Each word's place is told by its neighbours.
func exchanged(a, b *detail) string {
	if sureness(a.Text, b.Text) < alike {
		return ""
	}
	x, y := placesOf(a.spoken), placesOf(b.spoken)
	var both []string
	for stem := range x {
		if _, ok := y[stem]; ok {
			both = append(both, stem)
		}
	}
	slices.Sort(both)
	for side := range sides {
		for i, one := range both {
			for _, other := range both[i+1:] {
				p, q := x[one][side], x[other][side]
				if p != q && p != "" && q != "" && p != other && q != one && y[one][side] == q && y[other][side] == p {
					return fmt.Sprintf("%q and %q change places", one, other)
				}
			}
		}
	}
	return ""
}

// sides are the neighbours that tell a place: the words before and after, and the nearest that weigh.
const sides = 4

// placesOf returns for each word that weighs and is said once its neighbours, without articles. What "and" or "or" joins has the neighbours of the first, or the last, of the row.
func placesOf(words []word) map[string][sides]string {
	said := map[string]int{}
	var kept []word
	for _, w := range words {
		if !articles[w.text] {
			kept = append(kept, w)
			said[w.stem]++
		}
	}
	out := map[string][sides]string{}
	for i, w := range kept {
		if w.weight() > 0 && said[w.stem] == 1 {
			out[w.stem] = [sides]string{neighbour(kept, i, -1, 0), neighbour(kept, i, 1, 0), neighbour(kept, i, -1, 1), neighbour(kept, i, 1, 1)}
		}
	}
	return out
}

// neighbour is the stem of the next word in a direction that weighs at least so much.
func neighbour(words []word, i, step, weight int) string {
	for i += step; i >= 0 && i < len(words); i += step {
		switch {
		case joining[words[i].text] && weight == 0:
			i += step // over what is joined
		case words[i].weight() >= weight:
			return words[i].stem
		}
	}
	return ""
}

var (
	articles = map[string]bool{"the": true, "a": true, "an": true, "its": true, "our": true, "your": true, "their": true}
	joining  = map[string]bool{"and": true, "or": true, "nor": true}
)
