package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
)

// model speaks as much of the chat completions protocol as distilling takes, and counts.
func model(t *testing.T, lesson string) (distill.Endpoint, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer, _ := json.Marshal(map[string]any{"lessons": []map[string]any{{"text": lesson, "finding": 0}}})
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []map[string]any{{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(answer)}}}})
	}))
	t.Cleanup(server.Close)
	return distill.Endpoint{BaseURL: server.URL, Key: "hush-hush", Model: "small"}, &asked
}

func TestWhoMaySpendTheModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		owners  []string
		budget  int
		config  string
		asked   int32
		warning string
	}{
		"the owner is named":                                     {owners: []string{"Acme"}, budget: 5, asked: 1},
		"everybody may":                                          {owners: []string{"*"}, budget: 5, asked: 1},
		"another owner is named":                                 {owners: []string{"other"}, budget: 5},
		"another owner, and it was wanted":                       {owners: []string{"other"}, budget: 5, config: "distiller:\n  kind: openai\n", warning: "not for acme"},
		"the budget is used up":                                  {owners: []string{"*"}, budget: 0, warning: "budget of 0 reviews for acme is used up"},
		"the repository wants none":                              {owners: []string{"*"}, budget: 5, config: "distiller:\n  kind: extractive\n"},
		"the repository wants one that the installation has not": {owners: []string{"*"}, budget: 5, config: "distiller:\n  kind: anthropic\n", warning: "anthropic needs a key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, asked := model(t, lessonA)
			b := newBenchWith(t, benchOptions{models: Models{OpenAI: endpoint, Owners: c.owners, Budget: c.budget}})
			if c.config != "" {
				b.repo.Put(config.Path, c.config, "configure")
			}
			got := b.deliver(b.review("piet", "mara", "", lessonA))
			if got.Outcome.Result != "learned" || asked.Load() != c.asked {
				t.Errorf("outcome %+v, the model was asked %d times\n%s", got.Outcome, asked.Load(), b.log)
			}
			if !strings.Contains(b.log.String(), c.warning) || strings.Contains(b.log.String(), "hush-hush") {
				t.Errorf("the log does not say %q, or says too much:\n%s", c.warning, b.log)
			}
		})
	}
}

// A retry of the commit distils nothing again.
func TestARetryAsksNoModelAgain(t *testing.T) {
	t.Parallel()
	endpoint, asked := model(t, lessonA)
	b := newBenchWith(t, benchOptions{models: Models{OpenAI: endpoint, Owners: []string{"*"}, Budget: 5}})
	b.github.Fail(faultOnce(putContents))
	if got := b.deliver(b.review("piet", "mara", "", lessonA)); got.Outcome.Result != "learned" || got.Attempts != 2 || asked.Load() != 1 {
		t.Errorf("outcome %+v, asked %d times", got, asked.Load())
	}
}

func TestModelsAreChecked(t *testing.T) {
	t.Parallel()
	key := distill.Endpoint{Key: "hush-hush", Model: "m"}
	for _, c := range []struct {
		models     Models
		auto, fail string
	}{
		{Models{}, "extractive", ""},
		{Models{Anthropic: key, Owners: []string{"*"}}, "m", ""},
		{Models{Anthropic: key}, "", "AGENT_LESSONS_MODEL_OWNERS"},
		{Models{OpenAI: distill.Endpoint{Key: "hush-hush"}, Owners: []string{"*"}}, "", "model"},
	} {
		auto, err := c.models.Check()
		if !strings.Contains(auto, c.auto) || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) || strings.Contains(fmt.Sprint(auto, err), "hush") {
			t.Errorf("%+v: %q, %v", c.models.Owners, auto, err)
		}
	}
}
