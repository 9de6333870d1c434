package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/mcp"
)

// The server as an agent starts it: the program as a child, and the SDK's own client at the other
// end of its standard input and output.
func TestMCPOverStandardInputAndOutput(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("agent-lessons")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/keep", "")
	child := exec.Command(program, "mcp")
	child.Dir = dir
	var complaints strings.Builder
	child.Stderr = &complaints
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: child}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(tool string, args map[string]any) string {
		t.Helper()
		result, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		return result.Content[0].(*sdk.TextContent).Text
	}
	if text := call("recall", nil); text != "This repository has no lessons yet." {
		t.Errorf("without lessons: %q", text)
	}

	// What changes while the server runs is seen.
	const sentence = "Take a snapshot before compacting the lease file, otherwise a crash loses the history."
	write(".agent-corp/lessons.md", "- "+sentence+" (PR #41, 2026-11-02, changes-requested)\n")
	write(".agent-corp/config.yml", "windows: 3\n")
	if text := call("recall", map[string]any{"task": "compact the leases"}); !strings.Contains(text, "- "+sentence+" (PR #41, 2026-11-02, changes-requested)") {
		t.Errorf("with lessons: %q", text)
	}
	if _, err := exec.LookPath("git"); err == nil {
		for _, args := range [][]string{
			{"init", "--quiet"},
			{"add", ".agent-corp"},
			{"commit", "--quiet", "-m", "lessons: 1 appended (PR #41)\n\nLessons-Source: changes-requested PR #41 review 7\nLessons-Bullet: " + lesson.Handle(sentence) + " appended"},
		} {
			git := exec.Command("git", append([]string{"-c", "user.name=Mara", "-c", "user.email=mara@example.com"}, args...)...)
			git.Dir = dir
			if out, err := git.CombinedOutput(); err != nil {
				t.Fatalf("git: %v\n%s", err, out)
			}
		}
		if text := call("why", map[string]any{"handle": lesson.Handle(sentence)}); !strings.Contains(text, "appended by Mara (changes-requested PR #41 review 7, commit ") {
			t.Errorf("why: %q", text)
		}
	}
	read, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: mcp.StoreURI})
	if err != nil || !strings.Contains(read.Contents[0].Text, sentence) {
		t.Errorf("%+v, %v", read, err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("the program ended badly: %v\n%s", err, complaints.String())
	}
	if !strings.Contains(complaints.String(), "config.yml: line 1") {
		t.Errorf("a mistake in the configuration is not said: %q", complaints.String())
	}
}
