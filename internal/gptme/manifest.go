package gptme

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
)

// Manifest is the name of a folder's optional index of skills.
const Manifest = "index.json"

// Stub is a skill that the manifest describes, so that its file need not be read.
type Stub struct {
	Path   string // slash-separated, relative to the manifest's folder
	Lesson *Lesson
}

// ParseManifest reads {"skills": [{name, path, description, keywords, depends, status}]}. An entry whose
// path leads out of the folder is left out and named in the error, which does not void the others.
func ParseManifest(src []byte) ([]Stub, error) {
	var manifest struct {
		Skills []struct {
			Name, Path, Description, Status string
			Keywords, Depends               any
		}
	}
	if err := json.Unmarshal(src, &manifest); err != nil {
		return nil, fmt.Errorf("it is no manifest of skills: %w", err)
	}
	var stubs []Stub
	var errs []error
	for _, s := range manifest.Skills {
		file := path.Clean(s.Path)
		if s.Path == "" || path.IsAbs(file) || file == ".." || len(file) > 2 && file[:3] == "../" {
			errs = append(errs, fmt.Errorf("the path %q of a skill is not inside the folder", s.Path))
			continue
		}
		l := &Lesson{
			Title: s.Name, Name: s.Name, About: s.Description, Status: s.Status,
			Category: path.Base(path.Dir(file)), Keywords: list(s.Keywords), Depends: list(s.Depends),
		}
		if l.Status == "" {
			l.Status = active
		}
		stubs = append(stubs, Stub{Path: file, Lesson: l})
	}
	return stubs, errors.Join(errs...)
}
