package report

import (
	"path"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Touching returns the active bullets that name one of the files: by its path, by the end of it,
// by a folder above it, or in backticks by its base name. Paths are those of the repository.
func Touching(bullets []lesson.Bullet, files []string) []lesson.Bullet {
	return slices.DeleteFunc(slices.Clone(bullets), func(b lesson.Bullet) bool {
		return !b.Active() || !speaksOf(b.Sentence, files)
	})
}

func speaksOf(sentence string, files []string) bool {
	names := lesson.FileNames(sentence)
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 { // a code span: a command, too, may name a file
			names = append(names, strings.Fields(part)...)
		}
	}
	for _, name := range names {
		if slices.ContainsFunc(files, func(file string) bool { return means(name, file) }) {
			return true
		}
	}
	return false
}

// means reports whether a name means a file, or a folder above it, which needs a slash.
func means(name, file string) bool {
	folder := strings.TrimSuffix(name, "/")
	switch {
	case folder == "":
		return false
	case strings.Contains(name, "/"):
		return strings.HasSuffix("/"+file, "/"+folder) || strings.Contains("/"+file, "/"+folder+"/")
	default:
		return name == path.Base(file)
	}
}
