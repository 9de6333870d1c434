package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

// built is the folder of the program, for TestMain to remove.
var built string

// binary builds the program once for all tests that need the real one.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "agent-lessons-app-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "agent-lessons-app")
	built = folder
	out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// world is a stand-in GitHub for real processes.
type world struct {
	t      *testing.T
	github *githubtest.Server
	env    []string
	hook   string // where the program is to listen
	listen string
	data   string
}

const hookSecret = "shared"

func newWorld(t *testing.T) *world {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("signals of Unix are needed")
	}
	key, pem := githubtest.GenerateKey()
	w := &world{t: t, data: t.TempDir()}
	w.github = githubtest.New(githubtest.Options{BasePath: "/api/v3", AppID: 7, PublicKey: &key.PublicKey, RateLimit: 1 << 30})
	contract.Check(t, w.github)
	api := httptest.NewServer(w.github)
	t.Cleanup(api.Close)
	w.github.AddInstallation(1, "acme")
	w.listen = freeAddress(t)
	w.hook = "http://" + w.listen + "/api/github/hook"
	w.github.SetHook(w.hook, hookSecret)
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"GITHUB_APP_INTEGRATION_ID=7", "GITHUB_APP_PRIVATE_KEY=" + base64.StdEncoding.EncodeToString(pem),
		"GITHUB_APP_WEBHOOK_SECRET=" + hookSecret, "GITHUB_WEB_URL=" + api.URL,
		"AGENT_LESSONS_WRITE_GAP=0s", "AGENT_LESSONS_LISTEN=" + w.listen, "AGENT_LESSONS_DATA=" + w.data,
		"AGENT_LESSONS_SETUP_LISTEN=127.0.0.1:0",
	}
	return w
}

// process is a running program.
type process struct {
	*exec.Cmd
	out  *bytes.Buffer
	done chan error
}

// start runs the program and waits until its port is open.
func (w *world) start(args ...string) *process {
	w.t.Helper()
	p := w.run(args...)
	deadline := time.Now().Add(20 * time.Second)
	for {
		connection, err := net.Dial("tcp", w.listen)
		if err == nil {
			_ = connection.Close()
			return p
		}
		select {
		case err := <-p.done:
			w.t.Fatalf("the program ended: %v\n%s", err, p.out)
		case <-time.After(2 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			_ = p.Process.Kill()
			w.t.Fatalf("the port stays closed\n%s", p.out)
		}
	}
}

func (w *world) run(args ...string) *process {
	w.t.Helper()
	name, err := binary()
	if err != nil {
		w.t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(name, append([]string{"serve"}, args...)...), out: &bytes.Buffer{}, done: make(chan error, 1)}
	p.Env, p.Stdout, p.Stderr = w.env, p.out, p.out
	if err := p.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() { p.done <- p.Wait() }()
	w.t.Cleanup(func() { _ = p.Process.Kill() }) // it has ended, but for a test that failed
	return p
}

func TestServeStopsOnSIGTERM(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	repo := w.github.AddRepository(1, "acme/api", map[string]string{"README.md": "# api\n"})
	repo.SetPermission("mara", "write", "")
	held, release := make(chan struct{}), make(chan struct{})
	w.github.Fail(githubtest.Fault{Route: "PUT /repos/{owner}/{repo}/contents/{path}", Do: func(*http.Request) { close(held); <-release }})

	p := w.start()
	number := repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"main.go": "package main\n"}})
	review := repo.AddReview(number, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: "Take a snapshot before compacting the lease file, otherwise a crash loses the history."})
	if d, err := w.github.Deliver(context.Background(), repo.ReviewEvent("submitted", number, review, "")); err != nil || !d.OK() {
		t.Fatalf("%+v, %v", d, err)
	}
	<-held // the job is in the midst of its write
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for net := time.Now().Add(5 * time.Second); ; { // no more deliveries are taken
		if d, err := w.github.Deliver(context.Background(), w.github.PingEvent()); err != nil || !d.OK() {
			break
		}
		if time.Now().After(net) {
			t.Fatal("it still takes deliveries")
		}
	}
	close(release)
	if err := <-p.done; err != nil {
		t.Errorf("exit %v\n%s", err, p.out)
	}
	if commits := repo.Commits(".agent-corp/lessons.md"); len(commits) != 1 {
		t.Errorf("the running job did not finish: %d commits\n%s", len(commits), p.out)
	}
}

// A missing or wrong setting is named with what to do, and no port opens.
func TestServeNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, other := githubtest.GenerateKey()
	without := func(name string) []string {
		var out []string
		for _, variable := range w.env {
			if !strings.HasPrefix(variable, name) {
				out = append(out, variable)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		env  []string
		want []string
	}{
		"nothing at all":    {append(without("GITHUB_APP"), "AGENT_LESSONS_SETUP_LISTEN=none"), []string{"no GitHub App is configured", "github.com/settings/apps/new", "GITHUB_APP_PRIVATE_KEY_FILE", "demo"}},
		"no secret":         {without("GITHUB_APP_WEBHOOK_SECRET"), []string{"GITHUB_APP_WEBHOOK_SECRET is missing"}},
		"no key":            {without("GITHUB_APP_PRIVATE_KEY"), []string{"GITHUB_APP_PRIVATE_KEY is missing", "generate a private key"}},
		"no id":             {without("GITHUB_APP_INTEGRATION_ID"), []string{"GITHUB_APP_INTEGRATION_ID is missing"}},
		"another App's key": {append(without("GITHUB_APP_PRIVATE_KEY"), "GITHUB_APP_PRIVATE_KEY="+string(other)), []string{"GitHub refuses the App's key (401"}},
		"a bad database":    {append(w.env, "DATABASE_URL=postgres://u:hush@127.0.0.1:1/x"), []string{"DATABASE_URL"}},
	} {
		w.env = c.env
		w.data = t.TempDir()
		p := w.run()
		err := <-p.done
		if p.ProcessState.ExitCode() != exitFailed {
			t.Errorf("%s: exit %v", name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(p.out.String(), want) {
				t.Errorf("%s:\n%s\ndoes not say %q", name, p.out, want)
			}
		}
		if strings.Contains(p.out.String(), "hush") || strings.Contains(p.out.String(), "PRIVATE KEY-") || strings.Contains(p.out.String(), "listening") {
			t.Errorf("%s: a secret is out, or the port was open:\n%s", name, p.out)
		}
	}
}
