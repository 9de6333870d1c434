package actions

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// runner is a machine without Go, on which curl answers with a file.
type runner struct {
	t        *testing.T
	root     string // of the action
	download string // what curl gives
	env      []string
}

// newRunner has only the named tools on its PATH, beside a curl of its own.
func newRunner(t *testing.T, checksums string) *runner {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash on this machine")
	}
	r := &runner{t: t, root: t.TempDir(), download: filepath.Join(t.TempDir(), "download")}
	bin := t.TempDir()
	for _, tool := range []string{"grep", "mkdir", "tar", "gzip", "sha256sum", "shasum", "perl", "dirname", "mv", "cp"} {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	curl := "#!" + bash + "\nwhile [ \"$1\" != --output ]; do shift; done\necho \"asked for $3\"\ncp '" + r.download + "' \"$2\"\n"
	script, err := os.ReadFile("../../action/run")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		filepath.Join(bin, "curl"): curl, filepath.Join(r.root, "action", "run"): string(script),
		filepath.Join(r.root, "action", "checksums.txt"): "# checksums\n" + checksums,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.env = []string{"PATH=" + bin, "RUNNER_OS=Linux", "RUNNER_ARCH=ARM64", "RUNNER_TEMP=" + t.TempDir(), "RUNNER_TOOL_CACHE=" + t.TempDir()}
	return r
}

func (r *runner) run(env ...string) (string, error) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		r.t.Fatal(err)
	}
	command := exec.Command(bash, filepath.Join(r.root, "action", "run"))
	command.Env = slices.Concat(r.env, env)
	out, err := command.CombinedOutput()
	return string(out), err
}

// archive is a release that says who it is.
func archive(t *testing.T) []byte {
	t.Helper()
	script := []byte("#!/bin/sh\necho \"released, asked to $1\"\n")
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	err := w.WriteHeader(&tar.Header{Name: "agent-lessons", Mode: 0o755, Size: int64(len(script))})
	if err == nil {
		_, err = w.Write(script)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = zip.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAReleasedProgramIsRunOnlyIfItIsTheOne(t *testing.T) {
	t.Parallel()
	release := archive(t)
	checksums := ""
	for _, target := range []string{"linux_amd64", "linux_arm64", "windows_arm64"} {
		checksums += fmt.Sprintf("%x  agent-lessons_1.2.3_%s.tar.gz\n", sha256.Sum256(release), target)
	}
	r := newRunner(t, checksums)

	if err := os.WriteFile(r.download, append(archive(t), "and more"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := r.run(); err == nil || !strings.Contains(out, "::error::agent-lessons: agent-lessons_1.2.3_linux_arm64.tar.gz is not the one") || strings.Contains(out, "asked to action") {
		t.Errorf("a forged archive: %v\n%s", err, out)
	}

	if err := os.WriteFile(r.download, release, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := r.run()
	const url = "https://github.com/agent-corp/agent-lessons/releases/download/v1.2.3/agent-lessons_1.2.3_linux_arm64.tar.gz"
	if err != nil || !strings.Contains(out, "asked for "+url) || !strings.Contains(out, "released, asked to action") {
		t.Errorf("the archive: %v\n%s", err, out)
	}

	if err := os.Remove(r.download); err != nil {
		t.Fatal(err)
	}
	if out, err := r.run(); err != nil || strings.Contains(out, "asked for") || !strings.Contains(out, "released, asked to action") {
		t.Errorf("the kept archive: %v\n%s", err, out)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Parallel()
	r := newRunner(t, "")
	for want, env := range map[string][]string{
		"names no released program for linux/arm64, and Go is not there to build it": nil,
		"no program for the operating system 'Plan9'":                                {"RUNNER_OS=Plan9"},
		"no program for the architecture 'X86'":                                      {"RUNNER_ARCH=X86"},
		"names no released program for windows/amd64":                                {"RUNNER_OS=Windows", "RUNNER_ARCH=X64"},
		"names no released program for darwin/arm64":                                 {"RUNNER_OS=macOS"},
	} {
		if out, err := r.run(env...); err == nil || !strings.Contains(out, "::error::agent-lessons: ") || !strings.Contains(out, want) {
			t.Errorf("%v: %v, want %q\n%s", env, err, want, out)
		}
	}
}
