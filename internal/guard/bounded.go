package guard

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Markdown parser's work grows with the square of the inline markers of a paragraph and of the
// containers that a line opens. What has more of either than anybody writes loses them.
const (
	maxMarkers = 1000 // of a paragraph
	maxNesting = 16   // of a line
)

// markers may open or close something within a paragraph.
const markers = "*_~[]!<`"

var (
	containers = lazily(`^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){` + strconv.Itoa(maxNesting) + `}`)
	// boundary is a line that ends the paragraph before it, whatever that is part of.
	boundary = lazily("^\\s*$|^ {0,3}(?:[-+*][ \\t]+\\S|```[^`]*$|~~~)")
	fence    = lazily("^ {0,3}(?:```[^`]*$|~~~)")
)

// parse reads Markdown in time that grows with the length of s alone. Offsets in the tree are
// offsets in s.
func parse(s string) (tree ast.Node, src []byte) {
	src = []byte(bounded(s))
	return markdown().Parse(text.NewReader(src)), src
}

// bounded returns s with a space in the place of each marker of a paragraph that has more than
// maxMarkers of them, and of every byte of a line that opens maxNesting containers or more.
func bounded(s string) string {
	if len(s) <= maxMarkers {
		return s
	}
	var b, paragraph strings.Builder
	flush := func() {
		if p := paragraph.String(); countAny(p, markers) > maxMarkers {
			b.WriteString(blank(p, markers))
		} else {
			b.WriteString(p)
		}
		paragraph.Reset()
	}
	for line := range strings.Lines(s) {
		if containers().MatchString(line) {
			text := strings.TrimSuffix(line, "\n")
			line = strings.Repeat(" ", len(text)) + line[len(text):]
		}
		if boundary().MatchString(line) {
			flush()
		}
		if fence().MatchString(line) {
			b.WriteString(line)
		} else {
			paragraph.WriteString(line)
		}
	}
	flush()
	return b.String()
}

// countAny returns how many bytes of s are in set, which is ASCII.
func countAny(s, set string) int {
	n := 0
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) >= 0 {
			n++
		}
	}
	return n
}

// blank returns s with a space in the place of each byte that is in set, which is ASCII.
func blank(s, set string) string {
	out := []byte(s)
	for i, c := range out {
		if strings.IndexByte(set, c) >= 0 {
			out[i] = ' '
		}
	}
	return string(out)
}
