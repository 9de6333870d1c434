package distill

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlState is which HTML elements are open between the Markdown blocks of a comment.
type htmlState struct {
	details []int // identities of the open details elements
	count   int   // details elements seen
	strong  int   // open <b> and <strong>
	anchors int   // open <a>
	small   int   // open <sub>, <sup> and <small>: footers and badges
	muted   []atom.Atom
	table   htmlTable
}

// maxDetails is how deep details elements nest; no layout needs as many.
const maxDetails = 16

// muted elements hold no sentences.
var mutedElements = []atom.Atom{atom.Pre, atom.Script, atom.Style, atom.Svg, atom.Template, atom.Iframe, atom.Del}

func (s *htmlState) skipping() bool { return len(s.muted) > 0 }

// closeTo forgets the elements that were opened inside a Markdown container which has ended.
func (s *htmlState) closeTo(open int) {
	if len(s.details) > open {
		s.details = s.details[:open]
	}
}

// markup feeds raw HTML to the tokenizer: details and badges shape the layout, other text
// stays text, comments vanish. inline says that the HTML stands within a paragraph.
func (r *reader) markup(raw string, inline bool) {
	z := html.NewTokenizer(strings.NewReader(raw))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			r.open(z.Token(), inline)
		case html.EndTagToken:
			r.close(z.Token().DataAtom)
		case html.TextToken:
			if !inline {
				r.write(string(z.Text()), run{})
			}
		}
	}
}

func (r *reader) open(t html.Token, inline bool) {
	switch t.DataAtom {
	case atom.Details:
		r.flush()
		if len(r.html.details) < maxDetails {
			r.html.count++
			r.html.details = append(r.html.details, r.html.count)
		}
	case atom.Summary:
		r.start(block{kind: summary})
	case atom.B, atom.Strong:
		r.html.strong++
	case atom.A:
		r.html.anchors++
	case atom.Sub, atom.Sup, atom.Small:
		r.html.small++
	case atom.Code:
		r.write("`", run{})
	case atom.Img:
		for _, a := range t.Attr {
			if a.Key == "alt" {
				r.badge(a.Val)
			}
		}
	case atom.Br:
		r.write("\n", run{})
	case atom.P, atom.Div, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.Hr, atom.Blockquote:
		r.flush()
	case atom.Table, atom.Tr, atom.Td, atom.Th:
		r.openTable(t.DataAtom)
	default:
		if !inline && t.Type == html.StartTagToken && slices.Contains(mutedElements, t.DataAtom) {
			r.flush()
			r.html.muted = append(r.html.muted, t.DataAtom)
		}
	}
}

func (r *reader) close(a atom.Atom) {
	switch a {
	case atom.Details:
		r.flush()
		r.html.closeTo(max(0, len(r.html.details)-1))
		r.emit(block{kind: gap})
	case atom.Summary, atom.P, atom.Div, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.Blockquote:
		r.flush()
	case atom.Table, atom.Thead, atom.Tbody, atom.Tr, atom.Td, atom.Th:
		r.closeTable(a)
	case atom.B, atom.Strong:
		r.html.strong = max(0, r.html.strong-1)
	case atom.A:
		r.html.anchors = max(0, r.html.anchors-1)
	case atom.Sub, atom.Sup, atom.Small:
		r.html.small = max(0, r.html.small-1)
	case atom.Code:
		r.write("`", run{})
	default:
		if i := slices.Index(r.html.muted, a); i >= 0 {
			r.html.muted = r.html.muted[:i]
		}
	}
}
