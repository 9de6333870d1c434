//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

const uncertainPairs = `# Lessons

- Take a snapshot before compacting the lease file, otherwise a crash loses the history. (PR #1, 2026-01-01, ci-fix)
- Snapshot the lease file before it is compacted and a crash in between loses its rather large state file of entries. (PR #2, 2026-01-01, ci-fix)
- Snapshot the lease file at midnight, and keep the newest seven in the backup folder. (PR #3, 2026-01-01, ci-fix)
`

// TestLabelOnATerminal types into the program: each answer is a single key, and is on disk before the
// next question.
func TestLabelOnATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string // what is typed at each question
		want []string // the labels in the file
	}{
		"single keys":                      {[]string{"d", "o", "s"}, []string{"duplicate", "opposite", "skip"}},
		"undo goes back":                   {[]string{"d", "u", "n", "q"}, []string{"duplicate", "undone", "distinct"}},
		"typed ahead":                      {[]string{"dns"}, []string{"duplicate", "distinct", "skip"}},
		"Ctrl-C keeps what is answered":    {[]string{"d", "\x03"}, []string{"duplicate"}},
		"Ctrl-D too":                       {[]string{"d", "\x04"}, []string{"duplicate"}},
		"arrows and capitals mean nothing": {[]string{"D", "\x1b[D\x1b[dn", "q"}, []string{"distinct"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "lessons.md"), []byte(uncertainPairs), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("agent-lessons", "label", "lessons.md")
			cmd.Dir = dir
			terminal, err := pty.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close()
			defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
			screen := &screen{t: t, from: terminal}
			for _, keys := range c.keys {
				screen.await("u undo")
				if _, err := terminal.WriteString(keys); err != nil {
					t.Fatal(err)
				}
			}
			screen.await(" left: labels.jsonl")
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			written, err := os.ReadFile(filepath.Join(dir, "labels.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(string(written)) {
				_, label, _ := strings.Cut(line, `"label":"`)
				label, _, _ = strings.Cut(label, `"`)
				got = append(got, label)
			}
			if strings.Join(got, " ") != strings.Join(c.want, " ") {
				t.Errorf("labels %v, want %v", got, c.want)
			}
			if strings.Contains(screen.all, "\x1b") {
				t.Errorf("an escape was printed: %q", screen.all)
			}
		})
	}
}

// A writer that was stopped leaves half a line, or a line without its end: the next label begins a line
// of its own all the same.
func TestOpenLabels(t *testing.T) {
	t.Parallel()
	const whole = `{"a":"x","b":"y","label":"skip"}`
	for content, want := range map[string]string{
		"": "", whole + "\n": whole + "\n", whole: whole + "\n", whole + "\n" + whole[:9]: whole + "\n",
	} {
		name := filepath.Join(t.TempDir(), "labels.jsonl")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		file, _, err := openLabels(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%q became %q, want %q (%v)", content, got, want, err)
		}
	}
}

// screen reads what a program shows.
type screen struct {
	t    *testing.T
	from *os.File
	all  string
	seen int
}

// await reads on until text appears behind what was awaited before.
func (s *screen) await(text string) {
	s.t.Helper()
	buffer := make([]byte, 4096)
	for !strings.Contains(s.all[s.seen:], text) {
		n, err := s.from.Read(buffer)
		s.all += string(buffer[:n])
		if err != nil && !strings.Contains(s.all[s.seen:], text) {
			s.t.Fatalf("%q did not appear: %v\n%s", text, err, s.all)
		}
	}
	s.seen += strings.Index(s.all[s.seen:], text) + len(text)
}
