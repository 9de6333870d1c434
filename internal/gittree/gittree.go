// Package gittree tells what became of the files that lessons name: from a clone's own objects, or
// from GitHub. It never looks at the disk, which a sparse checkout thins out.
package gittree

import (
	"path"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// maxRenames bounds how often one file is followed.
const maxRenames = 20

// loss is how a branch lost a file or a folder.
type loss struct {
	date    lesson.Date
	renamed string // where it went in the same commit, "" for nowhere
	unknown bool   // whether it ever was a file cannot be told
}

// past judges names by the files that there are, and asks lost about the others. A name that lost
// knows nothing of is left out: it never was a file.
func past(names, files []string, lost func(name string) (loss, error)) (map[string]lesson.Past, error) {
	out := map[string]lesson.Past{}
	for _, name := range names {
		p, err := follow(name, files, lost)
		if err != nil {
			return nil, err
		}
		if p != (lesson.Past{}) {
			out[name] = p
		}
	}
	return out, nil
}

func follow(name string, files []string, lost func(name string) (loss, error)) (lesson.Past, error) {
	if isHere(name, files) {
		return lesson.Past{Here: true}, nil
	}
	at := name
	for range maxRenames {
		if at != name && exists(at, files) {
			return lesson.Past{Renamed: at}, nil
		}
		l, err := lost(at)
		switch {
		case err != nil:
			return lesson.Past{}, err
		case l.unknown:
			return lesson.Past{Unknown: true}, nil
		case l.renamed == "":
			return lesson.Past{Deleted: l.date}, nil
		}
		at = l.renamed
	}
	return lesson.Past{Unknown: true}, nil
}

// isHere reports whether files hold what a lesson means by name: that path, or the path below some
// folder, since people shorten paths; any file of a bare name.
func isHere(name string, files []string) bool {
	return exists(name, files) || slices.ContainsFunc(files, func(file string) bool {
		return strings.HasSuffix(file, "/"+name) || strings.Contains(file, "/"+name+"/")
	})
}

// exists reports whether files hold the path, as a file or a folder. What lies inside a submodule
// or behind a link, which are files here, counts as there.
func exists(name string, files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		return file == name || strings.HasPrefix(file, name+"/") || strings.HasPrefix(name, file+"/")
	})
}

// target returns where name went among the renames of one commit (old path to new path): a file to
// a file, a folder with the files in it, a bare name with any file of that name.
func target(name string, renames [][2]string) string {
	for _, r := range renames {
		from, to := r[0], r[1]
		if from == name || !strings.Contains(name, "/") && path.Base(from) == name {
			return to
		}
		if rest, ok := strings.CutPrefix(from, name+"/"); ok {
			if folder, ok := strings.CutSuffix(to, "/"+rest); ok {
				return folder
			}
			return path.Dir(to)
		}
	}
	return ""
}
