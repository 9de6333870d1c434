// Package calibrate tells from pairs that a person labelled where the floor of a similarity rule
// belongs: precision and recall at each floor with their confidence intervals, the gap between the
// pairs that are one lesson and those that are not, and a floor to recommend (issue 6). It also picks
// the pairs that are worth labelling. Pure.
package calibrate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Verdict is what a person says of two sentences.
type Verdict string

// The verdicts of a labels file.
const (
	Duplicate Verdict = "duplicate" // one lesson in other words
	Distinct  Verdict = "distinct"  // two lessons
	Opposite  Verdict = "opposite"  // two lessons, and an agent cannot obey both
	Skip      Verdict = "skip"      // looked at and not decided; not asked again
	Undone    Verdict = "undone"    // takes back what an earlier line says of the pair
)

// Label is one line of a labels file: JSON, with both sentences as they stood in the file, without
// their trailers. The order of the two does not matter. Of several lines for one pair, the last counts.
type Label struct {
	A       string  `json:"a"`
	B       string  `json:"b"`
	Verdict Verdict `json:"label"`
}

// key names a pair of sentences, whichever comes first.
type key [2]string

func keyOf(a, b string) key {
	x, y := lesson.Handle(a), lesson.Handle(b)
	return key{min(x, y), max(x, y)}
}

// maxLine bounds a line of a labels file, in bytes. A lessons file is smaller than that.
const maxLine = 1 << 21

// ReadLabels reads a labels file and returns what counts, in the order of its lines: the last line of
// each pair, unless that was undone. An error names the line. "contradictory" is read as opposite. A
// last line without line end that is no JSON is one whose writer was stopped: it is left out.
func ReadLabels(r io.Reader) ([]Label, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(splitLines)
	var all []Label
	for n := 1; lines.Scan(); n++ {
		line, whole := bytes.CutSuffix(lines.Bytes(), []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		l, err := parseLabel(line)
		if err != nil && !whole && !json.Valid(line) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, l)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d bytes", maxLine)
	}
	return settle(all), lines.Err()
}

// splitLines is bufio.ScanLines, but leaves each line its end.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

func parseLabel(line []byte) (Label, error) {
	var l Label
	if err := json.Unmarshal(line, &l); err != nil {
		return l, fmt.Errorf(`%w: each line is {"a": …, "b": …, "label": …}`, err)
	}
	if l.A == "" || l.B == "" {
		return l, errors.New(`"a" and "b" are the two sentences, and neither is empty`)
	}
	switch l.Verdict {
	case Duplicate, Distinct, Opposite, Skip, Undone:
	case "contradictory":
		l.Verdict = Opposite
	default:
		return l, fmt.Errorf("label %q is none of duplicate, distinct, opposite, skip, undone", l.Verdict)
	}
	return l, nil
}

// settle keeps the last label of each pair, and none that was undone.
func settle(all []Label) []Label {
	last := map[key]int{}
	for i, l := range all {
		last[keyOf(l.A, l.B)] = i
	}
	var out []Label
	for i, l := range all {
		if last[keyOf(l.A, l.B)] == i && l.Verdict != Undone {
			out = append(out, l)
		}
	}
	return out
}

// In returns the labels of which both sentences are among those given, and how many are not.
func In(labels []Label, sentences []string) (in []Label, elsewhere int) {
	known := map[string]bool{}
	for _, s := range sentences {
		known[lesson.Handle(s)] = true
	}
	in = slices.DeleteFunc(slices.Clone(labels), func(l Label) bool {
		return !known[lesson.Handle(l.A)] || !known[lesson.Handle(l.B)]
	})
	return in, len(labels) - len(in)
}
