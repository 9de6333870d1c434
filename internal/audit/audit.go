// Package audit looks for what goes wrong in folders of Markdown lessons: copies, near copies, broken
// front matter, keywords that many lessons claim, references that lead nowhere, and lessons that never
// match or nearly always do. Looking is pure; Load and Plan.Apply touch files.
package audit

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/agent-corp/agent-lessons/internal/gptme"
)

// Folder is a folder of lessons, as it was read.
type Folder struct {
	Name  string // for people, "docs/lessons"
	Root  string // its real path
	Files []File
	Notes []string
}

// File is a Markdown file. Paths have slashes.
type File struct {
	Name   string // for people: the folder's name and the path in it
	Path   string // absolute, the link's own where it is one
	Real   string // absolute, of what it leads to; "" where that is unknown
	Source []byte
	Lesson *gptme.Lesson // nil for a file that is no lesson, or a broken one
	Broken string        // why it cannot be read
	Other  bool          // it is no lesson (a README, say), but may refer to some
	Listed bool          // the folder's index.json names it
}

func (f File) link() bool { return f.Real != "" && f.Real != f.Path }

// Report is what was found, each list in the order of the folders.
type Report struct {
	Files      int         `json:"files"`
	Names      []NameGroup `json:"same_name"`
	Near       []NearPair  `json:"near_duplicates"`
	Broken     []Problem   `json:"front_matter"`
	Keywords   []Keyword   `json:"shared_keywords"`
	References []Reference `json:"dead_references"`
	Usage      *Usage      `json:"sessions,omitempty"`
	Notes      []string    `json:"notes"`
}

// NameGroup is the files of one base name; the first is the one that layers keep.
type NameGroup struct {
	Name   string `json:"name"`
	Kept   string `json:"kept"`
	Copies []Copy `json:"copies"`
}

// The kinds of copies.
const (
	Identical = "identical"
	Symlink   = "symlink"
	Modified  = "modified"
	Unread    = "unreadable"
)

// Copy is a file of a name that an earlier one has.
type Copy struct {
	File string `json:"file"`
	Kind string `json:"kind"`
	Diff string `json:"diff,omitempty"` // from the kept one, unified
}

// Problem is what is wrong with one file.
type Problem struct {
	File string `json:"file"`
	What string `json:"what"`
}

// Keyword is claimed by several lessons.
type Keyword struct {
	Keyword string   `json:"keyword"`
	Files   []string `json:"files"`
}

// Look examines the folders, which are in the order of their layers. exists says whether there is a file
// at an absolute path with slashes.
func Look(folders []Folder, exists func(file string) bool) Report {
	// Lists, not null, in JSON.
	r := Report{Names: []NameGroup{}, Near: []NearPair{}, Broken: []Problem{}, Keywords: []Keyword{}, References: []Reference{}, Notes: []string{}}
	var files []File
	for _, f := range folders {
		files = append(files, f.Files...)
		r.Notes = append(r.Notes, f.Notes...)
	}
	lessons := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Other })
	r.Files = len(lessons)
	groups := groupByName(lessons)
	for _, g := range groups {
		r.Names = append(r.Names, describe(g))
	}
	kept := unrepeated(lessons, groups)
	near, remark := nearPairs(kept)
	r.Near = append(r.Near, near...)
	if remark != "" {
		r.Notes = append(r.Notes, remark)
	}
	r.Broken = append(r.Broken, problems(lessons)...)
	r.Keywords = append(r.Keywords, sharedKeywords(kept)...)
	r.References = append(r.References, deadReferences(files, folders, exists)...)
	return r
}

// groupByName returns the groups of more than one file that share a base name. SKILL.md is every skill's.
func groupByName(files []File) [][]File {
	byName := map[string][]File{}
	var names []string
	for _, f := range files {
		name := path.Base(f.Path)
		if name == "SKILL.md" {
			continue
		}
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], f)
	}
	var out [][]File
	for _, name := range names {
		if len(byName[name]) > 1 {
			out = append(out, byName[name])
		}
	}
	return out
}

func describe(group []File) NameGroup {
	kept := group[0]
	g := NameGroup{Name: path.Base(kept.Path), Kept: kept.Name}
	for _, f := range group[1:] {
		c := Copy{File: f.Name, Kind: kindOf(kept, f)}
		if c.Kind == Modified {
			c.Diff = string(diff.Diff(kept.Name, kept.Source, f.Name, f.Source))
		}
		g.Copies = append(g.Copies, c)
	}
	return g
}

func kindOf(kept, copied File) string {
	switch {
	case copied.Real != "" && copied.Real == kept.Real:
		return Symlink
	case kept.Source == nil || copied.Source == nil:
		return Unread
	case bytes.Equal(kept.Source, copied.Source):
		return Identical
	default:
		return Modified
	}
}

// unrepeated returns the lessons that can be read, each once: without links to others and without all but
// the first of a name.
func unrepeated(files []File, groups [][]File) []File {
	later := map[string]bool{}
	for _, g := range groups {
		for _, f := range g[1:] {
			later[f.Path] = true
		}
	}
	seen := map[string]bool{}
	var out []File
	for _, f := range files {
		if f.Lesson == nil || later[f.Path] || seen[f.Real] {
			continue
		}
		seen[f.Real] = true
		out = append(out, f)
	}
	return out
}

// statuses are those that gptme's own validator knows.
var statuses = []string{"active", "automated", "deprecated", "archived", "draft"}

// problems returns what keeps lessons from being shown though nobody meant it.
func problems(files []File) []Problem {
	var out []Problem
	for _, f := range files {
		say := func(what string) { out = append(out, Problem{f.Name, what}) }
		if f.Broken != "" {
			say(f.Broken)
			continue
		}
		l := f.Lesson
		if !l.Cursor && !slices.Contains(statuses, l.Status) {
			say("its status \"" + l.Status + "\" is unknown: it counts as not active")
		}
		for _, pattern := range l.Patterns {
			if _, err := gptme.Compile(pattern); err != nil {
				say(err.Error())
			}
		}
		if len(l.Keywords)+len(l.Patterns)+len(l.Tools) == 0 && l.Name == "" && !l.AlwaysApply {
			say("nothing in its front matter can match: give it keywords")
		}
	}
	return out
}

// sharedKeywords returns the keywords that people gave to more than one lesson, the most claimed first.
// What gptme makes of the globs of Cursor's rules is left out.
func sharedKeywords(files []File) []Keyword {
	claimed := map[string][]string{}
	for _, f := range files {
		if f.Lesson.Cursor {
			continue
		}
		for _, k := range f.Lesson.Keywords {
			k = strings.ToLower(strings.TrimSpace(k))
			if !slices.Contains(claimed[k], f.Name) {
				claimed[k] = append(claimed[k], f.Name)
			}
		}
	}
	var out []Keyword
	for k, names := range claimed {
		if len(names) > 1 {
			out = append(out, Keyword{k, names})
		}
	}
	slices.SortFunc(out, func(a, b Keyword) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Keyword, b.Keyword))
	})
	return out
}
