package main

import (
	"os"

	"github.com/agent-corp/agent-lessons/internal/actions"
)

type actionCmd struct{}

// Run is a step of a GitHub workflow. All that it is told comes by the environment, inputs as
// action.yml passes them on.
func (c *actionCmd) Run(p *program) error {
	return actions.Step{Getenv: os.Getenv, Out: p.out, Now: p.today}.Run(p.ctx)
}
