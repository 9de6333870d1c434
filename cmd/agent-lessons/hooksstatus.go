package main

import (
	"fmt"
	"os/exec"
	"slices"
	"text/tabwriter"

	"github.com/agent-corp/agent-lessons/internal/hooks"
)

// hooksStatus is the state of one settings file, as other programs read it.
type hooksStatus struct {
	Agent  string `json:"agent"`
	Scope  string `json:"scope"`
	File   string `json:"file"`
	Before bool   `json:"before"`
	After  bool   `json:"after"`
	Note   string `json:"note,omitempty"` // why the file cannot be read, or its hooks do not run
}

// Run shows the files of all agents, in both scopes.
func (c *hooksStatusCmd) Run(p *program) error {
	rows := []hooksStatus{}
	for _, scope := range []string{"project", "user"} {
		for _, agent := range agents {
			files, _, err := settings(agent, scope)
			if err != nil {
				return err
			}
			for _, file := range files {
				rows = append(rows, status(p, agent, scope, file))
			}
		}
	}
	if c.JSON {
		return p.printJSON(rows)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "AGENT\tSCOPE\tBEFORE\tAFTER\tFILE")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.Agent, r.Scope, yes(r.Before), yes(r.After), r.File)
		if r.Note != "" {
			fmt.Fprintf(p.err, "agent-lessons: %s: %s\n", r.File, r.Note)
		}
	}
	if _, err := exec.LookPath("agent-lessons"); err != nil {
		fmt.Fprintln(p.err, "agent-lessons: agent-lessons is not on the PATH: agents will not find it")
	}
	return table.Flush()
}

func status(p *program, agent, scope string, file settingsFile) hooksStatus {
	row := hooksStatus{Agent: agent, Scope: scope, File: file.name}
	was, err := file.Read(p.ctx)
	if err == nil {
		var installed []hooks.Hook
		installed, err = file.format.Installed(was.Content)
		row.Before, row.After = slices.Contains(installed, hooks.All[0]), slices.Contains(installed, hooks.All[1])
	}
	if err != nil {
		row.Note = err.Error()
		return row
	}
	if off := file.format.Off(was.Content); off != "" {
		row.Note = "all hooks are switched off: " + off
	}
	return row
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}
