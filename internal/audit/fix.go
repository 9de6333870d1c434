package audit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Plan is what fixing does: identical copies go, and what refers to them is rewritten first.
type Plan struct {
	Removals []Removal `json:"removals"`
	Rewrites []Rewrite `json:"rewrites"`
	Spared   []Problem `json:"spared"` // identical copies that stay, and why
}

// Removal is an identical copy that goes.
type Removal struct {
	File string `json:"file"`
	Kept string `json:"kept"`

	path, kept string
}

// Rewrite is a file in which references change.
type Rewrite struct {
	File string `json:"file"`
	Diff string `json:"diff"`

	path          string
	before, after []byte
}

// PlanFix returns what fixing the folders would do.
func PlanFix(folders []Folder) Plan {
	p := Plan{Removals: []Removal{}, Rewrites: []Rewrite{}, Spared: []Problem{}} // lists, not null, in JSON
	var files []File
	for _, f := range folders {
		files = append(files, f.Files...)
	}
	var lessons []File
	linked := map[string]string{} // by what links lead to, a link
	known := map[string]bool{}    // by path
	for _, f := range files {
		known[f.Path] = true
		if !f.Other {
			lessons = append(lessons, f)
		}
		if f.link() {
			linked[f.Real] = f.Name
		}
	}
	gone := map[string]string{} // by path, what is kept instead
	for _, group := range groupByName(lessons) {
		kept := group[0]
		for _, f := range group[1:] {
			if kindOf(kept, f) != Identical {
				continue
			}
			if why := f.needed(linked); why != "" {
				p.Spared = append(p.Spared, Problem{f.Name, why})
				continue
			}
			gone[f.Path] = kept.Path
			p.Removals = append(p.Removals, Removal{f.Name, kept.Name, f.Path, kept.Path})
		}
	}
	for _, f := range files {
		if gone[f.Path] != "" || f.link() || f.Source == nil {
			continue
		}
		if after := rewrite(f, folders, known, gone); !bytes.Equal(after, f.Source) {
			p.Rewrites = append(p.Rewrites, Rewrite{f.Name, string(diff.Diff(f.Name, f.Source, f.Name+" (after)", after)), f.Path, f.Source, after})
		}
	}
	return p
}

// needed says why an identical copy cannot go.
func (f File) needed(linked map[string]string) string {
	switch {
	case f.link():
		return "it is a link to a file that may have other readers"
	case linked[f.Real] != "":
		return "the link " + linked[f.Real] + " leads to it"
	case f.Listed:
		return "the folder's index.json names it"
	}
	return ""
}

// rewrite returns the file with its references to what goes leading to what is kept.
func rewrite(f File, folders []Folder, known map[string]bool, gone map[string]string) []byte {
	to := map[string]string{}    // by target as written, for links
	names := map[string]string{} // the same for paths in prose
	for _, m := range mentions(f.Source) {
		for _, candidate := range m.candidates(f, folders) {
			kept, ok := gone[candidate]
			if !ok && known[candidate] {
				break // it means a file that stays
			}
			if !ok {
				continue
			}
			base := strings.TrimSuffix(candidate, "/"+strings.TrimPrefix(m.target, "./")) // what the path is relative to
			if m.link {
				base = path.Dir(f.Path)
			}
			if fresh, err := filepath.Rel(base, kept); err == nil {
				if m.link {
					to[m.target] = filepath.ToSlash(fresh)
				} else {
					names[m.target] = filepath.ToSlash(fresh)
				}
			}
			break
		}
	}
	if len(to)+len(names) == 0 {
		return f.Source
	}
	changed := map[int]string{}
	eachLine(f.Source, func(number int, line string) {
		fresh := lesson.Rename(relink(line, to), names)
		if fresh != line {
			changed[number] = fresh
		}
	})
	var out bytes.Buffer
	number := 0
	for line := range strings.Lines(string(f.Source)) {
		number++
		if fresh, ok := changed[number]; ok {
			line = fresh
		}
		out.WriteString(line)
	}
	return out.Bytes()
}

// relink replaces the targets of the links in a line.
func relink(line string, to map[string]string) string {
	var b strings.Builder
	at := 0
	for _, m := range linkTarget.FindAllStringSubmatchIndex(line, -1) {
		start, end := max(m[2], m[4]), max(m[3], m[5]) // one of the two groups matched, the other is -1
		if fresh, ok := to[line[start:end]]; ok {
			b.WriteString(line[at:start] + fresh)
			at = end
		}
	}
	return b.String() + line[at:]
}

// Apply carries the plan out. References are rewritten before anything is removed, and a file that has
// changed since it was read is left alone and named in the error.
func (p Plan) Apply() error {
	var errs []error
	for _, r := range p.Rewrites {
		if err := replace(r); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.File, err))
		}
	}
	if len(errs) > 0 {
		return errors.Join(append(errs, errors.New("nothing was removed"))...)
	}
	for _, r := range p.Removals {
		kept, copied := read(r.kept), read(r.path)
		if kept == nil || !bytes.Equal(kept, copied) {
			errs = append(errs, fmt.Errorf("%s: it or %s changed meanwhile: it is not removed", r.File, r.Kept))
			continue
		}
		if err := os.Remove(filepath.FromSlash(r.path)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// replace writes the new content beside the file and renames it over it.
func replace(r Rewrite) error {
	name := filepath.FromSlash(r.path)
	if !bytes.Equal(read(name), r.before) {
		return errors.New("it changed meanwhile")
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	fresh, err := os.CreateTemp(filepath.Dir(name), ".agent-lessons-*")
	if err != nil {
		return err
	}
	_, err = fresh.Write(r.after)
	err = errors.Join(err, fresh.Chmod(info.Mode().Perm()), fresh.Close())
	if err == nil {
		err = os.Rename(fresh.Name(), name)
	}
	if err != nil {
		_ = os.Remove(fresh.Name())
	}
	return err
}
