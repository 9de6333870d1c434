package findings

import (
	"io/fs"
	"os"
	"path/filepath"
)

// onlyNew is a file system without what a folder has already: os.CopyFS replaces nothing.
type onlyNew struct {
	fs.FS
	folder string
}

// ReadDir leaves out files that are there.
func (o onlyNew) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	var out []fs.DirEntry
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(o.folder, name, e.Name())); err != nil || e.IsDir() {
			out = append(out, e)
		}
	}
	return out, err
}
