package app

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

func signed(key string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func signedSHA1(body []byte) string {
	mac := hmac.New(sha1.New, []byte(secret))
	mac.Write(body)
	return "sha1=" + hex.EncodeToString(mac.Sum(nil))
}

// GitHub's own test vector (docs, validating webhook deliveries).
func TestSignatureVector(t *testing.T) {
	t.Parallel()
	if got := signed(secret, []byte("Hello, World!")); got != "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" {
		t.Errorf("got %s", got)
	}
}

// post sends a delivery as it is, and returns status and answer.
func (b *bench) post(method string, header map[string]string, body []byte) (int, string) {
	b.t.Helper()
	r, err := http.NewRequest(method, b.hook, bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for name, value := range header {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(answer)
}

func TestDeliveriesAtTheDoor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	review := b.review("piet", "mara", lessonA)
	body, err := json.Marshal(review.Payload)
	if err != nil {
		t.Fatal(err)
	}
	huge := append([]byte(`{"action":"submitted","x":"`), bytes.Repeat([]byte("x"), 26<<20)...)
	good := func() map[string]string {
		return map[string]string{
			"Content-Type": "application/json", "X-GitHub-Event": "pull_request_review",
			"X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958", "X-Hub-Signature-256": signed(secret, body),
		}
	}
	for name, c := range map[string]struct {
		method string
		change func(h map[string]string)
		body   []byte
		status int
		log    string // what the log line says, "" for no line
	}{
		"a wrong signature":          {change: func(h map[string]string) { h["X-Hub-Signature-256"] = signed("guess", body) }, status: 401, log: "matches none of the configured secrets"},
		"unsigned":                   {change: func(h map[string]string) { h["X-Hub-Signature-256"] = "" }, status: 401, log: "no SHA-256 signature"},
		"SHA-1 only":                 {change: func(h map[string]string) { h["X-Hub-Signature-256"] = ""; h["X-Hub-Signature"] = signedSHA1(body) }, status: 401, log: "no SHA-256 signature"},
		"a signature of other bytes": {change: func(h map[string]string) {}, body: append(bytes.Clone(body), ' '), status: 401, log: "matches none"},
		"a cut signature":            {change: func(h map[string]string) { h["X-Hub-Signature-256"] = h["X-Hub-Signature-256"][:40] }, status: 401, log: "no SHA-256 signature"},
		"no delivery id":             {change: func(h map[string]string) { h["X-GitHub-Delivery"] = "" }, status: 400, log: "X-GitHub-Delivery is missing"},
		"a delivery id without end":  {change: func(h map[string]string) { h["X-GitHub-Delivery"] = strings.Repeat("x", 5000) }, status: 400, log: "longer than GitHub's"},
		"no event":                   {change: func(h map[string]string) { h["X-GitHub-Event"] = "" }, status: 400, log: "X-GitHub-Event is missing"},
		"GET":                        {method: "GET", change: func(map[string]string) {}, status: 405, log: "sent with POST"},
		"a form":                     {change: func(h map[string]string) { h["Content-Type"] = "application/x-www-form-urlencoded" }, status: 415, log: "application/json"},
		"truncated JSON":             {change: func(h map[string]string) { h["X-Hub-Signature-256"] = signed(secret, body[:100]) }, body: body[:100], status: 400, log: "not the JSON"},
		"26 MiB":                     {change: func(h map[string]string) { h["X-Hub-Signature-256"] = signed(secret, huge) }, body: huge, status: 413, log: "larger than 25 MiB"},
		"an unknown event":           {change: func(h map[string]string) { h["X-GitHub-Event"] = "moon_landing" }, status: 202},
		"GitHub's ping":              {change: func(h map[string]string) { h["X-GitHub-Event"] = "ping" }, status: 200},
		"another action":             {change: func(h map[string]string) { h["X-Hub-Signature-256"] = signed(secret, []byte(`{"action":"edited"}`)) }, body: []byte(`{"action":"edited"}`), status: 202},
		"no user":                    {change: func(h map[string]string) { h["X-Hub-Signature-256"] = signed(secret, []byte(ghost)) }, body: []byte(ghost), status: 202},
	} {
		// One after another: each looks at the log that it adds.
		t.Run(name, func(t *testing.T) {
			method := c.method
			if method == "" {
				method = "POST"
			}
			sent := c.body
			if sent == nil {
				sent = body
			}
			header := good()
			c.change(header)
			before := b.log.String()
			status, answer := b.post(method, header, sent)
			if status != c.status {
				t.Errorf("answered %d %s, want %d", status, answer, c.status)
			}
			added := strings.TrimPrefix(b.log.String(), before)
			if (c.log == "") != (added == "") || !strings.Contains(added, c.log) {
				t.Errorf("logged %q, want %q", added, c.log)
			}
			if strings.Contains(added+answer, secret) {
				t.Error("the secret is out")
			}
		})
	}
	if commits := b.repo.Commits(config.DefaultStore); len(commits) != 0 {
		t.Errorf("%d commits", len(commits))
	}
	if asked := b.routes(); len(asked) != 0 {
		t.Errorf("GitHub was asked %v", asked)
	}
}

const ghost = `{"action":"submitted","review":{"id":1,"state":"changes_requested","user":null},"pull_request":{"number":1},"repository":{"id":1,"full_name":"a/b"},"installation":{"id":1}}`

func TestARotatedSecretStillVerifies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.github.SetHook(b.hook, oldSecret)
	if got := b.deliver(b.review("piet", "mara", lessonA)); got.Outcome.Result != "learned" {
		t.Errorf("outcome %+v", got.Outcome)
	}
}

func TestAnEmptySecretIsRefused(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][]string{nil, {""}, {"x", ""}} {
		if _, err := newVerifier(secrets, func(string) http.Handler { return nil }, nil); err == nil {
			t.Errorf("%q was accepted", secrets)
		}
	}
}

// All payloads that GitHub documents pass through without an error.
func TestGitHubsExamplePayloads(t *testing.T) {
	t.Parallel()
	examples := contract.Examples(t)
	b := newBench(t)
	for _, example := range examples {
		status, answer := b.post("POST", map[string]string{
			"Content-Type": "application/json", "X-GitHub-Event": example.Event,
			"X-GitHub-Delivery": "example", "X-Hub-Signature-256": signed(secret, example.Payload),
		}, example.Payload)
		if status != http.StatusAccepted && (example.Event != "ping" || status != http.StatusOK) {
			t.Errorf("%s %s: answered %d %s", example.Event, example.Action, status, answer)
		}
	}
	t.Logf("%d payloads", len(examples))
}
