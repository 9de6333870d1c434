package guard

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// markdown is CommonMark without extensions: what an extension would add (tables, bare links) is
// plain text here, and treated as such.
var markdown = sync.OnceValue(goldmark.DefaultParser)

// prose returns s with f applied to all that is not code; code spans and blocks stay as they are.
func prose(s string, f func(string) string) string {
	var b strings.Builder
	at := 0
	for _, code := range codeRanges(s) {
		b.WriteString(f(s[at:code[0]]))
		b.WriteString(s[code[0]:code[1]])
		at = code[1]
	}
	b.WriteString(f(s[at:]))
	return b.String()
}

// codeRanges returns the byte ranges of s that are code, in order; a code span's includes its
// backticks.
func codeRanges(s string) [][2]int {
	if !strings.ContainsAny(s, "`~\t") && !strings.Contains(s, "    ") {
		return nil
	}
	var out [][2]int
	add := func(start, stop int) {
		if len(out) > 0 {
			start = max(start, out[len(out)-1][1])
		}
		if start < stop {
			out = append(out, [2]int{start, stop})
		}
	}
	tree, _ := parse(s)
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			if n.FirstChild() == nil {
				break
			}
			add(spanRange(s, n.FirstChild().(*ast.Text).Segment.Start, n.LastChild().(*ast.Text).Segment.Stop))
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				add(line.Start, line.Stop)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return out
}

// spanRange widens the content of a code span to its backticks.
func spanRange(s string, start, stop int) (int, int) {
	if start > 1 && s[start-1] == ' ' && s[start-2] == '`' {
		start--
	}
	for start > 0 && s[start-1] == '`' {
		start--
	}
	if strings.HasPrefix(s[stop:], " `") {
		stop++
	}
	for stop < len(s) && s[stop] == '`' {
		stop++
	}
	return start, stop
}

// flatten returns the text of Markdown on one line: block markers, fences, images, HTML and link
// targets are gone; code spans stay. With verbatim, emphasis stays and URLs become code.
func flatten(s string, verbatim bool) string {
	tree, src := parse(s)
	var b strings.Builder
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.ThematicBreak, *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock:
			if entering {
				b.WriteString(withoutTags(string(n.Lines().Value(src))))
			}
		case *ast.RawHTML:
			if entering {
				b.WriteString(withoutTags(string(n.Segments.Value(src))))
			}
		case *ast.Text:
			if entering {
				b.WriteString(stray.Replace(string(n.Value(src))))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.CodeSpan:
			if entering {
				var content strings.Builder
				for c := n.FirstChild(); c != nil; c = c.NextSibling() {
					content.Write(c.(*ast.Text).Value(src))
				}
				b.WriteString(code(content.String()))
				return ast.WalkSkipChildren, nil
			}
		case *ast.Emphasis:
			if verbatim {
				b.WriteString(strings.Repeat("*", n.Level))
			}
		case *ast.Link:
			if verbatim && !entering {
				b.WriteString(" (" + code(string(n.Destination)) + ")")
			}
		case *ast.AutoLink:
			if verbatim && entering {
				b.WriteString(code(string(n.URL(src))))
			}
		}
		if n.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return prose(fold(b.String()), literal)
}

// fold returns s on one line with its white space folded.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// stray takes the backticks from text that is no code.
var stray = strings.NewReplacer("\\`", "'", "`", "'")

var (
	openTag = lazily(`<([\pL/!?])`)
	escaped = lazily(`\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})`)
	entity  = lazily(`&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);`)
)

// literal sets a "<" apart that opened no tag, so that it opens none later, decodes entities, so that
// the next round sees what they hid, and removes escapes of invisible characters ("\u200b"), which
// a later reader may resolve.
func literal(s string) string {
	s = entity().ReplaceAllStringFunc(openTag().ReplaceAllString(s, "< $1"), html.UnescapeString)
	return escaped().ReplaceAllStringFunc(s, func(e string) string {
		code, err := strconv.ParseUint(strings.Trim(e[2:], "{}"), 16, 32)
		if err == nil && invisible(rune(code)) {
			return ""
		}
		return e
	})
}

// code returns content as a code span that no text around it can change.
func code(content string) string {
	content = fold(content)
	switch {
	case strings.Trim(content, "` ") == "":
		return ""
	case !strings.Contains(content, "`"):
		return "`" + content + "`"
	case strings.Contains(content, "``"):
		return "`" + strings.Trim(strings.ReplaceAll(content, "`", "'"), " ") + "`"
	}
	return "`` " + content + " ``"
}

// withoutTags removes tags, comments and the content of scripts and styles from HTML. A tag that
// HTML does not know, such as <T> or <branch-name>, is somebody's type or placeholder, and
// becomes code.
func withoutTags(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	skip := false
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if !skip {
				b.Write(z.Raw())
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			raw := string(z.Raw())
			name, attributes := z.TagName()
			tag := atom.Lookup(name)
			skip = kind == html.StartTagToken && (tag == atom.Script || tag == atom.Style)
			switch {
			case tag == 0 && !attributes && kind != html.EndTagToken:
				b.WriteString(code(raw))
			default:
				b.WriteByte(' ')
			}
		}
	}
}

// withoutComments removes HTML comments from Markdown; in code they are text and stay. One that
// is never closed hides all that follows when it begins a line, and is plain text otherwise.
func withoutComments(s string) string {
	const opening, closing = "<!--", "-->"
	if !strings.Contains(s, opening) {
		return s
	}
	var b strings.Builder
	ranges := codeRanges(s)
	kept, at := 0, 0 // s[:kept] is decided, s[:at] is searched
	for {
		i := strings.Index(s[at:], opening)
		if i < 0 {
			break
		}
		i += at
		if stop, ok := inside(ranges, i); ok {
			at = stop
			continue
		}
		end := strings.Index(s[i+len(opening):], closing)
		if end >= 0 {
			b.WriteString(s[kept:i])
			kept = i + len(opening) + end + len(closing)
			at = kept
			continue
		}
		// No later one is closed either.
		if first := hiddenRest(s, i, ranges); first >= 0 {
			return b.String() + s[kept:first]
		}
		break
	}
	return b.String() + s[kept:]
}

// hiddenRest returns where the first comment outside code at or behind offset at begins a line,
// or -1.
func hiddenRest(s string, at int, ranges [][2]int) int {
	for _, m := range commentLine().FindAllStringIndex(s, -1) {
		if _, code := inside(ranges, m[1]-1); !code && m[1] > at {
			return m[0]
		}
	}
	return -1
}

var commentLine = lazily(`(?m)^ *<!--`)

// inside returns the end of the range that holds offset at.
func inside(ranges [][2]int, at int) (stop int, ok bool) {
	for _, r := range ranges {
		if r[0] <= at && at < r[1] {
			return r[1], true
		}
	}
	return 0, false
}
