package gptme

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Context is what lessons are matched against.
type Context struct {
	text  string
	tools []string
}

// NewContext prepares a text (a prompt, or messages of a session) and the names of the tools in use.
func NewContext(text string, tools ...string) Context {
	return Context{text: strings.ToLower(text), tools: lowered(tools)}
}

// Match is how well a lesson fits a context. It is shown to agents when the score is above 0.
type Match struct {
	Score float64
	By    []string // "keyword:worktree", "pattern:…", "skill:…", "tool:…"
	// Unsupported are the lesson's patterns that Go's regular expressions cannot express, each with
	// the reason; they never match.
	Unsupported []string
}

// maxPatterns bounds the patterns of one lesson, and maxText the bytes that they are matched against.
const (
	maxPatterns = 64
	maxText     = 16 << 10
)

// Match scores the lesson as gptme does: 1 for each keyword and each pattern, 1.5 once for the skill's
// name, 2 for each tool.
func (l *Lesson) Match(c Context) Match {
	var m Match
	hit := func(kind, name string, score float64) {
		m.Score += score
		m.By = append(m.By, kind+":"+name)
	}
	for _, keyword := range l.Keywords {
		if c.holds(keyword) {
			hit("keyword", keyword, 1)
		}
	}
	for n, pattern := range l.Patterns {
		if n == maxPatterns {
			m.Unsupported = append(m.Unsupported, fmt.Sprintf("only the first %d of its %d patterns are matched", maxPatterns, len(l.Patterns)))
			break
		}
		re, err := Compile(pattern)
		switch {
		case err != nil:
			m.Unsupported = append(m.Unsupported, err.Error())
		case re.MatchString(c.text[:min(len(c.text), maxText)]):
			hit("pattern", pattern, 1)
		}
	}
	if c.names(l.Name) {
		hit("skill", l.Name, 1.5)
	}
	for _, tool := range l.Tools {
		if slices.Contains(c.tools, strings.ToLower(tool)) {
			hit("tool", tool, 2)
		}
	}
	return m
}

// holds reports whether the text holds the keyword, also within a word; "*" stands for any number of
// word characters. An empty keyword and a lone "*" match nothing.
func (c Context) holds(keyword string) bool {
	keyword = strings.ToLower(strings.TrimSpace(keyword))
	if keyword == "" || keyword == "*" {
		return false
	}
	parts := strings.Split(keyword, "*")
	for i, part := range parts {
		if !strings.Contains(c.text, part) {
			return false
		}
		parts[i] = regexp.QuoteMeta(part)
	}
	return len(parts) == 1 || regexp.MustCompile(strings.Join(parts, wordCharacter+"*")).MatchString(c.text)
}

// names reports whether the text holds a skill's name: as it is, with spaces for hyphens, or without
// hyphens.
func (c Context) names(name string) bool {
	name = strings.ToLower(strings.TrimFunc(name, unicode.IsSpace))
	return name != "" && (strings.Contains(c.text, name) ||
		strings.Contains(c.text, strings.ReplaceAll(name, "-", " ")) ||
		strings.Contains(c.text, strings.ReplaceAll(name, "-", "")))
}

func lowered(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = strings.ToLower(s)
	}
	return out
}
