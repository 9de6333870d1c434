package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/docsync"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type syncDocsCmd struct {
	storeFlag
	Add    bool     `help:"Put the markers at the end of a document that has none; a named document that does not exist is created."`
	Check  bool     `help:"Write nothing; print what would change, and fail if anything would. For CI."`
	DryRun bool     `help:"Write nothing; print what would change."`
	JSON   bool     `name:"json" help:"Print the outcome as JSON."`
	Files  []string `arg:"" optional:"" name:"file" help:"Documents; by default those of sync_docs in the configuration, else those of AGENTS.md, CLAUDE.md, .github/copilot-instructions.md and .cursor/rules/*.mdc that have the markers."`
}

// syncedDoc is what became of one document, as other programs read it.
type syncedDoc struct {
	Path   string `json:"path"`
	Status string `json:"status"` // in step | updated | out of date | skipped | failed
	Reason string `json:"reason,omitempty"`

	before, after []byte
}

// Run brings the documents of the working tree in step with the lessons file.
func (c *syncDocsCmd) Run(p *program) error {
	tree, cfg, err := c.open(p)
	if err != nil {
		return err
	}
	root, err := checkout()
	if err != nil {
		return err
	}
	paths, named := cfg.SyncDocs, true
	switch {
	case len(c.Files) > 0:
		if paths, err = inside(root, c.Files); err != nil {
			return err
		}
		for _, path := range paths {
			if err := cfg.CheckDocument(path); err != nil {
				return usageError{err}
			}
		}
	case len(paths) == 0:
		paths, named = known(root), false
	}
	render := docsync.Renderer(cfg.Window)
	docs := []syncedDoc{}
	for _, path := range paths {
		doc := syncedDoc{Path: path, Status: "in step"}
		err := c.sync(p, tree, store.Tree{Root: root, Path: path}, render, &doc)
		switch {
		case err == nil:
		case !named && (errors.Is(err, docsync.ErrNoMarkers) || errors.As(err, new(*store.RefusedError))):
			doc.Status, doc.Reason = "skipped", strings.TrimPrefix(err.Error(), path+": ")
		default:
			doc.Status, doc.Reason = "failed", strings.TrimPrefix(err.Error(), path+": ")
		}
		docs = append(docs, doc)
	}
	return c.report(p, docs)
}

// sync reads the document before the lessons, so that a write of both by another agent-lessons
// in between is noticed.
func (c *syncDocsCmd) sync(p *program, lessons, document store.Tree, render func(lessons, document []byte) ([]byte, error), doc *syncedDoc) error {
	was, err := document.Read(p.ctx)
	if err != nil {
		return err
	}
	before := was.Content
	switch {
	case c.Add:
		if before, err = docsync.Add(before); err != nil {
			return err
		}
	case !was.Exists:
		return errors.New("it does not exist; --add creates it")
	}
	source, err := lessons.Read(p.ctx)
	if err != nil {
		return err
	}
	after, err := render(source.Content, before)
	if err != nil {
		return err
	}
	if was.Exists && string(after) == string(was.Content) {
		return nil
	}
	doc.before, doc.after = was.Content, after
	if c.Check || c.DryRun {
		doc.Status = "out of date"
		return nil
	}
	if _, err = document.Write(p.ctx, was, after, ""); errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("it changed meanwhile, or is being written: run this again (%w)", err)
	}
	doc.Status = "updated"
	return err
}

func (c *syncDocsCmd) report(p *program, docs []syncedDoc) error {
	if c.JSON {
		if err := p.printJSON(docs); err != nil {
			return err
		}
	}
	count := map[string]int{}
	for _, doc := range docs {
		count[doc.Status]++
		if c.JSON {
			continue
		}
		if doc.Reason != "" {
			fmt.Fprintf(p.err, "agent-lessons: %s: %s: %s\n", doc.Path, doc.Status, doc.Reason)
			continue
		}
		fmt.Fprintf(p.out, "%s: %s\n", doc.Path, doc.Status)
		if doc.Status == "out of date" {
			if err := p.printDiff(doc.Path, doc.before, doc.after); err != nil {
				return err
			}
		}
	}
	kept := len(docs) - count["skipped"]
	switch {
	case kept == 0 && !c.Check:
		return errors.New("no document has the markers; name one with --add, e.g. agent-lessons sync-docs --add AGENTS.md")
	case count["failed"] > 0:
		return fmt.Errorf("%d of %d documents could not be brought in step", count["failed"], kept)
	case c.Check && count["out of date"] > 0:
		return fmt.Errorf("%d of %d documents are out of date: run agent-lessons sync-docs", count["out of date"], kept)
	}
	return nil
}

// inside returns the slash-separated paths in the checkout of files named on the command line.
func inside(root string, files []string) ([]string, error) {
	var out []string
	for _, name := range files {
		absolute, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, absolute)
		if err != nil || !filepath.IsLocal(relative) {
			return nil, usageError{fmt.Errorf("%s is outside of the checkout %s", name, root)}
		}
		if relative = filepath.ToSlash(relative); !slices.Contains(out, relative) {
			out = append(out, relative)
		}
	}
	return out, nil
}

// known returns the documents of the checkout that agents read by themselves.
func known(root string) []string {
	var out []string
	for _, pattern := range docsync.Known {
		found, _ := fs.Glob(os.DirFS(root), pattern) // errs for a bad pattern only
		out = append(out, found...)
	}
	return out
}
