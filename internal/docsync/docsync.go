// Package docsync keeps a copy of the window of lessons inside the documents that agents read by
// themselves: AGENTS.md, CLAUDE.md and the like (issue 7, "Ways in"). The copy lives between two
// marker lines; everything else of a document is its owner's. Pure: content in, content out.
package docsync

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

// The lines between which the copy lives. Markdown shows neither.
const (
	Begin = "<!-- agent-lessons:begin -->"
	End   = "<!-- agent-lessons:end -->"
)

// Known are the documents that agents read by themselves, as patterns of path.Match.
var Known = []string{"AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", ".cursor/rules/*.mdc"}

// ErrNoMarkers reports a document that no one has asked to be kept in step yet.
var ErrNoMarkers = errors.New("it has no line " + Begin + " and no line " + End + " below it: put both where the lessons belong, or let `agent-lessons sync-docs --add` put them at the end")

// MarkerError reports markers that cannot be meant. Nothing is guessed: a person must set them right.
type MarkerError struct {
	Line   int // 1-based
	Reason string
}

// Error names the line and the reason.
func (e *MarkerError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Renderer returns the function that shows a document the newest active lessons of a lessons
// file, at most window of them, between its markers. It errs as Replace does.
func Renderer(window int) func(lessons, document []byte) ([]byte, error) {
	return func(lessons, document []byte) ([]byte, error) {
		return Replace(document, recall.Block(lesson.Parse(lessons).Window(window)))
	}
}

// Replace returns document with block between its markers, in the document's line ends. The
// marker lines and all around them stay as they are, byte for byte; doing it again changes
// nothing. It returns ErrNoMarkers for a document without markers, and a *MarkerError where they
// are not exactly one pair.
func Replace(document []byte, block string) ([]byte, error) {
	if at, _ := find([]byte(block)); len(at) > 0 {
		return nil, errors.New("a lesson holds a marker line of its own")
	}
	start, stop, eol, err := inside(document)
	if err != nil {
		return nil, err
	}
	if block = strings.TrimRight(block, "\n"); block != "" {
		block = strings.ReplaceAll(strings.ReplaceAll(block, "\r\n", "\n"), "\n", eol) + eol
	}
	out := make([]byte, 0, start+len(block)+len(document)-stop)
	out = append(out, document[:start]...)
	out = append(out, block...)
	return append(out, document[stop:]...), nil
}

// Add returns document with an empty pair of markers at its end, in its line ends; a document that
// has markers is returned as it is.
func Add(document []byte) ([]byte, error) {
	if !utf8.Valid(document) {
		return nil, errors.New("it is not UTF-8")
	}
	switch at, _ := find(document); {
	case len(at) > 0:
		return document, nil
	case len(bytes.TrimSpace(document)) == 0:
		return append(bytes.Clone(document), Begin+"\n"+End+"\n"...), nil
	}
	eol := "\n"
	if i := bytes.IndexByte(document, '\n'); i > 0 && document[i-1] == '\r' {
		eol = "\r\n"
	}
	out := bytes.Clone(document)
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, eol...)
	}
	return append(out, eol+Begin+eol+End+eol...), nil
}

// marker is a marker line of a document.
type marker struct {
	begins      bool
	line        int // 1-based
	start, stop int // its bytes, line end included
}

// find returns the marker lines of a document, and how many lines there are. Only a line that
// holds nothing else is one, so that a document may speak of them.
func find(document []byte) (markers []marker, lines int) {
	at := 0
	for text := range bytes.Lines(document) {
		lines++
		bare := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
		if begins := string(bare) == Begin; begins || string(bare) == End {
			markers = append(markers, marker{begins, lines, at, at + len(text)})
		}
		at += len(text)
	}
	return markers, lines
}

// inside returns the bytes between the markers, and the line end that the document uses there.
func inside(document []byte) (start, stop int, eol string, err error) {
	markers, lines := find(document)
	if len(markers) == 0 {
		return 0, 0, "", ErrNoMarkers
	}
	var open *marker
	for i, m := range markers {
		switch {
		case m.begins && open != nil:
			return 0, 0, "", &MarkerError{m.line, fmt.Sprintf("a block begins inside the one that began in line %d", open.line)}
		case !m.begins && open == nil:
			return 0, 0, "", &MarkerError{m.line, "a block ends that has not begun"}
		case m.begins && i > 0:
			return 0, 0, "", &MarkerError{m.line, fmt.Sprintf("a second block begins; the first is in line %d: keep one", markers[0].line)}
		case m.begins:
			open = &markers[i]
			continue
		}
		start, stop, open = open.stop, m.start, nil
	}
	if open != nil {
		return 0, 0, "", &MarkerError{lines, fmt.Sprintf("the block that began in line %d does not end", open.line)}
	}
	eol = "\n"
	if bytes.HasSuffix(document[:start], []byte("\r\n")) {
		eol = "\r\n"
	}
	return start, stop, eol, nil
}
