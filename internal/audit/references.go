package audit

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Reference is a mention of a Markdown file that is not there.
type Reference struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Target string `json:"target"` // as written
}

// mention is a place in a text that names a Markdown file.
type mention struct {
	line   int
	target string // as written, without a fragment
	link   bool   // the target of a Markdown link, relative to the file; otherwise a path in prose or code
}

// linkTarget matches [text](target), [text](<target>) and, at the beginning of a line, [name]: target.
var linkTarget = regexp.MustCompile(`\]\(\s*<?([^)\s>#]+)|^\s{0,3}\[[^\]]+\]:\s*<?([^\s>#]+)`)

// mentions returns the Markdown files that a text names outside of its code blocks.
func mentions(src []byte) []mention {
	var out []mention
	eachLine(src, func(number int, line string) {
		for _, m := range linkTarget.FindAllStringSubmatch(line, -1) {
			if target := m[1] + m[2]; isMarkdown(target) && !strings.Contains(target, ":") && !path.IsAbs(target) {
				out = append(out, mention{number, target, true})
			}
		}
		for _, name := range lesson.FileNames(line) {
			if isMarkdown(name) && strings.Contains(name, "/") { // a bare name may be a file of any project
				out = append(out, mention{number, name, false})
			}
		}
	})
	return out
}

// eachLine calls visit with the lines outside of fenced code blocks, numbered from 1.
func eachLine(src []byte, visit func(number int, line string)) {
	fence := ""
	number := 0
	for line := range strings.Lines(string(src)) {
		number++
		text := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		default:
			visit(number, line)
		}
	}
}

func isMarkdown(name string) bool {
	return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".mdc")
}

// candidates are the absolute paths that a mention may mean, the likeliest first: a link is relative to
// its file, a path in prose to that, to a folder of lessons, or to a folder above one.
func (m mention) candidates(f File, folders []Folder) []string {
	out := []string{path.Join(path.Dir(f.Path), m.target)}
	if m.link {
		return out
	}
	for _, folder := range folders {
		for dir := folder.Root; ; dir = path.Dir(dir) {
			out = append(out, path.Join(dir, m.target))
			if dir == path.Dir(dir) {
				break
			}
		}
	}
	return out
}

// deadReferences returns the mentions that lead to no file.
func deadReferences(files []File, folders []Folder, exists func(file string) bool) []Reference {
	var out []Reference
	for _, f := range files {
		for _, m := range mentions(f.Source) {
			if !slices.ContainsFunc(m.candidates(f, folders), exists) {
				out = append(out, Reference{f.Name, m.line, m.target})
			}
		}
	}
	return out
}
