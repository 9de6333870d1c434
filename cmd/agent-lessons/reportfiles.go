package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/docsync"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
)

const (
	maxReportBytes = 64 << 20 // of a file that is measured: some 500,000 bullets
	maxReportFiles = 20_000   // Markdown files in a folder that are looked into
)

// lessonsFile is a lessons file that was found.
type lessonsFile struct {
	name    string
	root    string // of the checkout that it lies in
	lessons *lesson.File
}

// foundLessons are the lessons files by some paths, and what is none.
type foundLessons struct {
	files   []lessonsFile
	skipped []report.Skipped
	known   []fs.FileInfo // of the files, so that each counts once
}

// findLessons reads the files among the paths, and searches the folders among them for lessons files:
// the configured one of a checkout, and every Markdown file that holds a bullet with a trailer. A path
// that cannot be read is an error; what is left out of a folder is not.
func findLessons(p *program, paths []string) (*foundLessons, error) {
	found := &foundLessons{}
	for _, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			err = found.search(p, name)
		} else {
			err = found.add(p, name, info, func(*lesson.File, []byte) string { return "" })
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (f *foundLessons) skip(name, format string, args ...any) {
	f.skipped = append(f.skipped, report.Skipped{Name: filepath.ToSlash(name), Reason: fmt.Sprintf(format, args...)})
}

// add reads a file, unless it is known already or left out for a reason.
func (f *foundLessons) add(p *program, name string, info fs.FileInfo, leaveOut func(*lesson.File, []byte) string) error {
	if slices.ContainsFunc(f.known, func(k fs.FileInfo) bool { return os.SameFile(k, info) }) {
		return nil
	}
	content, err := readPlain(p, name, maxReportBytes)
	if err != nil {
		return err
	}
	if bytes.IndexByte(content, 0) >= 0 {
		return fmt.Errorf("%s: it is no text", name)
	}
	lessons := lesson.Parse(content)
	if reason := leaveOut(lessons, content); reason != "" {
		return leftOutError(reason)
	}
	root, err := checkoutOf(filepath.Dir(name))
	if err != nil {
		return err
	}
	f.known = append(f.known, info)
	f.files = append(f.files, lessonsFile{name, root, lessons})
	return nil
}

// leftOutError is why a file of a folder is no lessons file; "" where that needs no word.
type leftOutError string

// Error returns the reason.
func (e leftOutError) Error() string { return string(e) }

// noTrailer is why most Markdown files are left out; they are only counted.
const noTrailer = leftOutError("no bullet has a trailer")

// search adds the lessons files of a folder, and notes what it leaves out.
func (f *foundLessons) search(p *program, folder string) error {
	main := filepath.Join(folder, filepath.FromSlash(configOf(p, folder).Path))
	seen, plain := 0, 0
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case p.ctx.Err() != nil:
			return p.ctx.Err()
		case err != nil:
			f.skip(name, "%s", reasonOf(err))
			return nil
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") && name != folder:
			return fs.SkipDir
		case entry.IsDir() || !isMarkdownName(name):
			return nil
		case seen == maxReportFiles:
			f.skip(folder, "it holds more than %d Markdown files; name a smaller folder", maxReportFiles)
			return fs.SkipAll
		}
		seen++
		info, err := entry.Info()
		if err == nil {
			err = f.add(p, name, info, func(l *lesson.File, content []byte) string { return leftOut(l, content, name == main) })
		}
		var left leftOutError
		switch {
		case errors.As(err, &left) && left == noTrailer:
			plain++
		case err != nil:
			f.skip(name, "%s", strings.TrimPrefix(reasonOf(err), name+": "))
		}
		return nil
	})
	if plain > 0 {
		f.skip(folder, "%d Markdown files in which no bullet has a trailer", plain)
	}
	return err
}

// leftOut says why a Markdown file of a folder is no lessons file, "" where it is one.
func leftOut(l *lesson.File, content []byte, main bool) string {
	_, bounded := l.Counts()
	switch {
	case main:
		return ""
	case bytes.Contains(content, []byte(docsync.Begin)):
		return "it holds a copy of the window, between markers"
	case bounded == 0:
		return string(noTrailer)
	}
	return ""
}

// reasonOf leaves the path out of an error of the file system.
func reasonOf(err error) string {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

func isMarkdownName(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".md" || ext == ".markdown"
}
