package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/docsync"
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
	cfg := configOf(p, root)
	if s.Store != "" {
		return store.Tree{Root: filepath.Dir(s.Store), Path: filepath.Base(s.Store)}, cfg, nil
	}
	documents := store.Documents{Paths: cfg.SyncDocs, Render: docsync.Renderer(cfg.Window)}
	return store.Tree{Root: root, Path: cfg.Path, Documents: documents}, cfg, nil
}

// configOf returns the configuration of a checkout; of one with a mistake, the defaults.
func configOf(p *program, root string) config.Config {
	cfg := config.Default()
	// The same care as for the lessons file: no link is followed, nothing but a short file is read.
	src, err := store.Tree{Root: root, Path: config.Path}.Read(p.ctx)
	if err == nil && src.Exists {
		cfg, err = config.Parse(config.Path, src.Content)
	}
	if err != nil {
		fmt.Fprintf(p.err, "agent-lessons: warning: %s; the defaults are in force\n", err)
	}
	return cfg
}

// read parses the lessons file and reports once what in it is not understood.
func (s storeFlag) read(p *program) (*lesson.File, config.Config, error) {
	tree, cfg, err := s.open(p)
	if err != nil {
		return nil, cfg, err
	}
	snapshot, err := tree.Read(p.ctx)
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
func checkout() (string, error) { return checkoutOf(".") }

// checkoutOf returns the nearest folder upward from a folder that holds .git, or the folder itself.
func checkoutOf(folder string) (string, error) {
	start, err := filepath.Abs(folder)
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

func (p *program) printJSON(v any) error { return encodeJSON(p.out, v) }

// encodeJSON writes JSON for people and programs. What a terminal would obey, or would not show, is
// escaped in it, which means the same.
func encodeJSON(out io.Writer, v any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(out, escapedJSON(text.String()))
	return err
}

func escapedJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
