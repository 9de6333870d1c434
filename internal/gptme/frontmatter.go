package gptme

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/agent-corp/agent-lessons/internal/plainyaml"
)

// maxFrontMatter bounds, in bytes, what is given to the YAML parser.
const maxFrontMatter = 8 << 10

// unquotedGlobs is how Cursor itself writes globs: YAML takes the star for an alias.
var unquotedGlobs = regexp.MustCompile(`(?m)^(\s*globs:[ \t]*)(\*[^"'\n]+)$`)

// read fills in what the front matter says.
func (l *Lesson) read(front string, cursor bool) error {
	if len(front) > maxFrontMatter {
		return fmt.Errorf("its front matter is larger than %d bytes", maxFrontMatter)
	}
	if strings.Contains(front, "globs:") {
		front = unquotedGlobs.ReplaceAllString(front, `$1"$2"`)
	}
	fields, err := fieldsOf(front)
	if err != nil {
		return err
	}
	l.ID, l.Name, l.About = text(fields["id"]), text(fields["name"]), text(fields["description"])
	l.Depends = list(fields["depends"])
	if _, globs := fields["globs"]; globs || cursor {
		l.readCursor(fields)
		return nil
	}
	if status, ok := fields["status"]; ok {
		l.Status = text(status) // no text is not "active"
	}
	return l.readMatch(fields)
}

func fieldsOf(front string) (map[string]any, error) {
	if fields, plain := plainFields(front); plain {
		return fields, nil
	}
	var value any
	if err := plainyaml.Unmarshal([]byte(front), &value, yaml.AllowDuplicateMapKey()); err != nil {
		return nil, fmt.Errorf("its front matter is broken: %w", err)
	}
	fields, ok := value.(map[string]any)
	if !ok && value != nil {
		return nil, errors.New("its front matter is no mapping of names to values")
	}
	return fields, nil
}

func (l *Lesson) readMatch(fields map[string]any) error {
	value, ok := fields["match"]
	if !ok {
		return nil
	}
	match, ok := value.(map[string]any)
	if !ok {
		return errors.New("its front matter is broken: match is no mapping of keywords, patterns and tools")
	}
	if keywords, ok := match["keywords"]; ok && keywords == nil {
		return errors.New("its front matter is broken: keywords is empty: write [] or leave it out")
	}
	l.Keywords, l.Patterns, l.Tools = list(match["keywords"]), list(match["patterns"]), list(match["tools"])
	return nil
}

// text returns a string, "" for everything else.
func text(value any) string {
	s, _ := value.(string)
	return s
}

// list returns the strings of a list that are not blank; a string stands for a list of one.
func list(value any) []string {
	var out []string
	switch v := value.(type) {
	case string:
		return list([]any{v})
	case []any:
		for _, item := range v {
			if s := text(item); strings.TrimSpace(s) != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
