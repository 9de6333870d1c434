package report

import (
	"path"
	"regexp"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// named matches what in a sentence may name a file or a folder: a code span, or a word with a
// slash or an extension.
var named = regexp.MustCompile("`([^`]+)`|([\\w.@-]*[\\w-](?:/[\\w.@-]+)+/?|[\\w-]+\\.[a-zA-Z]\\w{0,11})\\b")

// Touching returns the active bullets that name one of the files: by its path, by the end of it,
// by its base name, or by a folder above it. Paths are those of the repository, with slashes.
func Touching(bullets []lesson.Bullet, files []string) []lesson.Bullet {
	var out []lesson.Bullet
	for _, b := range bullets {
		if b.Active() && speaksOf(b.Sentence, files) {
			out = append(out, b)
		}
	}
	return out
}

func speaksOf(sentence string, files []string) bool {
	for _, m := range named.FindAllStringSubmatch(sentence, -1) {
		for name := range strings.FieldsSeq(m[1] + m[2]) {
			name = strings.TrimPrefix(strings.Trim(name, `"'(),;`), "./")
			for _, file := range files {
				if names(name, file) {
					return true
				}
			}
		}
	}
	return false
}

// names reports whether name means file. A bare word means a file only with an extension or
// as the whole base name, such as Makefile; a folder needs a slash.
func names(name, file string) bool {
	switch folder := strings.TrimSuffix(name, "/"); {
	case name == "" || folder == "":
		return false
	case strings.EqualFold(name, file), strings.HasSuffix(file, "/"+name):
		return true
	case strings.Contains(name, "/"):
		return strings.HasPrefix(file, folder+"/") || strings.Contains(file, "/"+folder+"/")
	default:
		return name == path.Base(file)
	}
}
