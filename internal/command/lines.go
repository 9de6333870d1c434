package command

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// line is a command's line in a comment.
type line struct {
	start, stop int    // its bytes, line end included
	rest        string // what follows /lesson, spaces folded
}

// commandLines returns the lines of body that are commands. Only paragraphs of the top level are
// looked at, and headings, which a line of dashes under a command makes of it.
func commandLines(body string) []line {
	if !strings.Contains(strings.ToLower(body), "/lesson") { // as nearly all comments are
		return nil
	}
	src := []byte(body)
	var out []line
	doc := lesson.Blocks(src)
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		if k := block.Kind(); k != ast.KindParagraph && k != ast.KindHeading || block.Lines().Len() == 0 {
			continue
		}
		lines := block.Lines()
		first, last := lines.At(0), lines.At(lines.Len()-1)
		hidden := spans(body[:last.Stop], first.Start)
		for i := range lines.Len() {
			at := lines.At(i).Start
			l := lineAt(body, at)
			m := linePattern.FindStringSubmatch(strings.TrimRight(body[l.start:l.stop], "\r\n"))
			inside := slices.ContainsFunc(hidden, func(s [2]int) bool { return s[0] <= at && at < s[1] })
			if m == nil || inside {
				continue
			}
			l.rest = strings.Join(strings.Fields(m[1]), " ")
			out = append(out, l)
		}
	}
	return out
}

func lineAt(body string, at int) line {
	l := line{start: strings.LastIndexByte(body[:at], '\n') + 1, stop: len(body)}
	if end := strings.IndexByte(body[at:], '\n'); end >= 0 {
		l.stop = at + end + 1
	}
	return l
}

// spans returns the code spans and HTML comments of the text from start on, which may reach over
// lines. It takes linear time: what has no end is looked for once.
func spans(text string, start int) [][2]int {
	var out [][2]int
	runs := ticks(text, start)
	open := true // there may be an end of a comment ahead
	for at := start; at < len(text); {
		switch {
		case text[at] == '\\':
			at += 2
		case open && strings.HasPrefix(text[at:], "<!--"):
			end := strings.Index(text[at+4:], "-->")
			if open = end >= 0; !open {
				at += 4
				continue
			}
			out = append(out, [2]int{at, at + 4 + end + 3})
			at += 4 + end + 3
		case text[at] == '`':
			size := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
			after, _ := slices.BinarySearch(runs[size], at+1)
			if after == len(runs[size]) {
				at += size
				continue
			}
			end := runs[size][after] + size
			out = append(out, [2]int{at, end})
			at = end
		default:
			at++
		}
	}
	return out
}

// ticks returns where runs of backticks begin, by their length.
func ticks(text string, start int) map[int][]int {
	runs := map[int][]int{}
	for at := start; at < len(text); at++ {
		if text[at] != '`' {
			continue
		}
		size := 1
		for at+size < len(text) && text[at+size] == '`' {
			size++
		}
		runs[size] = append(runs[size], at)
		at += size - 1
	}
	return runs
}
