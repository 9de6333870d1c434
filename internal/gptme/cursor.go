package gptme

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// readCursor reads the front matter of one of Cursor's rules: gptme makes keywords of its globs, and
// looks at neither status nor match.
func (l *Lesson) readCursor(fields map[string]any) {
	l.Cursor = true
	l.Globs = list(fields["globs"])
	l.AlwaysApply, _ = fields["alwaysApply"].(bool)
	for _, glob := range l.Globs {
		l.Keywords = append(l.Keywords, globKeywords(glob)...)
	}
	if l.AlwaysApply {
		l.Keywords = append(l.Keywords, "code", "development", "project")
	}
	l.Keywords = distinct(l.Keywords)
}

// About a glob, its extension and its folders tell.
var (
	globExtension = regexp.MustCompile(`\*\.([\pL\pN_]+)`)

	extensionKeywords = map[string][]string{
		"py": {"python", "python code"}, "ts": {"typescript", "typescript code"}, "js": {"javascript", "javascript code"},
		"tsx": {"typescript", "react", "frontend"}, "jsx": {"javascript", "react", "frontend"},
		"java": {"java", "java code"}, "c": {"c", "c code"}, "cpp": {"cpp", "c++", "c++ code"}, "cs": {"csharp", "c#", "c# code"},
		"rs": {"rust", "rust code"}, "go": {"go", "golang", "go code"}, "rb": {"ruby", "ruby code"}, "php": {"php", "php code"},
		"swift": {"swift", "swift code"}, "kt": {"kotlin", "kotlin code"}, "sh": {"shell", "bash", "script"},
		"sql": {"sql", "database"}, "md": {"markdown", "documentation"},
		"yaml": {"yaml", "configuration"}, "yml": {"yaml", "configuration"}, "json": {"json", "configuration"},
		"toml": {"toml", "configuration"}, "xml": {"xml", "configuration"},
		"html": {"html", "frontend", "web"}, "css": {"css", "frontend", "styling"}, "scss": {"scss", "css", "styling"},
		"vue": {"vue", "frontend", "javascript"},
	}
	folderKeywords = []string{"api", "backend", "frontend", "tests", "test", "docs", "documentation", "config", "lib", "src"}
)

func globKeywords(glob string) []string {
	var out []string
	if m := globExtension.FindStringSubmatch(glob); m != nil {
		if known, ok := extensionKeywords[m[1]]; ok {
			out = append(out, known...)
		} else {
			out = append(out, m[1])
		}
	}
	for _, part := range strings.Split(glob, "/") {
		if slices.Contains(folderKeywords, part) {
			out = append(out, part)
		}
	}
	return out
}

// Covers returns those of the slash-separated files that the lesson's globs mean. As in Cursor, a glob
// without a slash is about names in any folder, and commas separate globs.
func (l *Lesson) Covers(files []string) []string {
	if len(l.Globs) == 0 {
		return nil
	}
	var out []string
	for _, file := range files {
		if slices.ContainsFunc(l.Globs, func(globs string) bool { return covers(globs, file) }) {
			out = append(out, file)
		}
	}
	return out
}

func covers(globs, file string) bool {
	for _, glob := range splitGlobs(globs) {
		name := file
		if !strings.Contains(glob, "/") {
			name = path.Base(file)
		}
		if ok, err := doublestar.Match(strings.TrimPrefix(glob, "/"), name); ok && err == nil {
			return true
		}
	}
	return false
}

// splitGlobs cuts at the commas that stand in no braces.
func splitGlobs(globs string) []string {
	depth := 0
	return strings.FieldsFunc(globs, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth <= 0 && (r == ',' || r == ' ')
	})
}

// distinct drops repetitions and keeps the order.
func distinct(all []string) []string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
