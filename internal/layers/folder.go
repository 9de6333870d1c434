package layers

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

// What one folder may hold, so that a home directory given by mistake costs a moment and not minutes.
const (
	MaxFiles  = 5_000    // Markdown files that are read
	maxSeen   = 100_000  // files and folders that are looked at
	maxVolume = 32 << 20 // bytes of Markdown
	maxIndex  = 1 << 20  // bytes of index.json
	maxNotes  = 20       // a folder's remarks; the rest are counted
)

// ReadFolder reads a folder of Markdown lessons in the order in which gptme lets them claim their place:
// the skills of its index.json, then .md, then .mdc, each by path. Links to files are followed as far as
// they lead to Markdown, links to folders are not, so that no loop can be walked. place names the folder
// for people.
func ReadFolder(folder, place string) (recall.Layer, error) {
	layer := recall.Layer{Place: place}
	root, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return layer, errors.New("it does not exist")
	}
	if err != nil {
		return layer, err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return layer, cmp.Or(err, errors.New("it is no folder"))
	}
	w := walk{root: root, folder: filepath.ToSlash(folder)}
	if why := gptme.Skips(w.folder + "/any.md"); why != "" {
		w.say(".", "its lessons are left aside, as gptme does: %s", why)
	}
	if err := filepath.WalkDir(root, w.visit); err != nil {
		return layer, err
	}
	slices.SortStableFunc(w.files, func(a, b file) int { return cmp.Compare(path.Ext(a.rel), path.Ext(b.rel)) })
	stubs := w.manifest()
	w.files = slices.DeleteFunc(w.files, func(f file) bool {
		return slices.ContainsFunc(stubs, func(e recall.Entry) bool { return e.File == f.rel })
	})
	layer.Entries = slices.Concat(stubs, readFiles(w.files))
	layer.Notes = w.notes
	if more := len(w.notes) - maxNotes; more > 0 {
		layer.Notes = slices.Concat(w.notes[:maxNotes], []string{fmt.Sprintf("%d further remarks", more)})
	}
	return layer, nil
}

// file is a Markdown file that was found.
type file struct {
	rel, real string
	size      int64
	why       string // why it is not read; it claims its name all the same
}

type walk struct {
	root, folder string
	files        []file
	notes        []string
	seen         int
	volume       int64
}

func (w *walk) say(rel, format string, args ...any) {
	w.notes = append(w.notes, rel+": "+fmt.Sprintf(format, args...))
}

// visit collects the Markdown files; walking is in the order of names.
func (w *walk) visit(name string, entry fs.DirEntry, err error) error {
	rel, relErr := filepath.Rel(w.root, name)
	if relErr != nil {
		return relErr
	}
	rel = filepath.ToSlash(rel)
	if err != nil {
		w.say(rel, "it cannot be read: %s", cause(err))
		return nil
	}
	if w.seen++; w.seen > maxSeen {
		w.say(".", "the folder holds more than %d files: the rest is left out", maxSeen)
		return fs.SkipAll
	}
	markdown := strings.HasSuffix(rel, ".md") || strings.HasSuffix(rel, ".mdc")
	switch {
	case entry.IsDir() && entry.Name() == ".git":
		return fs.SkipDir
	case entry.IsDir():
		return nil
	case !markdown && entry.Type()&fs.ModeSymlink == 0, gptme.Skips(w.folder+"/"+rel) != "":
		return nil
	case len(w.files) == MaxFiles:
		w.say(rel, "it and what follows is left out: more than %d Markdown files", MaxFiles)
		return fs.SkipAll
	}
	w.add(name, rel, entry, markdown)
	return nil
}

func (w *walk) add(name, rel string, entry fs.DirEntry, markdown bool) {
	f := file{rel: rel, real: name}
	if entry.Type()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(name)
		if err != nil {
			if markdown {
				w.files = append(w.files, file{rel: rel, why: "its link leads nowhere: " + cause(err)})
			}
			return
		}
		f.real = target
	}
	info, err := os.Stat(f.real)
	switch {
	case err != nil:
		f.why = "it cannot be read: " + cause(err)
	case info.IsDir():
		w.say(rel, "it is a link to a folder, which is not followed: list that folder as a layer")
		return
	case !markdown:
		return
	case !info.Mode().IsRegular():
		f.why = "it is no regular file"
	case !strings.HasSuffix(f.real, ".md") && !strings.HasSuffix(f.real, ".mdc"):
		f.why = "its link leads to something else than Markdown"
	case info.Size() >= gptme.MaxBytes:
		f.why = fmt.Sprintf("it is %d bytes or larger", gptme.MaxBytes)
	case w.volume+info.Size() > maxVolume:
		f.why = fmt.Sprintf("the folder's Markdown is larger than %d bytes together", maxVolume)
	default:
		f.size = info.Size()
		w.volume += f.size
	}
	w.files = append(w.files, f)
}

// manifest returns the skills of the folder's index.json.
func (w *walk) manifest() []recall.Entry {
	src, err := readSmall(filepath.Join(w.root, gptme.Manifest), 0, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		w.say(gptme.Manifest, "it cannot be read: %s", cause(err))
		return nil
	}
	stubs, err := gptme.ParseManifest(src)
	if err != nil {
		w.say(gptme.Manifest, "%s", err)
	}
	var out []recall.Entry
	for _, s := range stubs {
		real, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(s.Path)))
		if err != nil {
			w.say(gptme.Manifest, "it names %s, which is not there", s.Path)
			continue
		}
		out = append(out, recall.FileEntry(s.Path, real, s.Lesson, ""))
	}
	return out
}

// readFiles reads and parses the files with all processors, and keeps their order.
func readFiles(files []file) []recall.Entry {
	out := make([]recall.Entry, len(files))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wait.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(files); i = next.Add(1) - 1 {
				out[i] = readFile(files[i])
			}
		})
	}
	wait.Wait()
	return out
}

func readFile(f file) recall.Entry {
	if f.why != "" {
		return recall.FileEntry(f.rel, f.real, nil, f.why)
	}
	src, err := readSmall(f.real, f.size, gptme.MaxBytes)
	if err != nil {
		return recall.FileEntry(f.rel, f.real, nil, "it cannot be read: "+cause(err))
	}
	l, err := gptme.Parse(f.rel, src)
	if err != nil {
		return recall.FileEntry(f.rel, f.real, nil, err.Error())
	}
	return recall.FileEntry(f.rel, f.real, l, "")
}

// readSmall reads a file of which size is expected and limit read at most.
func readSmall(name string, size, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // one read, where a growing one needs many
	_, err = buffer.ReadFrom(io.LimitReader(f, limit))
	return buffer.Bytes(), err
}

// cause is an error without the absolute path that the os package puts into it.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
