package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/doctor"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type doctorCmd struct {
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// Run looks at the checkout, and fails when something is broken.
func (c *doctorCmd) Run(p *program) error {
	facts, err := lookAtCheckout(p)
	if err != nil {
		return err
	}
	report := facts.Diagnose()
	if c.JSON {
		if err := p.printJSON(report); err != nil {
			return err
		}
	} else {
		report.Print(p.out)
	}
	if !report.Healthy {
		return errors.New("something is broken: see above")
	}
	return nil
}

// lookAtCheckout collects what there is to know; it judges nothing.
func lookAtCheckout(p *program) (doctor.Checkout, error) {
	root, err := checkout()
	if err != nil {
		return doctor.Checkout{}, err
	}
	read := func(path string) doctor.File {
		found, err := store.Tree{Root: root, Path: path}.Read(p.ctx)
		return doctor.File{Path: path, Content: found.Content, Exists: found.Exists, Err: err}
	}
	out := doctor.Checkout{Config: read(config.Path)}
	_, err = os.Stat(filepath.Join(root, ".git"))
	out.Git = err == nil
	out.Own = bytes.HasPrefix(read("action.yml").Content, []byte("name: agent-lessons\n"))
	if other := ".agent-corp/config.yaml"; read(other).Exists {
		out.Misnamed = other
	}
	cfg, _ := config.Parse(config.Path, out.Config.Content) // a mistake leaves the defaults, as everywhere
	out.Store = read(cfg.Path)
	out.Ignored = exec.CommandContext(p.ctx, "git", "-C", root, "check-ignore", "-q", "--", cfg.Path).Run() == nil
	for _, document := range cfg.SyncDocs {
		out.Documents = append(out.Documents, read(document))
	}
	for _, pattern := range []string{"*.yml", "*.yaml"} {
		found, _ := filepath.Glob(filepath.Join(root, ".github", "workflows", pattern)) // the patterns are well-formed
		for _, name := range found {
			out.Workflows = append(out.Workflows, read(path.Join(".github/workflows", filepath.Base(name))))
		}
	}
	out.Layers = lookAtLayers(p, root, cfg)
	_, err = exec.LookPath("agent-lessons")
	out.OnPath = err == nil
	return out, lookAtHooks(p, &out)
}

func lookAtLayers(p *program, root string, cfg config.Config) []doctor.Layer {
	if len(cfg.Layers) == 0 {
		return nil
	}
	read, err := p.layers(root).Read(p.ctx, store.Tree{Root: root, Path: cfg.Path}, cfg.Layers)
	if err != nil {
		return nil // of the own store, which is looked at by itself
	}
	var out []doctor.Layer
	for _, l := range slices.DeleteFunc(read, func(l recall.Layer) bool { return l.Name == "" }) {
		out = append(out, doctor.Layer{Name: l.Name, Lessons: len(l.Entries), Notes: l.Notes})
	}
	return out
}

func lookAtHooks(p *program, out *doctor.Checkout) error {
	for _, scope := range []string{"project", "user"} {
		for _, agent := range agents {
			files, _, err := settings(agent, scope)
			if err != nil {
				return err
			}
			for _, file := range files {
				row := status(p, agent, scope, file)
				out.Hooks = append(out.Hooks, doctor.Hooks{File: row.File, Installed: row.Before || row.After, Note: row.Note})
			}
		}
	}
	return nil
}
