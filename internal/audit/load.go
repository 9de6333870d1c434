package audit

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/layers"
)

// Load reads a folder of Markdown lessons with the bounds of package layers, and with them the other
// Markdown files in it, which may refer to lessons.
func Load(folder, name string) (Folder, error) {
	layer, err := layers.ReadFolder(folder, name)
	if err != nil {
		return Folder{}, err
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return Folder{}, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return Folder{}, err
	}
	f := Folder{Name: name, Root: filepath.ToSlash(root)}
	for _, note := range layer.Notes {
		f.Notes = append(f.Notes, name+": "+note)
	}
	manifest := read(filepath.Join(root, gptme.Manifest))
	known := map[string]bool{}
	for _, e := range layer.Entries {
		file := File{
			Name: path.Join(name, e.File), Path: path.Join(f.Root, e.File), Lesson: e.Guide, Broken: e.Broken,
			Listed: bytes.Contains(manifest, []byte(e.File)),
		}
		if real, err := filepath.Abs(e.Real); err == nil && e.Real != "" {
			file.Real = filepath.ToSlash(real)
			if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() && isMarkdown(file.Real) {
				file.Source = read(real)
			}
		}
		known[file.Path] = true
		f.Files = append(f.Files, file)
	}
	return f, f.loadOthers(known)
}

// loadOthers adds the regular Markdown files that are no lessons.
func (f *Folder) loadOthers(known map[string]bool) error {
	return filepath.WalkDir(filepath.FromSlash(f.Root), func(name string, entry fs.DirEntry, err error) error {
		file := filepath.ToSlash(name)
		switch {
		case err != nil:
			return nil //nolint:nilerr // ReadFolder has said so
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular() || !isMarkdown(file) || known[file] || len(f.Files) > 2*layers.MaxFiles:
			return nil
		}
		f.Files = append(f.Files, File{Name: path.Join(f.Name, file[len(f.Root)+1:]), Path: file, Real: file, Source: read(name), Other: true})
		return nil
	})
}

// read returns a file's content, nil for one that cannot be read or is larger than a lesson may be.
func read(name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, gptme.MaxBytes))
	if err != nil || len(src) == gptme.MaxBytes {
		return nil
	}
	if src == nil {
		src = []byte{}
	}
	return src
}

// Exists reports whether there is a file at a path.
func Exists(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return err == nil
}
