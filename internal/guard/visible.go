package guard

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// visible returns s as valid UTF-8 in NFC without what a reader cannot see: control characters
// (line breaks and tabs stay), format characters such as zero-width, bidirectional and tag
// characters and the soft hyphen, variation selectors, fillers, and private-use characters.
// All line breaks become "\n".
func visible(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\r\n", "\n")
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\u2800': // a Braille pattern without dots
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, s))
}

// invisible reports whether r is drawn by no font: no graphic character (control, format,
// private-use and unassigned ones), or one that Unicode lets a renderer ignore.
func invisible(r rune) bool {
	return !unicode.IsGraphic(r) || r == '\uFFFC' || r == '\uFFFD' ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// hidden decodes what was written in characters that nobody sees but a model reads: tag
// characters (which mirror ASCII) and variation selectors (which number the 256 bytes).
func hidden(s string) string {
	var b strings.Builder
	flag := false // tag characters behind a black flag draw a regional flag
	for _, r := range s {
		switch {
		case r == '\U0001F3F4':
			flag = true
			continue
		case 0xE0020 <= r && r <= 0xE007E && !flag:
			b.WriteRune(r - 0xE0000)
			continue
		case 0xFE00 <= r && r <= 0xFE0E: // U+FE0F asks for the emoji form of what stands before it
			b.WriteRune(r - 0xFE00)
		case 0xE0100 <= r && r <= 0xE01EF:
			b.WriteRune(r - 0xE0100 + 16)
		case r < 0xE0000:
			flag = false
		}
	}
	return visible(b.String())
}

// Visible returns s as one line of valid UTF-8 in NFC without characters that a reader cannot see, among
// them a terminal's control sequences.
func Visible(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }
