//go:build linux

package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// buildah builds and runs images without a daemon, in a storage of its own.
type buildah struct {
	t      *testing.T
	folder string
}

// newBuildah skips where there is none that works: it needs a root of its own, real or by a user
// namespace of one, which not every sandbox allows.
func newBuildah(t *testing.T) buildah {
	t.Helper()
	b := buildah{t, t.TempDir()}
	reason := ""
	if _, err := exec.LookPath("buildah"); err != nil {
		reason = "buildah is not installed"
	} else if os.Geteuid() != 0 {
		reason = "buildah is tried as root only"
	} else if out, err := b.command("from", "--name", "probe", "scratch").CombinedOutput(); err != nil {
		reason = "buildah cannot work here: " + string(out)
	}
	if reason == "" {
		return b
	}
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" && os.Geteuid() == 0 {
		t.Fatal(reason)
	}
	t.Skip(reason)
	return b
}

func (b buildah) command(args ...string) *exec.Cmd {
	command := exec.Command("buildah", append([]string{"--root", b.folder + "/root", "--runroot", b.folder + "/run", "--storage-driver", "vfs"}, args...)...)
	command.Env = append(os.Environ(), "BUILDAH_ISOLATION=chroot")
	return command
}

func (b buildah) do(args ...string) string {
	b.t.Helper()
	var errs bytes.Buffer
	command := b.command(args...)
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		b.t.Fatalf("buildah %s: %v\n%s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// base makes a stand-in for the official image of Go out of this machine's shell, libraries and
// Go, so that the Dockerfile is built as it is and without a registry.
func (b buildah) base(name string) {
	b.t.Helper()
	stage := b.t.TempDir()
	copied := map[string]bool{}
	put := func(file string) {
		target := filepath.Join(stage, file)
		if copied[file] {
			return
		}
		copied[file] = true
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-L", file, target).CombinedOutput(); err != nil {
			b.t.Fatalf("%s", out)
		}
	}
	library := regexp.MustCompile(`(/\S+) \(0x`)
	for _, tool := range []string{"/bin/sh", "/bin/mkdir"} {
		put(tool)
		out, err := exec.Command("ldd", tool).Output()
		if err != nil {
			b.t.Fatal(err)
		}
		for _, m := range library.FindAllStringSubmatch(string(out), -1) {
			put(m[1])
		}
	}
	certificates := filepath.Join(stage, "etc/ssl/certs/ca-certificates.crt")
	for _, folder := range []string{filepath.Dir(certificates), filepath.Join(stage, "tmp")} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := os.WriteFile(certificates, []byte("none\n"), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.do("from", "--name", "base", "scratch")
	b.do("add", "base", stage, "/")
	b.do("add", "base", goroot(b.t), "/usr/local/go")
	b.do("config", "--env", "PATH=/usr/local/go/bin:/usr/bin:/bin", "--env", "GOPATH=/go", "--env", "GOTOOLCHAIN=local", "base")
	b.do("commit", "--quiet", "base", name)
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// The image is what docs/deploy.md says: one static program, not root, nothing to write but /data; and it
// does the App's work.
func TestContainer(t *testing.T) {
	b := newBuildah(t)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(file(t, "../../go.mod")))[1]
	b.base("docker.io/library/golang:" + version)
	began := time.Now()
	b.do("build", "--quiet", "--format", "docker", "--pull-never", "--tag", "app",
		"--volume", goEnv(t, "GOMODCACHE")+":/modules:ro", "--build-arg", "GOMODCACHE=/modules", "--build-arg", "GOPROXY=off",
		"--volume", goEnv(t, "GOCACHE")+":/built", "--build-arg", "GOCACHE=/built",
		"--build-arg", "VERSION=v1.2.3", "--build-arg", "COMMIT=c0ffee", "--build-arg", "DATE=2026-12-01T00:00:00Z", "../..")
	t.Logf("built in %s", time.Since(began).Round(time.Second))

	container := b.do("from", "--pull-never", "app")
	root := b.do("mount", container)
	checkImage(t, root, b.do("inspect", container))

	w := newWorld(t)
	repo := w.github.AddRepository(1, "acme/api", map[string]string{"README.md": "# api\n"})
	repo.SetPermission("mara", "write", "")
	run := []string{"run"}
	for _, variable := range w.env {
		if strings.HasPrefix(variable, "GITHUB_") || strings.HasPrefix(variable, "AGENT_LESSONS_LISTEN") || strings.HasPrefix(variable, "AGENT_LESSONS_WRITE") {
			run = append(run, "--env", variable)
		}
	}
	program := append(run, container, "--", "/agent-lessons-app")
	if out := b.do(append(program, "version")...); !strings.Contains(out, "agent-lessons-app v1.2.3\ncommit   c0ffee\n") {
		t.Errorf("version: %s", out)
	}
	serve := b.command(append(program, "serve")...)
	serve.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var log bytes.Buffer
	serve.Stdout, serve.Stderr = &log, &log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() error {
		_ = syscall.Kill(-serve.Process.Pid, syscall.SIGTERM)
		return serve.Wait()
	}
	t.Cleanup(func() { _ = stop() })
	until(t, &log, "it lives", func() bool { return b.command(append(program, "health")...).Run() == nil })
	number := repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"main.go": "package main\n"}})
	review := repo.AddReview(number, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: "Take a snapshot before compacting the lease file, otherwise a crash loses the history."})
	if d, err := w.github.Deliver(context.Background(), repo.ReviewEvent("submitted", number, review, "")); err != nil || !d.OK() {
		t.Fatalf("%+v, %v", d, err)
	}
	until(t, &log, "a lesson", func() bool { return len(repo.Commits(".agent-corp/lessons.md")) == 1 })
}

func until(t *testing.T, log *bytes.Buffer, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !happened(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: never\n%s", what, log)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func checkImage(t *testing.T, root, inspected string) {
	t.Helper()
	size := int64(0)
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			info, _ := entry.Info()
			size += info.Size()
			files = append(files, strings.TrimPrefix(path, root))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/agent-lessons-app", "/etc/ssl/certs/ca-certificates.crt"}, files); diff != "" {
		t.Errorf("files: %s", diff)
	}
	t.Logf("%.1f MB", float64(size)/1e6)
	if limit := int64(50 << 20); size > limit { // docs/deploy.md says so
		t.Errorf("the image has %d bytes", size)
	}
	program, err := elf.Open(filepath.Join(root, "agent-lessons-app"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if needed, _ := program.ImportedLibraries(); len(needed) > 0 || program.Section(".interp") != nil {
		t.Errorf("it is not static: %v", needed)
	}
	var image struct {
		Docker struct {
			Config struct {
				User        string
				Entrypoint  []string
				Cmd         []string
				Healthcheck struct{ Test []string }
				Labels      map[string]string
				Volumes     map[string]struct{}
			} `json:"config"`
		}
	}
	if err := json.Unmarshal([]byte(inspected), &image); err != nil {
		t.Fatal(err)
	}
	c := image.Docker.Config
	if c.User != "65532:65532" || strings.Join(append(c.Entrypoint, c.Cmd...), " ") != "/agent-lessons-app serve" ||
		strings.Join(c.Healthcheck.Test, " ") != "CMD /agent-lessons-app health" || c.Labels["org.opencontainers.image.version"] != "v1.2.3" {
		t.Errorf("%+v", c)
	}
	if info, err := os.Stat(filepath.Join(root, "data")); err != nil || info.Sys().(*syscall.Stat_t).Uid != 65532 {
		t.Errorf("/data is not the program's: %v", err)
	}
}

// goroot is where the Go that runs the tests lives.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
