package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/agent-corp/agent-lessons/internal/hooks"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type hooksCmd struct {
	Install   hooksInstallCmd   `cmd:"" help:"Put the hooks into the settings of agents."`
	Uninstall hooksUninstallCmd `cmd:"" help:"Take the hooks out of the settings of agents."`
	Status    hooksStatusCmd    `cmd:"" help:"Show which agents have the hooks."`
}

// hooksFlags are shared by the commands that edit.
type hooksFlags struct {
	Scope  string   `enum:"project,user" default:"project" help:"Whose settings: those of the checkout (project), or yours (user)."`
	DryRun bool     `help:"Show what would change, and write nothing."`
	JSON   bool     `name:"json" help:"Print the outcome as JSON."`
	Agents []string `arg:"" optional:"" name:"agent" enum:"claude-code,codex" help:"claude-code, codex; by default those that have a settings folder."`
}

type (
	hooksInstallCmd   struct{ hooksFlags }
	hooksUninstallCmd struct{ hooksFlags }
	hooksStatusCmd    struct {
		JSON bool `name:"json" help:"Print the status as JSON."`
	}
)

// agents are those with hooks of the kind that the product needs.
var agents = []string{"claude-code", "codex"}

// settingsFile is a file that an agent reads its hooks from.
type settingsFile struct {
	store.Tree
	format hooks.Format
	name   string // as a person knows it: from the checkout's top, or the whole path
}

// settings returns the files in which an agent looks for hooks, and the folder that tells that the
// agent is used at all.
func settings(agent, scope string) (files []settingsFile, folder string, err error) {
	root, err := checkout()
	if scope == "user" {
		root, err = os.UserHomeDir()
	}
	if err != nil {
		return nil, "", err
	}
	dir, home, names := ".claude", os.Getenv("CLAUDE_CONFIG_DIR"), []string{"settings.json"}
	if agent == "codex" {
		dir, home, names = ".codex", os.Getenv("CODEX_HOME"), []string{"hooks.json", "config.toml"}
	}
	if scope == "user" && home != "" {
		root, dir = home, "."
	}
	for _, name := range names {
		name = filepath.Join(dir, name)
		file := settingsFile{store.Tree{Root: root, Path: filepath.ToSlash(name)}, hooks.JSON, name}
		if filepath.Ext(name) == ".toml" {
			file.format = hooks.TOML
		}
		if scope == "user" { // one's own settings may live elsewhere, in a folder of dotfiles; a checkout's may not
			file.name = filepath.Join(root, name)
			if target, err := filepath.EvalSymlinks(file.name); err == nil {
				file.Tree = store.Tree{Root: filepath.Dir(target), Path: filepath.Base(target)}
			}
		}
		files = append(files, file)
	}
	return files, filepath.Join(root, dir), nil
}

// chosen returns the agents to work on.
func (c hooksFlags) chosen() ([]string, error) {
	if len(c.Agents) > 0 {
		return c.Agents, nil
	}
	var out []string
	for _, agent := range agents {
		_, folder, err := settings(agent, c.Scope)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			out = append(out, agent)
		}
	}
	if len(out) == 0 {
		return nil, usageError{fmt.Errorf("no agent has a settings folder here: name one of %v", agents)}
	}
	return out, nil
}

// hooksChange is what became of one settings file, as other programs read it.
type hooksChange struct {
	Agent   string `json:"agent"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Diff    string `json:"diff,omitempty"`

	installed bool // the file has hooks of the product now
}

// Run installs into one file of each agent.
func (c *hooksInstallCmd) Run(p *program) error {
	return c.edit(p, func(files []settingsFile) ([]settingsFile, error) {
		file, err := target(p, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; it stays as it is", file.name, err)
		}
		return []settingsFile{file}, nil
	}, hooks.Format.Install)
}

// Run takes the hooks out of every file.
func (c *hooksUninstallCmd) Run(p *program) error {
	all := func(files []settingsFile) ([]settingsFile, error) { return files, nil }
	return c.edit(p, all, hooks.Format.Uninstall)
}

// target chooses the file that has the hooks of the product already, else the one that has hooks,
// else the first: Codex warns where both of its files have some.
func target(p *program, files []settingsFile) (settingsFile, error) {
	chosen := files[0]
	for _, file := range files {
		was, err := file.Read(p.ctx)
		if err != nil {
			return file, err
		}
		installed, err := file.format.Installed(was.Content)
		if err != nil {
			return file, err
		}
		if len(installed) > 0 {
			return file, nil
		}
		if any, _ := file.format.HasAny(was.Content); any {
			chosen = file
		}
	}
	return chosen, nil
}

func (c hooksFlags) edit(p *program, of func([]settingsFile) ([]settingsFile, error), apply func(hooks.Format, []byte) ([]byte, error)) error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	changes := []hooksChange{}
	var failed error // one agent's broken file keeps no other from its hooks
	for _, agent := range chosen {
		all, _, err := settings(agent, c.Scope)
		if err != nil {
			return err
		}
		files, err := of(all)
		failed = errors.Join(failed, err)
		for _, file := range files {
			change, err := c.editOne(p, file, apply)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s: %w; it stays as it is", file.name, err))
				continue
			}
			change.Agent = agent
			changes = append(changes, change)
		}
	}
	if c.JSON {
		return errors.Join(p.printJSON(changes), failed)
	}
	for _, change := range changes {
		if !change.Changed {
			fmt.Fprintf(p.out, "%s: nothing to change\n", change.File)
			continue
		}
		failed = errors.Join(failed, p.print(change.Diff))
		if change.Agent == "codex" && change.installed && !c.DryRun {
			fmt.Fprintln(p.err, "agent-lessons: Codex runs a new or changed hook once you have trusted it: see /hooks there")
		}
	}
	return failed
}

func (c hooksFlags) editOne(p *program, file settingsFile, apply func(hooks.Format, []byte) ([]byte, error)) (hooksChange, error) {
	change := hooksChange{File: file.name}
	was, err := file.Read(p.ctx)
	if err != nil {
		return change, err
	}
	after, err := apply(file.format, was.Content)
	if err != nil {
		return change, err
	}
	if was.Exists && string(after) == string(was.Content) || !was.Exists && len(after) == 0 {
		return change, nil
	}
	installed, _ := file.format.Installed(after) // apply has read it just now
	change.Changed, change.installed, change.Diff = true, len(installed) > 0, string(diff.Diff(file.name, was.Content, file.name+" (after)", after))
	if c.DryRun {
		return change, nil
	}
	_, err = file.Write(p.ctx, was, after, "")
	return change, err
}
