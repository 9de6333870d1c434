package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// printDiff prints what becomes of a file; nothing where it stays as it is.
func (p *program) printDiff(name string, before, after []byte) error {
	return p.print(string(diff.Diff(name, before, name+" (after)", after)))
}

// print prints text of files as a terminal may be shown it.
func (p *program) print(text string) error {
	_, err := io.WriteString(p.out, spelledOut(text))
	return err
}

// spelledOut returns text with what a terminal would obey, or would not show, as escapes. Line ends
// and tabs stay.
func spelledOut(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n' || r == '\t' || unicode.IsPrint(r) || strings.HasPrefix(text[i:], "\r\n"):
			b.WriteString(text[i : i+size])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}
