package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// storeFlag is shared by all commands that work on a lessons file.
type storeFlag struct {
	Store string `placeholder:"FILE" help:"Another lessons file than the checkout's."`
}

// open finds the checkout that holds the working folder, its configuration and its store.
func (s storeFlag) open(p *program) (store.Tree, config.Config, error) {
	root, err := checkout()
	if err != nil {
		return store.Tree{}, config.Config{}, err
	}
	cfg := config.Default()
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(config.Path)))
	switch {
	case err == nil:
		if cfg, err = config.Parse(config.Path, src); err != nil {
			fmt.Fprintf(p.err, "agent-lessons: warning: %s; the defaults are in force\n", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return store.Tree{}, cfg, err
	}
	if s.Store != "" {
		return store.Tree{Root: filepath.Dir(s.Store), Path: filepath.Base(s.Store)}, cfg, nil
	}
	return store.Tree{Root: root, Path: cfg.Path}, cfg, nil
}

// read parses the lessons file and reports once what in it is not understood.
func (s storeFlag) read(p *program) (*lesson.File, config.Config, error) {
	tree, cfg, err := s.open(p)
	if err != nil {
		return nil, cfg, err
	}
	snapshot, err := tree.Read(context.Background())
	if err != nil {
		return nil, cfg, err
	}
	file := lesson.Parse(snapshot.Content)
	for _, b := range file.Bullets() {
		if b.Oddity != "" {
			fmt.Fprintf(p.err, "agent-lessons: %s:%d: %s\n", tree.Path, b.Line, b.Oddity)
		}
	}
	return file, cfg, nil
}

// checkout returns the nearest folder upward that holds .git, or the working folder.
func checkout() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return start, nil
		}
		dir = parent
	}
}

func (p *program) printJSON(v any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
