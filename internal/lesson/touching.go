package lesson

import (
	"path"
	"slices"
	"strings"
)

// FilesNamed returns those of the files (paths of the repository) of which a sentence speaks: by the
// path, by the end of it, by a folder above it, or in backticks by the base name.
func FilesNamed(sentence string, files []string) []string {
	if len(files) == 0 {
		return nil
	}
	names := FileNames(sentence)
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 { // a code span: a command, too, may name a file
			names = append(names, strings.Fields(part)...)
		}
	}
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return means(name, file) })
	})
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
