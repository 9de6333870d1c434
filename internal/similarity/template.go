package similarity

import (
	"slices"
	"strings"
)

// template: the sentences run in step and name different things in the same places.
func template(a, b *detail) string {
	al := align(a, b)
	places := len(al.slots) + al.actions
	switch {
	case al.share >= 0.5 && places >= 2, al.share >= 0.6 && places >= 1:
		return "the same words about " + strings.Join(al.slots, ", ")
	case al.share >= 0.75 && al.ownA > 0 && al.ownB > 0:
		return "nearly the same words, but each names something of its own"
	default:
		return ""
	}
}

// alignment is how far two sentences run in step.
type alignment struct {
	share      float64  // length of the common subsequence over the shorter sentence
	slots      []string // "x|y": between two common words, what only one and only the other names
	actions    int      // slots in which both name a verb
	ownA, ownB int      // words that only one side has
}

// maxSlot is the most words a side may have in a slot: more is another sentence, not another object.
const maxSlot = 3

// align follows the longest common subsequence of two sentences' stems.
func align(one, other *detail) alignment {
	a, b := one.spoken, other.spoken
	length := subsequences(a, b)
	out := alignment{share: float64(length[0][0]) / float64(max(1, min(len(a), len(b))))}
	var x, y []word // what the sides name between two common words
	slot := func() {
		out.ownA, out.ownB = out.ownA+naming(x), out.ownB+naming(y)
		if len(x) > 0 && len(y) > 0 && len(x) <= maxSlot && len(y) <= maxSlot && (points(x) == points(y)) {
			out.slots = append(out.slots, phrase(x)+"|"+phrase(y))
			if verb(x[0]) && verb(y[0]) {
				out.actions++
			}
		}
		x, y = nil, nil
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i].stem == b[j].stem:
			slot()
			i, j = i+1, j+1
		case j >= len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			x = appendOwn(x, a[i], other)
			i++
		default:
			y = appendOwn(y, b[j], one)
			j++
		}
	}
	slot()
	return out
}

// subsequences tabulates the length of the longest common subsequence of the stems of a[i:] and b[j:].
func subsequences(a, b []word) [][]int {
	cells := make([]int, (len(a)+1)*(len(b)+1))
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i], cells = cells[:len(b)+1], cells[len(b)+1:]
	}
	for i := len(a) - 1; i >= 0; i-- {
		stem, row, below := a[i].stem, length[i], length[i+1]
		for j := len(b) - 1; j >= 0; j-- {
			if stem == b[j].stem {
				row[j] = below[j+1] + 1
			} else {
				row[j] = max(below[j], row[j+1])
			}
		}
	}
	return length
}

// appendOwn appends a word that points at something and that the other sentence does not have.
func appendOwn(own []word, w word, other *detail) []word {
	if _, there := slices.BinarySearch(other.stems, w.stem); there || w.weight() == 0 && !pointers[w.text] {
		return own
	}
	return append(own, w)
}

// naming counts the words that name something, rather than point at it.
func naming(own []word) int {
	n := 0
	for _, w := range own {
		if w.weight() > 0 {
			n++
		}
	}
	return n
}

// points reports that nothing but a word of grammar stands in a slot.
func points(own []word) bool { return len(own) == 1 && own[0].weight() == 0 }

func verb(w word) bool { return imperatives[w.text] || nouns[w.text] }

func phrase(ws []word) string {
	texts := make([]string, len(ws))
	for i, w := range ws {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}
