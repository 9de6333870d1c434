package actions

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

const (
	token = "ghs_a-workflows-token-of-any-length.and_form"

	lessonA = "Always pass the request's context to `http.NewRequestWithContext` in outgoing calls, so that a cancelled request stops waiting for the upstream service."
	lessonB = "Outgoing calls must pass the request's context to `http.NewRequestWithContext`, so that a cancelled request stops waiting for the upstream service."
	lessonC = "Run `go generate ./...` after touching `api/schema.graphql`, or the client in the next release cannot read what the server answers."
)

var (
	today    = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	readWith = map[string]string{"contents": "read", "pull_requests": "read"}
	mayAll   = map[string]string{"contents": "write", "pull_requests": "write"}
)

// stage is a workflow's runner beside the stand-in GitHub.
type stage struct {
	t       testing.TB
	clock   time.Time
	github  *githubtest.Server
	repo    *githubtest.Repository
	env     map[string]string
	log     bytes.Buffer
	folder  string
	summary string
}

// newStage holds all that runner and stand-in say to each other against GitHub's descriptions.
func newStage(t testing.TB, permissions, files map[string]string) *stage {
	t.Helper()
	s := newUncheckedStage(t, permissions, files)
	contract.Check(t, s.github)
	return s
}

func newUncheckedStage(t testing.TB, permissions, files map[string]string) *stage {
	t.Helper()
	s := &stage{t: t, clock: today, folder: t.TempDir()}
	s.github = githubtest.New(githubtest.Options{BasePath: "/api/v3", Now: func() time.Time { return s.clock }})
	api := httptest.NewServer(s.github)
	t.Cleanup(api.Close)
	s.github.AddInstallation(1, "acme")
	all := map[string]string{"README.md": "# api\n"}
	maps.Copy(all, files)
	s.repo = s.github.AddRepository(1, "acme/api", all)
	s.repo.SetPermission("mara", "write", "maintain")
	s.repo.SetPermission("piet", "write", "")
	s.repo.SetPermission("sam", "read", "triage")
	s.github.AddToken(token, s.repo, permissions)
	s.env = map[string]string{
		"GITHUB_API_URL": api.URL + "/api/v3", "GITHUB_REPOSITORY": "acme/api", "INPUT_TOKEN": token,
		"GITHUB_OUTPUT": filepath.Join(s.folder, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(s.folder, "summary"),
		"GITHUB_EVENT_PATH": filepath.Join(s.folder, "event.json"),
	}
	return s
}

// run is one step. Inputs are given as name, value.
func (s *stage) run(event githubtest.Event, inputs ...string) error {
	s.t.Helper()
	env := maps.Clone(s.env)
	env["GITHUB_EVENT_NAME"] = event.Name
	for i := 0; i < len(inputs); i += 2 {
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(inputs[i], "-", "_"))] = inputs[i+1]
	}
	payload, err := json.Marshal(event.Payload)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(env["GITHUB_EVENT_PATH"], payload, 0o600); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		if err := os.WriteFile(env[name], nil, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	s.log.Reset()
	step := Step{Getenv: func(name string) string { return env[name] }, Out: &s.log, Now: s.clock}
	err = step.Run(context.Background())
	s.summary = s.read("GITHUB_STEP_SUMMARY")
	if strings.Contains(s.log.String()+s.summary, token) {
		s.t.Errorf("the token is printed:\n%s\n%s", s.log.String(), s.summary)
	}
	return err
}

func (s *stage) mustRun(event githubtest.Event, inputs ...string) {
	s.t.Helper()
	if err := s.run(event, inputs...); err != nil {
		s.t.Fatalf("%v\n%s", err, s.log.String())
	}
}

func (s *stage) read(name string) string {
	content, err := os.ReadFile(s.env[name])
	if err != nil {
		s.t.Fatal(err)
	}
	return string(content)
}

// outputs reads the outputs as the runner does.
func (s *stage) outputs() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(s.read("GITHUB_OUTPUT"), "\n"), "\n")
	for i := 0; i < len(lines) && lines[i] != ""; i++ {
		name, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok {
			s.t.Fatalf("line %d of the outputs: %q", i, lines[i])
		}
		var value []string
		for i++; lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

// open opens a pull request of files and returns its number.
func (s *stage) open(author string, files map[string]string) int {
	return s.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: author, Files: files})
}

// review has a reviewer request changes.
func (s *stage) review(pull int, reviewer, body string) githubtest.Event {
	id := s.repo.AddReview(pull, githubtest.Review{User: reviewer, State: "CHANGES_REQUESTED", Body: body, SubmittedAt: s.clock})
	return s.repo.ReviewEvent("submitted", pull, id, "")
}

func (s *stage) lessons() []string {
	content, _ := s.repo.File(config.DefaultStore)
	var out []string
	for line := range strings.Lines(content) {
		if strings.HasPrefix(line, "- ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func schedule() githubtest.Event {
	return githubtest.Event{Name: "schedule", Payload: map[string]any{}}
}

func bullets(lines ...string) map[string]string {
	return map[string]string{config.DefaultStore: "# Lessons\n\n- " + strings.Join(lines, "\n- ") + "\n"}
}
