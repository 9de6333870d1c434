package actions

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// Each ready workflow runs for real: act, in host mode, on a copy of this repository whose API is
// the stand-in's.
func TestWorkflowsUnderAct(t *testing.T) {
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "1" {
		t.Skip("act is built and run with AGENT_LESSONS_TEST_ALL=1 only: it takes a minute")
	}
	checkout := copyOfThisRepository(t)
	t.Run("the comment is created, then updated", func(t *testing.T) {
		a := newActStage(t, checkout, mayAll, bullets(lessonA+trailerA, lessonB+trailerB))
		pull := a.open("piet", map[string]string{"main.go": "package main\n"})
		a.act("metrics.yml", a.repo.PullEvent("opened", pull, ""), "piet")
		a.act("metrics.yml", a.repo.PullEvent("synchronize", pull, ""), "piet")
		before := a.repo.Comments(pull)
		a.repo.Put(config.DefaultStore, "# Lessons\n\n- "+lessonA+trailerA+"\n", "tidy")
		a.act("metrics.yml", a.repo.PullEvent("synchronize", pull, ""), "piet")
		after := a.repo.Comments(pull)
		if len(before) != 1 || len(after) != 1 || before[0].ID != after[0].ID || before[0].Body == after[0].Body {
			t.Errorf("comments\n%+v\nthen\n%+v", before, after)
		}
	})
	t.Run("a fork's token degrades, then the sweep catches up", func(t *testing.T) {
		a := newActStage(t, checkout, readWith, map[string]string{config.DefaultStore: "- " + old + "\n"})
		pull := a.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "stranger", Fork: "stranger/api", Files: code})
		log := a.act("no-server.yml", a.review(pull, "mara", lessonA), "stranger")
		if !strings.Contains(log, "The token of this run is read-only") || len(a.lessons()) != 1 {
			t.Errorf("lessons %q\n%s", a.lessons(), log)
		}
		a.github.AddToken(token, a.repo, mayAll)
		a.act("sweep.yml", schedule(), "piet")
		if got := a.lessons(); len(got) != 2 || !strings.Contains(got[0], "; expired ") || !strings.Contains(got[1], lessonA) {
			t.Errorf("lessons %q", got)
		}
	})
	t.Run("a review is learned, and taken back by the merge", func(t *testing.T) {
		a := newActStage(t, checkout, mayAll, nil)
		pull := a.open("piet", code)
		a.act("no-server.yml", a.review(pull, "mara", lessonA), "mara")
		a.repo.Merge(pull, "piet")
		a.act("no-server.yml", a.repo.PullEvent("closed", pull, ""), "piet")
		if got := a.lessons(); len(got) != 1 || !strings.Contains(got[0], "; overridden ") {
			t.Errorf("lessons %q", got)
		}
	})
	t.Run("a later step reads the outputs", func(t *testing.T) {
		a := newActStage(t, checkout, readWith, bullets(lessonC+trailerA))
		log := a.act("outputs.yml", a.repo.PullEvent("opened", a.open("piet", code), ""), "piet")
		for _, want := range []string{"active is 1, share is 0", "pitfall: ## Known pitfalls in this repo", "pitfall: - " + lessonC} {
			if !strings.Contains(log, want) {
				t.Errorf("the log does not say %q:\n%s", want, log)
			}
		}
	})
}

// actStage is a stage whose runner is act.
type actStage struct {
	*stage
	checkout string
}

// newActStage goes by the machine's clock, as the program in the workflow does.
func newActStage(t *testing.T, checkout string, permissions, files map[string]string) actStage {
	s := newStage(t, permissions, files)
	s.clock = time.Now()
	return actStage{s, checkout}
}

// act runs a workflow and returns its log. The workflow has to succeed.
func (a actStage) act(workflow string, event githubtest.Event, actor string) string {
	a.t.Helper()
	payload, err := json.Marshal(event.Payload)
	if err != nil {
		a.t.Fatal(err)
	}
	name := filepath.Join(a.t.TempDir(), "event.json")
	if err := os.WriteFile(name, payload, 0o600); err != nil {
		a.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	variable := "AGENT_LESSONS="
	if workflow == "no-server.yml" {
		variable += "no-server"
	}
	command := exec.CommandContext(ctx, filepath.Join(a.checkout, "scripts", "act"), event.Name,
		"--workflows", ".github/workflows/"+workflow, "--eventpath", name, "--actor", actor,
		"--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--var", variable,
		"--secret", "GITHUB_TOKEN="+token, "--env", "GITHUB_API_URL="+a.env["GITHUB_API_URL"])
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		if value := goEnv(a.t, name); value != "" {
			command.Args = append(command.Args, "--env", name+"="+value)
		}
	}
	command.Dir = a.checkout
	began := time.Now()
	log, err := command.CombinedOutput()
	a.t.Logf("%s on %s took %s", workflow, event.Name, time.Since(began).Round(time.Millisecond))
	if err != nil {
		a.t.Fatalf("%s: %v\n%s", workflow, err, log)
	}
	if strings.Contains(string(log), token) {
		a.t.Errorf("%s: the token is printed\n%s", workflow, log)
	}
	return string(log)
}

func goEnv(t testing.TB, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// copyOfThisRepository is a git repository of what is here, uncommitted files included, with
// acme/api as its origin: act takes GITHUB_REPOSITORY from there.
func copyOfThisRepository(t *testing.T) string {
	t.Helper()
	root, folder := filepath.Join("..", ".."), t.TempDir()
	git := func(dir string, args ...string) string {
		command := exec.Command("git", args...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for name := range strings.SplitSeq(git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		if name == "" {
			continue
		}
		if err := copyFile(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyFile("testdata/outputs.yml", filepath.Join(folder, ".github", "workflows", "outputs.yml")); err != nil {
		t.Fatal(err)
	}
	git(folder, "init", "--quiet", "--initial-branch", "main")
	git(folder, "remote", "add", "origin", "https://github.com/acme/api.git")
	git(folder, "add", "--all")
	git(folder, "-c", "user.name=piet", "-c", "user.email=piet@example.com", "commit", "--quiet", "--message", "copy")
	return folder
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if os.IsNotExist(err) {
		return nil // removed, and not committed yet
	}
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode().Perm())
}
