package distill

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blockKind is the part that a block plays in a comment.
type blockKind int

const (
	paragraph blockKind = iota
	heading
	item    // the first paragraph of a list item
	summary // of a details element
	code    // a fence; its text is never a sentence, but may name what to use
	listEnd // the end of a list
	quote   // what somebody else said, or the line that the comment is about
	row     // of a table
	gap     // a thematic break or the end of a details element
)

// run is a stretch of inline text of one style.
type run struct {
	text   string
	strong bool
	emph   bool
	link   bool
}

// block is a leaf of the Markdown tree with what its layout says about it.
type block struct {
	kind    blockKind
	level   int      // of a heading
	ordered bool     // an item of a numbered list
	info    string   // of a fence, e.g. "suggestion"
	runs    []run    // code spans keep their backticks
	badges  []string // alternative texts of images
	cells   []cell   // of a row
	details []int    // identities of the open details elements, outermost first
}

// text is the block's inline text without styles.
func (b block) text() string {
	var sb strings.Builder
	for _, r := range b.runs {
		sb.WriteString(r.text)
	}
	return strings.TrimSpace(sb.String())
}

// lead is the text of the strong runs that the block begins with, and the rest. Symbols may stand
// before them and between.
func (b block) lead() (strong, rest string) {
	end := 0
	for i, r := range b.runs {
		if r.strong {
			end = i + 1
		} else if strings.ContainsFunc(r.text, isWordRune) {
			break
		}
	}
	if end == 0 {
		return "", b.text()
	}
	return block{runs: b.runs[:end]}.text(), block{runs: b.runs[end:]}.text()
}

// boldLines cuts a paragraph before each line that begins with bold text: lines of fields and
// labels are often written without a blank line between them.
func (b block) boldLines() []block {
	var out []block
	start := 0
	for i := 1; i < len(b.runs); i++ {
		if b.runs[i].strong && !b.runs[i-1].strong && strings.HasSuffix(b.runs[i-1].text, "\n") {
			out = append(out, b.part(start, i))
			start = i
		}
	}
	return append(out, b.part(start, len(b.runs)))
}

// part is the block with its runs from start to end. The badges stay with the first part.
func (b block) part(start, end int) block {
	b.runs = b.runs[start:end]
	if start > 0 {
		b.badges = nil
	}
	return b
}

// without drops the first n bytes of the block's text.
func (b block) without(n int) block {
	runs := slices.Clone(b.runs)
	for i := range runs {
		skip := min(n, len(runs[i].text))
		runs[i].text, n = runs[i].text[skip:], n-skip
	}
	b.runs = runs
	return b
}

// isEmphatic reports whether every word is strong or emphasised, as in the line of labels above
// a finding.
func (b block) isEmphatic() bool {
	return !slices.ContainsFunc(b.runs, func(r run) bool {
		return !r.strong && !r.emph && strings.ContainsFunc(r.text, isWordRune)
	})
}

// isButton reports whether all words are links.
func (b block) isButton() bool {
	return !slices.ContainsFunc(b.runs, func(r run) bool {
		return !r.link && strings.ContainsFunc(r.text, isWordRune)
	})
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '`' }

var markdown = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(
		extension.NewTable(), extension.Linkify, extension.Strikethrough, extension.TaskList)).Parser()
})

// reader turns goldmark's tree into blocks. Struck-out text is left out: it is not what the
// reviewer says.
type reader struct {
	src    []byte
	blocks []block
	cur    *block // collects inline content
	html   htmlState
}

// readMarkdown is the comment, which guard.Clean has cleaned, as a flat list of blocks, in order.
func readMarkdown(body string) []block {
	src := []byte(body)
	r := &reader{src: src}
	r.children(markdown().Parse(text.NewReader(src)), block{})
	return r.blocks
}

func (r *reader) children(n ast.Node, context block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.block(c, context)
		if context.kind == item { // only an item's first block begins the item
			context.kind = paragraph
		}
	}
}

func (r *reader) block(n ast.Node, context block) {
	switch n := n.(type) {
	case *ast.Heading:
		r.leaf(n, block{kind: heading, level: n.Level})
	case *ast.Paragraph, *ast.TextBlock:
		r.leaf(n, context)
	case *ast.FencedCodeBlock:
		r.emit(block{kind: code, info: string(n.Language(r.src)), runs: []run{{text: r.lines(n)}}})
	case *ast.CodeBlock:
		r.emit(block{kind: code, runs: []run{{text: r.lines(n)}}})
	case *ast.Blockquote:
		if isAlert(n, r.src) {
			open := len(r.html.details)
			first := len(r.blocks)
			r.children(n, block{})
			r.dropMarker(first)
			r.html.closeTo(open)
		} else {
			r.emit(block{kind: quote, runs: []run{{text: plain(n, r.src)}}})
		}
	case *ast.List:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			r.children(c, block{kind: item, ordered: n.IsOrdered()})
		}
		r.emit(block{kind: listEnd})
	case *ast.ThematicBreak:
		r.emit(block{kind: gap})
	case *ast.HTMLBlock:
		raw := r.lines(n)
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(r.src))
		}
		r.markup(raw, false)
		r.flush()
	case *east.Table:
		if !r.html.table.inCell {
			r.table(n)
		}
	default:
		r.children(n, context)
	}
}

