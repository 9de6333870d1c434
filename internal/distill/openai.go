package distill

import (
	"cmp"
	"context"
	"errors"
	"net/http"
)

// openAI speaks the chat completions API, as local servers and gateways do, too:
// POST /chat/completions, structured output by response_format.
type openAI struct{ caller }

// NewOpenAI returns a distiller that asks an OpenAI-compatible API; a local server needs no key.
// fallback answers when the model does not. The error names a setting that is wrong.
func NewOpenAI(e Endpoint, fallback Distiller) (*Model, error) {
	if e.Key == "" && e.BaseURL == "" {
		return nil, errors.New("openai needs a key, or the base URL of a server that takes none")
	}
	header := http.Header{}
	if e.Key != "" {
		header.Set("Authorization", "Bearer "+e.Key)
	}
	c, err := newCaller("openai", e, "https://api.openai.com/v1", "/chat/completions", header)
	if err != nil {
		return nil, err
	}
	return &Model{protocol: openAI{c}, fallback: fallback, timeout: cmp.Or(e.Timeout, DefaultTimeout)}, nil
}

func (o openAI) ask(ctx context.Context, q question) ([]byte, error) {
	body := map[string]any{
		"model": o.model,
		"messages": []map[string]any{
			{"role": "system", "content": q.system},
			{"role": "user", "content": q.user},
		},
		"response_format": map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": q.title, "strict": true, "schema": q.schema},
		},
	}
	var reply struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
	}
	if err := o.post(ctx, body, &reply); err != nil {
		return nil, err
	}
	if len(reply.Choices) == 0 {
		return nil, errors.New("the answer is empty")
	}
	choice := reply.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.FinishReason == "content_filter":
		return nil, errors.New("the model refused")
	case choice.FinishReason == "length":
		return nil, errors.New("the answer was cut off")
	}
	return []byte(choice.Message.Content), nil
}
