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

// model speaks as much of the chat completions protocol as distilling takes, and counts. It finds
// each text that it is sent to be a lesson, and any two lessons to be the same.
func model(t *testing.T) (distill.Endpoint, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var question struct{ Messages []struct{ Content string } }
		_ = json.NewDecoder(r.Body).Decode(&question)
		var sent struct {
			Findings []struct {
				Finding int    `json:"finding"`
				Text    string `json:"text"`
			} `json:"findings"`
		}
		_ = json.Unmarshal([]byte(question.Messages[len(question.Messages)-1].Content), &sent)
		answer, _ := json.Marshal(map[string]any{"lessons": sent.Findings})
		if sent.Findings == nil {
			answer = []byte(`{"same": true, "confident": true}`)
		}
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
		"the budget is used up":                                  {owners: []string{"*"}, budget: 0, warning: "budget of 0 uses of a model for acme is used up"},
		"the repository wants none":                              {owners: []string{"*"}, budget: 5, config: "distiller:\n  kind: extractive\n"},
		"the repository names a model of its own":                {owners: []string{"*"}, budget: 5, config: "distiller:\n  model: dearest\n", warning: "does not allow the model"},
		"the repository names the installation's model":          {owners: []string{"*"}, budget: 5, config: "distiller:\n  model: small\n", asked: 1},
		"the repository wants one that the installation has not": {owners: []string{"*"}, budget: 5, config: "distiller:\n  kind: anthropic\n", warning: "anthropic needs a key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, asked := model(t)
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
	endpoint, asked := model(t)
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
		{Models{OpenAI: distill.Endpoint{Key: "hush-hush\n", Model: "m"}, Owners: []string{"*"}}, "", "OPENAI_API_KEY holds white space"},
		{Models{Anthropic: key, OpenAI: distill.Endpoint{BaseURL: "not-a-url"}, Owners: []string{"*"}}, "", "OPENAI_BASE_URL"},
		{Models{Anthropic: key, Owners: []string{"*"}, Budget: -3}, "", "AGENT_LESSONS_MODEL_BUDGET"},
		{Models{OpenAI: distill.Endpoint{Key: "hush-hush"}, Owners: []string{"*"}}, "", "model"},
	} {
		auto, err := c.models.Check()
		if !strings.Contains(auto, c.auto) || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) || strings.Contains(fmt.Sprint(auto, err), "hush") {
			t.Errorf("%+v: %q, %v", c.models.Owners, auto, err)
		}
	}
}

// A second opinion is asked once for a pair, however often the commit is tried, and paid like a
// review.
func TestASecondOpinionIsBudgeted(t *testing.T) {
	t.Parallel()
	const near = "Give every outgoing call of ours the context that its caller has, so that abandoned work comes to an end as soon as nobody waits."
	for name, c := range map[string]struct {
		config  string
		budget  int
		asked   int32
		bullets int
		warning string
	}{
		"a yes collapses":        {config: "distiller:\n  judge: true\n", budget: 5, asked: 3, bullets: 1},
		"off by default":         {budget: 5, asked: 2, bullets: 2},
		"the budget is used up":  {config: "distiller:\n  judge: true\n", budget: 2, asked: 2, bullets: 2, warning: "no second opinion"},
		"not for the extractive": {config: "distiller:\n  judge: true\n  kind: extractive\n", budget: 5, bullets: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, asked := model(t)
			b := newBenchWith(t, benchOptions{models: Models{OpenAI: endpoint, Owners: []string{"*"}, Budget: c.budget}})
			if c.config != "" {
				b.repo.Put(config.Path, c.config, "configure")
			}
			b.deliver(b.review("piet", "mara", "", lessonA))
			b.github.Fail(faultOnce(putContents))
			b.deliver(b.review("piet", "mara", "", near))
			if got := b.lessons(); asked.Load() != c.asked || len(got) != c.bullets {
				t.Errorf("asked %d times, bullets %q\n%s", asked.Load(), got, b.log)
			}
			if !strings.Contains(b.log.String(), c.warning) {
				t.Errorf("the log does not say %q:\n%s", c.warning, b.log)
			}
		})
	}
}
