package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/audit"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

type layersCmd struct {
	Audit auditCmd `cmd:"" help:"Find copies, near copies, broken front matter, shared keywords and dead references in folders of Markdown lessons."`
}

type auditCmd struct {
	Dirs     []string `arg:"" optional:"" name:"dir" help:"Folders, the first wins; those of the configuration's layers otherwise."`
	Fix      bool     `help:"Show what removing identical copies, and rewriting what refers to them, would change."`
	Yes      bool     `help:"With --fix: change it."`
	Sessions string   `placeholder:"DIR" help:"Session transcripts of Claude Code and Codex: which lessons never match, and which nearly always."`
	JSON     bool     `name:"json" help:"Print what was found as JSON."`
}

// auditJSON is an audit as other programs read it.
type auditJSON struct {
	audit.Report
	Fix     *audit.Plan `json:"fix,omitempty"`
	Applied bool        `json:"applied,omitempty"`
}

// Run looks, and mends what it is asked to.
func (c *auditCmd) Run(p *program) error {
	if c.Yes && !c.Fix {
		return usageError{errors.New("layers audit: --yes goes with --fix")}
	}
	folders, err := c.folders(p)
	if err != nil {
		return err
	}
	out := auditJSON{Report: audit.Look(folders, audit.Exists)}
	if c.Sessions != "" {
		sessions, notes, err := audit.Sessions(c.Sessions)
		if err != nil {
			return fmt.Errorf("--sessions: %w", err)
		}
		usage := audit.Measure(folders, sessions)
		out.Usage, out.Notes = &usage, append(out.Notes, notes()...)
	}
	if c.Fix {
		plan := audit.PlanFix(folders)
		out.Fix = &plan
	}
	if c.Yes {
		if err := out.Fix.Apply(); err != nil {
			return err
		}
		out.Applied = true
	}
	if c.JSON {
		return p.printJSON(out)
	}
	p.remark(out.Notes, true)
	out.print(p.out)
	return nil
}

// folders reads the folders that were named, or those of the configuration.
func (c *auditCmd) folders(p *program) ([]audit.Folder, error) {
	named := map[string]string{} // what to read, by what people call it
	order := c.Dirs
	for _, dir := range c.Dirs {
		named[dir] = dir
	}
	if len(c.Dirs) == 0 {
		_, cfg, err := storeFlag{}.open(p)
		if err != nil {
			return nil, err
		}
		root, err := checkout()
		if err != nil {
			return nil, err
		}
		for _, l := range cfg.Layers {
			if l.Lessons != "" {
				named[l.Lessons] = p.layers(root).Resolve(l.Lessons)
				order = append(order, l.Lessons)
			}
		}
	}
	if len(order) == 0 {
		return nil, usageError{errors.New("layers audit: name a folder: the configuration lists no layer with lessons")}
	}
	var out []audit.Folder
	for _, name := range order {
		folder, err := audit.Load(named[name], filepath.ToSlash(filepath.Clean(name)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, folder)
	}
	return out, nil
}

// print writes the findings for people. What comes from files is shown without control characters.
func (a auditJSON) print(out io.Writer) {
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	section := func(title string, n int) {
		if n > 0 {
			say("\n%s (%d)", title, n)
		}
	}
	say("%d lessons", a.Files)
	section("Same name", len(a.Names))
	for _, g := range a.Names {
		say("  %s", guard.Visible(g.Kept))
		for _, c := range g.Copies {
			say("    %-10s %s", c.Kind, guard.Visible(c.File))
			printIndented(out, c.Diff)
		}
	}
	section("Near duplicates", len(a.Near))
	for _, n := range a.Near {
		say("  %s\n  %s\n    %s", guard.Visible(n.A), guard.Visible(n.B), guard.Visible(n.Why))
	}
	section("Front matter", len(a.Broken))
	for _, b := range a.Broken {
		say("  %s: %s", guard.Visible(b.File), guard.Visible(b.What))
	}
	section("Keywords of several lessons", len(a.Keywords))
	for _, k := range a.Keywords {
		say("  %s: %s", guard.Visible(k.Keyword), guard.Visible(strings.Join(k.Files, ", ")))
	}
	section("References to files that are not there", len(a.References))
	for _, r := range a.References {
		say("  %s:%d: %s", guard.Visible(r.File), r.Line, guard.Visible(r.Target))
	}
	if u := a.Usage; u != nil {
		say("\nSessions (%d)", u.Sessions)
	}
	if u := a.Usage; u != nil && u.Sessions == 0 {
		say("  no session could be read: nothing is said of silent lessons")
	} else if u != nil {
		say("  silent: %d of %d lessons, %.0f %%", len(u.Silent), u.Lessons, 100*u.SilentRate)
		for _, file := range u.Silent {
			say("    %s", guard.Visible(file))
		}
		for _, b := range u.Broad {
			say("  too broad: %s matches %.0f %% of the sessions", guard.Visible(b.File), 100*b.Share)
		}
	}
	if a.Fix != nil {
		a.printFix(out)
	}
}

func (a auditJSON) printFix(out io.Writer) {
	verb := "would remove"
	if a.Applied {
		verb = "removed"
	}
	fmt.Fprintln(out, "\nFix")
	for _, r := range a.Fix.Rewrites {
		printIndented(out, r.Diff)
	}
	for _, r := range a.Fix.Removals {
		fmt.Fprintf(out, "  %s %s, the same as %s\n", verb, guard.Visible(r.File), guard.Visible(r.Kept))
	}
	for _, s := range a.Fix.Spared {
		fmt.Fprintf(out, "  kept %s: %s\n", guard.Visible(s.File), guard.Visible(s.What))
	}
	switch {
	case len(a.Fix.Removals) == 0:
		fmt.Fprintln(out, "  nothing to remove")
	case !a.Applied:
		fmt.Fprintln(out, "  nothing was changed: add --yes to change it")
	}
}

// printIndented writes a diff below what it belongs to.
func printIndented(out io.Writer, diff string) {
	for line := range strings.Lines(spelledOut(diff)) {
		fmt.Fprintf(out, "      %s\n", strings.TrimRight(line, "\r\n"))
	}
}
