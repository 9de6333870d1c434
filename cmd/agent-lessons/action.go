package main

import (
	"os"

	"github.com/agent-corp/agent-lessons/internal/actions"
	"github.com/agent-corp/agent-lessons/internal/distill"
)

type actionCmd struct{}

// Run is a step of a GitHub workflow. Its inputs are the environment's, as action.yml passes
// them on.
func (c *actionCmd) Run(p *program) error {
	return actions.Step{Getenv: os.Getenv, Out: p.out, Now: p.today, Distiller: distill.NewExtractive()}.Run(p.ctx)
}