// isAlert reports whether a quote is one of GitHub's alerts ("> [!CAUTION]"), which are the
// author's own words.
func isAlert(n *ast.Blockquote, src []byte) bool {
	first := n.FirstChild()
	if first == nil || first.Lines().Len() == 0 {
		return false
	}
	line := first.Lines().At(0)
	return strings.HasPrefix(strings.TrimSpace(string(line.Value(src))), "[!")
}

// dropMarker strips "[!CAUTION]" from the alert whose blocks begin at index first.
func (r *reader) dropMarker(first int) {
	if first < len(r.blocks) {
		text := r.blocks[first].text()
		if end := strings.IndexByte(text, ']'); strings.HasPrefix(text, "[!") && end > 0 {
			r.blocks[first] = r.blocks[first].without(end + 1)
		}
	}
}

func (r *reader) lines(n ast.Node) string {
	return string(n.Lines().Value(r.src))
}

// leaf emits one block with n's inline content. Details elements may open and close within it.
func (r *reader) leaf(n ast.Node, b block) {
	r.start(b)
	r.inline(n, run{})
	r.flush()
	r.html.small, r.html.anchors = 0, 0 // left open by mistake
}

func (r *reader) start(b block) {
	r.flush()
	if !r.html.table.inCell {
		r.cur = &b
	}
}

func (r *reader) flush() {
	if r.cur == nil {
		return
	}
	if r.html.table.inCell { // a paragraph in it ends
		r.write("\n", run{})
		return
	}
	b := *r.cur
	r.cur = nil
	if b.text() != "" || len(b.badges) > 0 {
		r.emit(b)
	}
}

func (r *reader) emit(b block) {
	b.details = slices.Clone(r.html.details)
	if !r.html.skipping() && !r.html.table.inCell {
		r.blocks = append(r.blocks, b)
	}
}

func (r *reader) write(text string, style run) {
	if text == "" || r.html.skipping() || r.html.small > 0 {
		return
	}
	if r.cur == nil {
		r.cur = &block{}
	}
	style.text = text
	style.strong = style.strong || r.html.strong > 0
	style.link = style.link || r.html.anchors > 0
	r.cur.runs = append(r.cur.runs, style)
}

func (r *reader) inline(n ast.Node, style run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			r.write(string(util.UnescapePunctuations(c.Segment.Value(r.src))), style)
			if c.HardLineBreak() || c.SoftLineBreak() {
				r.write("\n", style)
			}
		case *ast.String:
			r.write(string(c.Value), style)
		case *ast.CodeSpan:
			r.write(codeSpan(c, r.src), style)
		case *ast.Emphasis:
			inner := style
			inner.strong = style.strong || c.Level > 1
			inner.emph = style.emph || c.Level == 1
			r.inline(c, inner)
		case *ast.Image:
			r.badge(plain(c, r.src))
		case *ast.RawHTML:
			r.markup(string(c.Segments.Value(r.src)), true)
		case *ast.Link:
			inner := style
			inner.link = true
			r.inline(c, inner)
		case *ast.AutoLink: // spoken takes it out again
			inner := style
			inner.link = true
			r.write("`"+strings.ReplaceAll(string(c.URL(r.src)), "`", "")+"`", inner)
		case *east.Strikethrough, *east.TaskCheckBox:
		default:
			r.inline(c, style)
		}
	}
}

func (r *reader) badge(alt string) {
	if r.cur == nil {
		r.cur = &block{}
	}
	r.cur.badges = append(r.cur.badges, alt)
}

// codeSpan is the span in single backticks; a span that holds one itself loses it.
func codeSpan(n *ast.CodeSpan, src []byte) string {
	inner := strings.TrimSpace(strings.ReplaceAll(plain(n, src), "`", ""))
	if inner == "" {
		return ""
	}
	return "`" + strings.Join(strings.Fields(inner), " ") + "`"
}

// plain is the text below n without any style.
func plain(n ast.Node, src []byte) string {
	var sb strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			sb.Write(t.Segment.Value(src))
			if t.SoftLineBreak() {
				sb.WriteByte(' ')
			}
			continue
		}
		sb.WriteString(plain(c, src))
	}
	return sb.String()
}
