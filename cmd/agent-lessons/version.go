package main

import "github.com/agent-corp/agent-lessons/internal/version"

type versionCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Run says which build this is.
func (c *versionCmd) Run(p *program) error {
	if c.JSON {
		return p.printJSON(version.This())
	}
	version.This().Print(p.out, "agent-lessons")
	return nil
}
