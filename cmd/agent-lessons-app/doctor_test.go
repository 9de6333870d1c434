package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// once runs a command of the program to its end.
func (w *world) once(args ...string) (out string, code int) {
	w.t.Helper()
	name, err := binary()
	if err != nil {
		w.t.Fatal(err)
	}
	command := exec.Command(name, args...)
	command.Env = w.env
	text, _ := command.CombinedOutput()
	return string(text), command.ProcessState.ExitCode()
}

func expect(t *testing.T, name, out string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("%s lacks %q:\n%s", name, w, out)
		}
	}
}

// The doctor sees what an operator would have to look up in five places, beside a server that runs.
func TestDoctor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	repo := w.github.AddRepository(1, "acme/api", map[string]string{"README.md": "# api\n", ".agent-corp/config.yml": "cap: 0\n"})
	var asked []string
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
	}))
	t.Cleanup(model.Close)
	w.env = append(w.env, "OPENAI_BASE_URL="+model.URL+"/v1", "OPENAI_API_KEY=sk-hush", "AGENT_LESSONS_OPENAI_MODEL=small", "AGENT_LESSONS_MODEL_OWNERS=*")

	out, code := w.once("doctor")
	if code != exitDone {
		t.Errorf("before the first start: exit %d", code)
	}
	expect(t, "before the first start", out, "none yet: the first start makes it", "GitHub remembers none", "auto means openai small, which is reached (200)")
	if len(asked) != 1 || asked[0] != "GET /v1/models Bearer sk-hush" {
		t.Errorf("the model was asked %q", asked)
	}

	p := w.start()
	defer func() { _ = p.Process.Kill(); <-p.done }()
	if out, code := w.once("health"); code != exitDone {
		t.Errorf("health: exit %d: %s", code, out)
	}
	if d, err := w.github.Deliver(context.Background(), w.github.PingEvent()); err != nil || !d.OK() {
		t.Fatalf("%+v, %v", d, err)
	}
	repo.SetRules("main", githubtest.Rule{Type: "pull_request"}, githubtest.Rule{Type: "code_scanning"})
	out, code = w.once("doctor", "--repository", "acme/api")
	if code != exitFailed {
		t.Errorf("a mistake in the configuration: exit %d", code)
	}
	expect(t, "beside a server", out, "ok       deliveries: the newest (ping", "agent-lessons.db: sound; 0 due",
		"broken   acme/api: acme/api/.agent-corp/config.yml: line 1: cap: 0 is less than 1", "warning  acme/api: rules of main forbid direct commits (pull_request)")

	w.github.SetHook(w.hook, "another secret")
	if _, err := w.github.Deliver(context.Background(), w.github.PingEvent()); err != nil {
		t.Fatal(err)
	}
	w.github.SetPermissions(1, map[string]string{"metadata": "read", "contents": "read"})
	out, code = w.once("doctor", "--json")
	if code != exitFailed {
		t.Errorf("another secret: exit %d", code)
	}
	expect(t, "another secret", out, `"check": "secret"`, `"healthy": false`, "acme has not granted Contents: write")
	for _, secret := range []string{hookSecret, "sk-hush", "PRIVATE KEY-"} {
		if strings.Contains(out, secret+"\"") || strings.Contains(out, secret+" ") {
			t.Errorf("%q is out:\n%s", secret, out)
		}
	}

	w.github.Suspend(1)
	out, _ = w.once("doctor", "--repository", "acme/none")
	expect(t, "suspended", out, "acme is suspended", "broken   acme/none: the App is not installed there: GitHub answers 404")
}

func TestDoctorOfADamagedDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.WriteFile(filepath.Join(w.data, "agent-lessons.db"), []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := w.once("doctor")
	if code != exitFailed {
		t.Errorf("exit %d", code)
	}
	expect(t, "a damaged database", out, "broken   database:", "it is damaged or none")
	if out, code := w.once("health"); code != exitFailed {
		t.Errorf("health without a server: exit %d: %s", code, out)
	}
}
