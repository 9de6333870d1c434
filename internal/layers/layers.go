// Package layers reads the sources of lessons that a configuration lists: stores, folders of Markdown
// lessons, folders of findings. It decides nothing: package recall merges what it reads. Whatever cannot
// be read is said in the layer's notes and never an error, so that one bad source hides no other.
package layers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Reader reads layers.
type Reader struct {
	Root string // the checkout's folder, to which paths are relative
	Home string // what "~/" stands for
	// Owner fetches the store of the owner's .github repository.
	Owner interface {
		Fetch(ctx context.Context) (Fetched, error)
	}
	// Findings reads a folder of findings; nil where the program has no reader for them.
	Findings func(folder string) ([]recall.Entry, []string, error)
}

// Fetched is a lessons file from elsewhere.
type Fetched struct {
	Content []byte
	Place   string // "acme/.github"
	Note    string // what people should know of how it was come by, "" for nothing
}

// Read reads this repository's store and then the layers, in order.
func (r Reader) Read(ctx context.Context, own store.Tree, layers []config.Layer) ([]recall.Layer, error) {
	first, err := readStore(ctx, own)
	if err != nil { // the own store is not just another source
		return nil, err
	}
	out := []recall.Layer{first}
	for _, l := range layers {
		read, err := r.read(ctx, l)
		if err != nil {
			read.Notes = append(read.Notes, err.Error()+": it is left out")
		}
		read.Name = l.String()
		for i, note := range read.Notes {
			read.Notes[i] = "layer " + read.Name + ": " + note
		}
		out = append(out, read)
	}
	return out, nil
}

func (r Reader) read(ctx context.Context, l config.Layer) (recall.Layer, error) {
	switch {
	case l.Store != "":
		return r.store(ctx, l.Store, l.Store)
	case l.Owner == config.FetchOwner:
		return r.fetch(ctx)
	case l.Owner != "":
		return r.store(ctx, filepath.Join(l.Owner, filepath.FromSlash(config.DefaultStore)), l.Owner)
	case l.Lessons != "":
		return ReadFolder(r.Resolve(l.Lessons), l.Lessons)
	case r.Findings == nil:
		return recall.Layer{}, errors.New("this program does not read findings")
	default:
		entries, notes, err := r.Findings(r.Resolve(l.Findings))
		return recall.Layer{Place: l.Findings, Entries: entries, Notes: notes}, err
	}
}

// Resolve makes a configured path absolute.
func (r Reader) Resolve(path string) string {
	path = filepath.FromSlash(path)
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok && r.Home != "" {
		return filepath.Join(r.Home, rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.Root, path)
}

// store reads another lessons file. What the person who configured it links to is meant.
func (r Reader) store(ctx context.Context, path, place string) (recall.Layer, error) {
	file, err := filepath.EvalSymlinks(r.Resolve(path))
	if errors.Is(err, fs.ErrNotExist) {
		return recall.Layer{}, errors.New("it does not exist")
	}
	if err != nil {
		return recall.Layer{}, err
	}
	layer, err := readStore(ctx, store.Tree{Root: filepath.Dir(file), Path: filepath.Base(file)})
	layer.Place = place
	return layer, err
}

func (r Reader) fetch(ctx context.Context) (recall.Layer, error) {
	if r.Owner == nil {
		return recall.Layer{}, errors.New("this program does not fetch it")
	}
	fetched, err := r.Owner.Fetch(ctx)
	if err != nil {
		return recall.Layer{}, err
	}
	layer := recall.Layer{Place: fetched.Place, Entries: bullets(fetched.Content, "")}
	owner, repo, _ := strings.Cut(fetched.Place, "/")
	for _, e := range layer.Entries { // "PR #41" would be read as one of this repository
		if t := e.Bullet.Trailer; t != nil && !t.PR.IsZero() && t.PR.Owner == "" {
			t.PR.Owner, t.PR.Repo = owner, repo
		}
	}
	if fetched.Note != "" {
		layer.Notes = []string{fetched.Note}
	}
	return layer, nil
}

func readStore(ctx context.Context, tree store.Tree) (recall.Layer, error) {
	snapshot, err := tree.Read(ctx)
	if err != nil {
		return recall.Layer{}, err
	}
	path := filepath.Join(tree.Root, filepath.FromSlash(tree.Path))
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	layer := recall.Layer{Entries: bullets(snapshot.Content, path)}
	for _, e := range layer.Entries {
		if e.Bullet.Oddity != "" {
			layer.Notes = append(layer.Notes, fmt.Sprintf("%s:%d: %s", tree.Path, e.Bullet.Line, e.Bullet.Oddity))
		}
	}
	return layer, nil
}

func bullets(content []byte, real string) []recall.Entry {
	var out []recall.Entry
	for _, b := range lesson.Parse(content).Bullets() {
		out = append(out, recall.Entry{Bullet: b, Real: real})
	}
	return out
}
