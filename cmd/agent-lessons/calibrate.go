package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/calibrate"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type calibrateCmd struct {
	Labels string   `required:"" placeholder:"FILE" help:"Labelled pairs, as agent-lessons label writes them."`
	JSON   bool     `name:"json" help:"Print the calibration as JSON."`
	Files  []string `arg:"" optional:"" name:"file" help:"Lessons files whose sentences count; without any, every label does."`
}

// Run says which floor the labels bear out, for the default measure and for the plain rule.
func (c *calibrateCmd) Run(p *program) error {
	_, cfg, err := storeFlag{}.open(p)
	if err != nil {
		return err
	}
	labels, err := readLabels(c.Labels)
	if err != nil {
		return err
	}
	r := calibrate.Report{}
	if len(c.Files) > 0 {
		files, err := readLessons(p, c.Files)
		if err != nil {
			return err
		}
		var sentences []string
		for _, f := range files {
			sentences = append(sentences, calibrate.Active(f)...)
		}
		labels, r.Elsewhere = calibrate.In(labels, sentences)
	}
	r.Labels, r.Results = len(labels), calibrate.Measures(labels, cfg.Rule())
	if c.JSON {
		return p.printJSON(r)
	}
	_, err = fmt.Fprint(p.out, r.Text())
	return err
}

// readLabels reads a labels file.
func readLabels(name string) ([]calibrate.Label, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s: agent-lessons label writes one", name)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	labels, err := calibrate.ReadLabels(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return labels, nil
}

// readLessons reads lessons files by their plain paths; each must exist.
func readLessons(p *program, names []string) ([]*lesson.File, error) {
	var out []*lesson.File
	for _, name := range names {
		content, err := readPlain(p, name, store.MaxBytes)
		if err != nil {
			return nil, err
		}
		out = append(out, lesson.Parse(content))
	}
	return out, nil
}

// readPlain reads a file by its plain path, of less than limit bytes; it must exist.
func readPlain(p *program, name string, limit int64) ([]byte, error) {
	snapshot, err := store.Tree{Root: filepath.Dir(name), Path: filepath.Base(name), Limit: limit}.Read(p.ctx)
	if err == nil && !snapshot.Exists {
		err = errors.New("there is no such file")
	}
	if err != nil && !strings.Contains(err.Error(), name) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return snapshot.Content, err
}
