package lesson

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocks reads block structure only: a bullet's sentence is its source text, not its rendering.
var blocks = parser.NewParser(parser.WithBlockParsers(
	util.Prioritized(parser.NewSetextHeadingParser(), 100),
	util.Prioritized(parser.NewThematicBreakParser(), 200),
	util.Prioritized(parser.NewListParser(), 300),
	util.Prioritized(parser.NewListItemParser(), 400),
	util.Prioritized(parser.NewCodeBlockParser(), 500),
	util.Prioritized(parser.NewATXHeadingParser(), 600),
	util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
	util.Prioritized(parser.NewBlockquoteParser(), 800),
	util.Prioritized(parser.NewHTMLBlockParser(), 900),
	util.Prioritized(parser.NewParagraphParser(), 1000),
))

// Parse reads a lessons file. It never fails: what is not a bullet of a top-level list (prose,
// headings, code, comments, nested and numbered lists) is kept as bytes.
func Parse(src []byte) *File {
	f := &File{src: src}
	skip := bomLen(src)
	doc := Blocks(src[skip:])
	starts := topStarts(doc, src, skip)
	line := lineCounter{src: src}
	for list := doc.FirstChild(); list != nil; list = list.NextSibling() {
		if l, ok := list.(*ast.List); !ok || l.IsOrdered() {
			continue
		}
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			if s, ok := readItem(item, src, skip); ok {
				s.end = itemEnd(src, s.start, starts)
				s.Line = line.at(s.start)
				f.slots = append(f.slots, s)
			}
		}
	}
	return f
}

// Blocks returns the block structure of Markdown; offsets in it are those of src. It takes linear
// time over hostile nesting.
func Blocks(src []byte) ast.Node { return blocks.Parse(text.NewReader(shallow(src))) }

// readItem reads a list item that begins with a paragraph.
func readItem(item ast.Node, src []byte, skip int) (slot, bool) {
	first := item.FirstChild()
	if first == nil || (first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph) || first.Lines().Len() == 0 {
		return slot{}, false
	}
	lines := first.Lines()
	parts := make([]string, 0, lines.Len())
	for i := range lines.Len() {
		segment := lines.At(i)
		parts = append(parts, strings.TrimSpace(string(src[skip+segment.Start:skip+segment.Stop])))
	}
	s := slot{
		start: lineStart(src, skip+lines.At(0).Start),
		stop:  lineStop(src, skip+lines.At(lines.Len()-1).Start),
	}
	joined := strings.TrimSpace(strings.Join(parts, " "))
	s.Sentence, s.Trailer, s.Oddity = splitTrailer(joined)
	s.Nested = first.NextSibling() != nil
	return s, s.Sentence != ""
}

// topStarts returns the line starts of all top-level blocks and of the items of top-level
// lists, in order, and the end of src.
func topStarts(doc ast.Node, src []byte, skip int) []int {
	var out []int
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		if block.Kind() != ast.KindList {
			out = append(out, lineStart(src, skip+block.Pos()))
			continue
		}
		for item := block.FirstChild(); item != nil; item = item.NextSibling() {
			out = append(out, lineStart(src, skip+item.Pos()))
		}
	}
	return append(out, len(src))
}

// itemEnd returns where the item that starts at start ends: before the next block of the top
// level, without the blank lines between.
func itemEnd(src []byte, start int, starts []int) int {
	next, _ := slices.BinarySearch(starts, start+1)
	trimmed := len(bytes.TrimRight(src[:starts[next]], " \t\r\n"))
	return lineStop(src, trimmed)
}

// maxDepth bounds the container markers that are read on one line. Deeper ones are no bullets
// of ours, and goldmark takes quadratic time over them.
const maxDepth = 64

// shallow returns src with the markers beyond maxDepth at the beginning of a line replaced by
// letters, so that offsets stay true.
func shallow(src []byte) []byte {
	out := src
	for at := 0; at < len(src); {
		stop := lineStop(src, at)
		i := at
		for i < stop && strings.IndexByte(" \t>*+-0123456789.)", src[i]) >= 0 {
			i++
		}
		if i-at > maxDepth {
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			for j := at + maxDepth; j < i; j++ {
				if out[j] != '\r' && out[j] != '\n' {
					out[j] = 'x'
				}
			}
		}
		at = stop
	}
	return out
}

func bomLen(src []byte) int {
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		return 3
	}
	return 0
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// lineStop returns the offset behind the line end of the line that holds offset at.
func lineStop(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// lineCounter turns ascending offsets into line numbers in one pass.
type lineCounter struct {
	src         []byte
	seen, lines int // lines that end before offset seen
}

func (c *lineCounter) at(offset int) int {
	c.lines += bytes.Count(c.src[c.seen:offset], []byte("\n"))
	c.seen = offset
	return c.lines + 1
}
