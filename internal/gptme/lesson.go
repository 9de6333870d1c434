// Package gptme reads Markdown lessons as gptme's own loader does, and Cursor's .mdc rules with them:
// which files count, what their front matter means, and when a lesson matches. The rules are those of
// gptme's lessons/index.py, parser.py and matcher.py as of November 2026. The package is pure.
package gptme

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the size from which a file is no lesson.
const MaxBytes = 256 << 10

// Lesson is a Markdown lesson, a skill, or one of Cursor's rules.
type Lesson struct {
	Title       string // the first "# " heading, or "Untitled"
	Description string // the first line of text below the title
	Category    string // the folder's name
	Body        string // without the front matter

	ID, Name string
	About    string // the description of the front matter
	Status   string // "active" unless the front matter says otherwise
	Keywords []string
	Patterns []string // Python's regular expressions
	Tools    []string
	Depends  []string

	Cursor      bool     // read as one of Cursor's rules: its status does not count
	Globs       []string // of files that the rule is about
	AlwaysApply bool
}

// Active reports whether gptme would index the lesson.
func (l *Lesson) Active() bool { return l.Status == active }

const active = "active"

// Summary is the one line that stands for the lesson: what its front matter says it is about, else
// its first line of text, else its title.
func (l *Lesson) Summary() string {
	for _, s := range []string{l.About, l.Description, l.Title} {
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// Skips says why gptme would not read a file at this slash-separated path, "" when it would. It looks
// at the name without regard to case, and at the whole path for "worktree/" and "/.git/".
func Skips(file string) string {
	name := strings.ToLower(path.Base(file))
	switch {
	case name == "readme.md" || name == "todo.md":
		return "it is a " + name
	case strings.Contains(name, "template"):
		return "its name holds \"template\""
	case strings.Contains(file, "worktree/"):
		return "its path holds \"worktree/\""
	case strings.Contains(file, "/.git/"):
		return "it is inside .git"
	}
	return ""
}

// Parse reads the lesson at a slash-separated path. Its error is one line that names no file.
func Parse(file string, src []byte) (*Lesson, error) {
	if len(src) >= MaxBytes {
		return nil, fmt.Errorf("it is %d bytes or larger", MaxBytes)
	}
	if !utf8.Valid(src) {
		return nil, errors.New("it is not UTF-8")
	}
	text := string(src)
	if strings.Contains(text, "\r") {
		text = lineEnds.Replace(text)
	}
	l := &Lesson{Status: active, Category: path.Base(path.Dir(file)), Body: text}
	if front, body, ok := split(text); ok {
		l.Body = strings.TrimSpace(body)
		if err := l.read(front, path.Ext(file) == ".mdc"); err != nil {
			return nil, err
		}
	}
	l.Title, l.Description = headline(l.Body)
	return l, nil
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// split cuts at the first two "---", wherever they stand; without a second one there is no front matter.
func split(text string) (front, body string, ok bool) {
	rest, ok := strings.CutPrefix(text, "---")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "---")
}

// headline returns the title, and the first line of text below a heading that "# " begins.
func headline(body string) (title, description string) {
	title = "Untitled"
	titled, below := false, false
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		if heading := strings.TrimSpace(strings.TrimPrefix(text, "#")); !titled && heading != "" && isTitle(line) {
			title, titled = heading, true
		}
		switch {
		case strings.HasPrefix(line, "# "):
			below = true
		case below && text != "" && !strings.HasPrefix(line, "#"):
			return title, text
		}
	}
	return title, ""
}

func isTitle(line string) bool {
	return strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "#\t")
}
