package distill

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
)

// anthropicVersion is the version of the Messages API that is spoken.
const anthropicVersion = "2023-06-01"

// anthropic speaks the Messages API: POST /v1/messages, structured output by output_config.
// Sampling parameters and forced tools are left out, since newer models refuse them.
type anthropic struct{ caller }

// NewAnthropic returns a distiller that asks Anthropic's Messages API. fallback answers when the
// model does not. The error names a setting that is wrong.
func NewAnthropic(e Endpoint, fallback Distiller) (*Model, error) {
	if e.Key == "" {
		return nil, errors.New("anthropic needs a key")
	}
	header := http.Header{}
	header.Set("X-Api-Key", e.Key)
	header.Set("Anthropic-Version", anthropicVersion)
	c, err := newCaller("anthropic", e, "https://api.anthropic.com", "/v1/messages", header)
	if err != nil {
		return nil, err
	}
	return &Model{protocol: anthropic{c}, fallback: fallback, timeout: cmp.Or(e.Timeout, DefaultTimeout)}, nil
}

func (a anthropic) ask(ctx context.Context, q question) ([]byte, error) {
	body := map[string]any{
		"model":      a.model,
		"max_tokens": maxOutput,
		"system":     q.system,
		"messages":   []map[string]any{{"role": "user", "content": q.user}},
		"output_config": map[string]any{
			"format": map[string]any{"type": "json_schema", "schema": q.schema},
		},
	}
	var reply struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
	}
	if err := a.post(ctx, body, &reply); err != nil {
		return nil, err
	}
	switch reply.StopReason {
	case "end_turn", "stop_sequence":
	case "refusal":
		return nil, errors.New("the model refused")
	case "max_tokens", "model_context_window_exceeded":
		return nil, errors.New("the answer was cut off")
	default:
		return nil, errors.New("the model stopped for an unknown reason")
	}
	var text strings.Builder
	for _, part := range reply.Content {
		if part.Type == "text" {
			text.WriteString(part.Text)
		}
	}
	return []byte(text.String()), nil
}
