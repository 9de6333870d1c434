package actions

import (
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
)

// models are those that the workflow's environment has keys for, under the names that the App
// knows them by.
type models struct{ anthropic, openAI distill.Endpoint }

func modelsOf(getenv func(string) string) models {
	var m models
	m.anthropic, m.openAI = distill.Endpoints(getenv)
	return m
}

// choose returns the distiller that the configuration asks for. Where its key is missing, as in
// runs for forks, the extractive one stands in and the error says why.
func (m models) choose(want config.Distiller) (distill.Distiller, error) {
	if want.Model != "" {
		m.anthropic.Model, m.openAI.Model = want.Model, want.Model
	}
	d, err := distill.Choose(distill.Kind(want.Kind), m.anthropic, m.openAI)
	if err != nil {
		return distill.NewExtractive(), err
	}
	return d, nil
}
