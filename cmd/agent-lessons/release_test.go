package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// goreleaser is the part of its configuration that others go by.
type goreleaser struct {
	Builds []struct {
		ID, Main, Binary string
		Goos, Goarch     []string
		Flags, Ldflags   []string
		ModTimestamp     string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		IDs          []string
		Formats      []string
		NameTemplate string `yaml:"name_template"`
	}
}

func readGoreleaser(t *testing.T) goreleaser {
	t.Helper()
	src, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var g goreleaser
	if err := yaml.UnmarshalWithOptions(src, &g, yaml.AllowDuplicateMapKey()); err != nil { // one build overrides what it takes of the other
		t.Fatal(err)
	}
	return g
}

// stamped fills a template of goreleaser's as a release would.
func stamped(text string) string {
	return strings.NewReplacer("{{ .Tag }}", "v1.2.3", "{{ .Version }}", "1.2.3", "{{ .FullCommit }}", "c0ffee", "{{ .CommitDate }}", "2026-12-01T00:00:00Z").Replace(text)
}

// The names of the archives, scripts/pin and action/run go together: what a release pins is what the
// Action looks for, on each platform that action/run knows.
func TestReleasedNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts/pin is a shell script")
	}
	g := readGoreleaser(t)
	if len(g.Builds) != 2 || len(g.Archives) != 2 {
		t.Fatalf("%+v", g)
	}
	var sums strings.Builder
	for i, build := range g.Builds {
		archive := g.Archives[i]
		if strings.Join(archive.Formats, " ") != "tar.gz" || strings.Join(archive.IDs, " ") != build.ID {
			t.Errorf("%+v", archive)
		}
		for _, os := range build.Goos {
			for _, arch := range build.Goarch {
				name := strings.NewReplacer("{{ .Os }}", os, "{{ .Arch }}", arch).Replace(stamped(archive.NameTemplate))
				fmt.Fprintf(&sums, "%x  %s.tar.gz\n%064d  %s.tar.gz.sbom.json\n", sha256.Sum256([]byte(name)), name, 0, name)
			}
		}
	}
	folder := t.TempDir()
	for _, file := range []string{"scripts/pin", "action/checksums.txt"} {
		src, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), src, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	checksums := filepath.Join(folder, "sums")
	if err := os.WriteFile(checksums, []byte(sums.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	pin := func() string {
		if out, err := exec.Command(filepath.Join(folder, "scripts/pin"), checksums).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		pinned, err := os.ReadFile(filepath.Join(folder, "action/checksums.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(pinned)
	}
	pinned := pin()
	if again := pin(); again != pinned {
		t.Errorf("pinned again:\n%s", again)
	}
	run, err := os.ReadFile("../../action/run")
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`grep -E "(\^.*\$)"`).FindStringSubmatch(string(run))[1]
	pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, `\.`, `[.]`), "\\", "")
	for _, platform := range [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}} {
		line := regexp.MustCompile("(?m)" + strings.NewReplacer("${os}", platform[0], "${arch}", platform[1]).Replace(pattern))
		if found := line.FindAllString(pinned, -1); len(found) != 1 {
			t.Errorf("%v: the Action finds %q in\n%s", platform, found, pinned)
		}
	}
	if err := os.WriteFile(checksums, []byte("none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(filepath.Join(folder, "scripts/pin"), checksums).Run(); err == nil {
		t.Error("a release without archives was pinned")
	}
}

// Whoever builds the same commit gets the same bytes, in another folder and from nothing: a release can
// be checked by anyone.
func TestReproducible(t *testing.T) {
	if os.Getenv("AGENT_LESSONS_TEST_ALL") == "" {
		t.Skip("builds the program from nothing, which takes a minute: AGENT_LESSONS_TEST_ALL=1 does")
	}
	build := readGoreleaser(t).Builds[0]
	args := append([]string{"build"}, build.Flags...)
	args = append(args, "-ldflags", stamped(strings.Join(build.Ldflags, " ")))
	compile := func(source string, env ...string) []byte {
		program := filepath.Join(t.TempDir(), "agent-lessons")
		command := exec.Command("go", append(args, "-o", program, build.Main)...)
		command.Dir, command.Env = source, append(append(os.Environ(), "CGO_ENABLED=0"), env...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(program, "version").Output()
		if err != nil || !strings.HasPrefix(string(out), "agent-lessons v1.2.3\ncommit   c0ffee\ndate     2026-12-01T00:00:00Z\n") {
			t.Errorf("%v: %s", err, out)
		}
		content, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	elsewhere := t.TempDir()
	for _, part := range []string{"cmd/agent-lessons", "internal", "docs", ".github"} {
		if err := os.CopyFS(filepath.Join(elsewhere, part), os.DirFS("../../"+part)); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum", "workflows.go"} {
		src, err := os.ReadFile("../../" + file)
		if err == nil {
			err = os.WriteFile(filepath.Join(elsewhere, file), src, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(compile("../.."), compile(elsewhere, "GOCACHE="+t.TempDir())) {
		t.Error("the same source gives two programs")
	}
}
