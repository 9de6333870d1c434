package contract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Example is a payload that GitHub once sent, as npm @octokit/webhooks-examples
// keeps it.
type Example struct {
	Event   string // "pull_request_review"
	Action  string // "submitted"; empty for events that have none
	Payload []byte
}

// Examples returns all example payloads. They are not kept in this repository:
// without `npm install` in its npm folder the test is skipped, or fails where
// AGENT_LESSONS_TEST_ALL is 1.
func Examples(t testing.TB) []Example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "npm/node_modules/@octokit/webhooks-examples/api.github.com/index.json"))
	if err != nil {
		why := "GitHub's example payloads are not installed (npm install --prefix npm): " + err.Error()
		if os.Getenv("AGENT_LESSONS_TEST_ALL") == "1" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	var events []struct {
		Name     string
		Examples []json.RawMessage
	}
	if err := json.Unmarshal(data, &events); err != nil {
		t.Fatal(err)
	}
	var out []Example
	for _, event := range events {
		for _, payload := range event.Examples {
			var head struct{ Action string }
			if err := json.Unmarshal(payload, &head); err != nil {
				t.Fatalf("%s: %v", event.Name, err)
			}
			out = append(out, Example{event.Name, head.Action, payload})
		}
	}
	return out
}

// moduleRoot is the folder of go.mod; tests run in that of their package.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("the test runs outside of the module")
		}
		dir = parent
	}
}
