package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// The map in SVG units: a triangle of cells, with room for line numbers at its left and foot.
const mapSide, mapEdge, mapCell = 560.0, 44.0, 26.0

// The room in SVG units that a digit of a label takes, and how much more on a narrow page, where the
// picture is smaller.
const digitRoom, narrower = 8.0, 1.6

// leastHalf is half the side of the smallest mark that can be seen.
const leastHalf = 1.5

// likeness is a map of the bullets that resemble another one: a row and a column for each, and a mark
// where two meet. Bullets that are linked by pairs at or above the floor lie next to each other.
type likeness struct {
	Size    float64 // of the picture's height, and of the triangle's side with its labels
	Lines   []guide // one for each bullet, or for some of many
	Marks   []mark
	Bullets int
	Alone   int // active bullets that resemble no other, or less than those of the pairs that are kept
	Capped  bool
}

// guide is a faint line from a bullet's label at the left to its place on the diagonal, and down.
type guide struct {
	At, Foot float64
	Label    string
	Detail   bool // left out on a narrow page
}

// Edge is where the cells begin.
func (guide) Edge() float64 { return mapEdge }

// Diagonal is where the bullet meets itself.
func (g guide) Diagonal() float64 { return mapEdge + g.At }

// Left is where the label at the left ends.
func (guide) Left() float64 { return mapEdge - 6 }

// Baseline is the line on which the label at the left stands.
func (g guide) Baseline() float64 { return max(9, g.At+4) }

// Under is the line on which the label at the foot stands.
func (g guide) Under() float64 { return g.Foot + 16 }

// mark is a pair.
type mark struct {
	X, Y, Half float64 // its middle, and half its side
	Class      string
	Title      string
}

// Path outlines the mark: kinds of pairs differ in shape, not in colour alone.
func (m mark) Path() string {
	x, y, r := m.X, m.Y, m.Half
	switch m.Class {
	case "one":
		return fmt.Sprintf("M%.1f %.1fh%.1fv%.1fh%.1fZ", x-r, y-r, 2*r, 2*r, -2*r)
	case "against":
		return fmt.Sprintf("M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fZ", x, y-1.2*r, 1.2*r, 1.2*r, -1.2*r, 1.2*r, -1.2*r, -1.2*r)
	case "near":
		r = max(leastHalf, r/2)
	}
	return fmt.Sprintf("M%.1f %.1fa%.1f %.1f 0 1 1 %.1f 0a%.1f %.1f 0 1 1 %.1f 0Z", x-r, y, r, r, 2*r, r, r, -2*r)
}

// mapOf draws the pairs that are kept, those from half the floor up to it included.
func mapOf(s Store) likeness {
	pairs := slices.Concat(s.Pairs, s.Corrections, s.Below)
	order := inGroups(pairs, s.Floor)
	m := likeness{Bullets: len(order), Alone: s.Active - len(order), Capped: max(len(s.Pairs), len(s.Below)) == maxPairs}
	if len(order) == 0 {
		return m
	}
	cell := min(mapCell, (mapSide-mapEdge)/float64(len(order)))
	m.Size = mapEdge + cell*float64(len(order))
	middle := func(i int) float64 { return (float64(i) + 0.5) * cell }
	place := map[int]int{}
	room := digitRoom * float64(max(2, len(fmt.Sprint(slices.MaxFunc(order, byLine).Line))))
	every := int(math.Ceil(room / cell))
	sparse := every * int(math.Ceil(narrower*room/cell/float64(every)))
	for i, b := range order {
		place[b.place] = i
		if i%every == 0 {
			m.Lines = append(m.Lines, guide{middle(i), m.Size - mapEdge, fmt.Sprint(b.Line), i%sparse != 0})
		}
	}
	slices.Reverse(pairs) // the surest are drawn last, on top
	for _, p := range pairs {
		row, column := place[p.a], place[p.b]
		if row < column {
			row, column = column, row
		}
		m.Marks = append(m.Marks, mark{mapEdge + middle(column), middle(row), max(leastHalf, cell*0.4), class(p), pairTitle(p)})
	}
	return m
}

func byLine(a, b placed) int { return cmp.Compare(a.Line, b.Line) }

func pairTitle(p Pair) string {
	const chars = 160
	return fmt.Sprintf("%.3f, %s\n%d: %s\n%d: %s", p.Decision.Sureness, p.Verdict(),
		p.A.Line, Shorten(guard.Visible(p.A.Sentence), chars), p.B.Line, Shorten(guard.Visible(p.B.Sentence), chars))
}

// placed is a bullet and its place among the active ones.
type placed struct {
	lesson.Bullet
	place, group int
}

// inGroups returns the bullets of the pairs. Those that pairs at or above the floor link, be it by way of
// others, come one after another; groups and bullets keep the order of the file.
func inGroups(pairs []Pair, floor float64) []placed {
	first := map[int]int{} // a bullet's place → that of an earlier one in its group, or its own
	root := func(place int) int {
		for first[place] != place {
			place = first[place]
		}
		return place
	}
	bullets := map[int]placed{}
	for _, p := range pairs {
		for place, b := range map[int]lesson.Bullet{p.a: p.A, p.b: p.B} {
			if _, known := bullets[place]; !known {
				bullets[place], first[place] = placed{Bullet: b, place: place}, place
			}
		}
		if a, b := root(p.a), root(p.b); p.Decision.Sureness >= floor {
			first[max(a, b)] = min(a, b)
		}
	}
	out := make([]placed, 0, len(bullets))
	for place, b := range bullets {
		b.group = root(place)
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b placed) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.place, b.place)) })
	return out
}
