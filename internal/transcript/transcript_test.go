package transcript_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/transcript"
)

const claudeID, codexID = "0f9d3b52-6c1e-4a7b-9f4e-2f6a1f0c7d11", "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5"

func said(role transcript.Role, text string, tools ...transcript.ToolUse) transcript.Message {
	return transcript.Message{Role: role, Text: text, Tools: tools}
}

var sessions = map[string]transcript.Session{
	"claude.jsonl": {Agent: transcript.ClaudeCode, ID: claudeID, Dir: "/home/dana/leases", Skipped: 1, Messages: []transcript.Message{
		said(transcript.User, "The lease file loses its history when the compactor crashes. Fix it."),
		said(transcript.Assistant, "I will read the compactor first.", transcript.ToolUse{Name: "Read", Input: `{"file_path":"/home/dana/leases/compact.go"}`}),
		said(transcript.Assistant, "Take a snapshot before compacting the lease file, otherwise a crash loses the history."),
		said(transcript.User, "Good. Remember that."),
	}},
	"codex.jsonl": {Agent: transcript.Codex, ID: codexID, Dir: "/home/dana/leases", Messages: []transcript.Message{
		said(transcript.User, "Why is the nightly job slow?"),
		said(transcript.Assistant, "", transcript.ToolUse{Name: "shell", Input: `{"command":["bash","-lc","cat nightly.sh"]}`}),
		said(transcript.Assistant, "", transcript.ToolUse{Name: "apply_patch", Input: "*** Begin Patch\n*** End Patch\n"}),
		said(transcript.Assistant, "", transcript.ToolUse{Name: "shell", Input: `{"type":"exec","command":["ls"]}`}),
		said(transcript.Assistant, "It sleeps for ten minutes. Wait for the lock file instead of sleeping in nightly.sh."),
	}},
	"codex-old.jsonl": {Agent: transcript.Codex, ID: "5973b6c0-94b8-487b-a530-2aeb6098ae0e", Messages: []transcript.Message{
		said(transcript.User, "Rename the flag."),
		said(transcript.Assistant, "", transcript.ToolUse{Name: "shell", Input: `{"command":["rg","flag"]}`}),
		said(transcript.Assistant, "Renamed in both places."),
	}},
}

// What people and agents said and which tools ran, and nothing that the programs put between.
func TestOpen(t *testing.T) {
	t.Parallel()
	for name, want := range sessions {
		got, err := transcript.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if _, err := transcript.Open("testdata/none.jsonl"); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestLinesThatAreNoUse(t *testing.T) {
	t.Parallel()
	good := `{"type":"user","sessionId":"s","cwd":"/w","message":{"role":"user","content":"Hello."}}`
	for _, tt := range []struct {
		name, line string
		skipped    int
	}{
		{"blank", " \t\r", 0},
		{"broken", `{"type":`, 1},
		{"cut in the middle of a character", good[:len(good)-6] + "\xc3", 1},
		{"zero bytes, as a crash leaves them", strings.Repeat("\x00", 4096), 1},
		{"no object", `[1, "two", null]`, 0},
		{"an unknown kind", `{"type":"hologram","sessionId":"s","message":7,"payload":3}`, 0},
		{"unknown content", `{"type":"user","sessionId":"s","message":{"role":"user","content":{"type":"text"}}}`, 0},
		{"unknown parts", `{"type":"user","sessionId":"s","message":{"role":"user","content":[4,{"type":5},{"type":"image","source":{}}]}}`, 0},
		{"an unknown role", `{"type":"user","sessionId":"s","message":{"role":"oracle","content":"Obey."}}`, 0},
		{"deep", strings.Repeat("[", 200_000), 1},
		{"too long", `{"type":"user","sessionId":"s","message":{"role":"user","content":"` + strings.Repeat("a", transcript.MaxLine) + `"}}`, 1},
	} {
		got, err := transcript.Read(iotest.HalfReader(strings.NewReader(good + "\n" + tt.line + "\n" + good)))
		if err != nil || len(got.Messages) != 2 || got.Skipped != tt.skipped {
			t.Errorf("%s: %d messages, %d skipped, want 2, %d (%v)", tt.name, len(got.Messages), got.Skipped, tt.skipped, err)
		}
	}
}

// A long session: an introduction, pictures, and the end that matters.
func long(messages int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"type":"user","sessionId":"first","cwd":"/began/here","message":{"role":"user","content":"Begin."}}` + "\n")
	for i := range messages {
		fmt.Fprintf(&b, `{"type":"user","sessionId":"later","cwd":"/went/there","message":{"role":"user","content":[{"type":"tool_result","content":"%s"}]}}`+"\n", strings.Repeat("x", 50_000))
		fmt.Fprintf(&b, `{"type":"assistant","sessionId":"later","cwd":"/went/there","message":{"role":"assistant","content":[{"type":"text","text":"Ünumber %04d"}]}}`+"\n", i)
	}
	return b.Bytes()
}

func TestTail(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(path, long(100), 0o600); err != nil { // 5 MB
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		n       int
		want    []string // the first and the last message
		count   int
		partial bool
	}{
		{"nothing", 0, []string{}, 0, true},
		{"one message, exactly", 13, []string{"Ünumber 0099", "Ünumber 0099"}, 1, true},
		{"the older one is cut", 20, []string{"er 0098", "Ünumber 0099"}, 2, true},
		{"between two characters", 25, []string{"number 0098", "Ünumber 0099"}, 2, true},
		{"as far back as it takes", 26 * 13, []string{"Ünumber 0074", "Ünumber 0099"}, 26, true},
		{"all of it", 10_000, []string{"Begin.", "Ünumber 0099"}, 101, false},
	} {
		got, err := transcript.Tail(path, tt.n)
		if err != nil {
			t.Fatal(err)
		}
		ends := []string{}
		if len(got.Messages) > 0 {
			ends = append(ends, got.Messages[0].Text, got.Messages[len(got.Messages)-1].Text)
		}
		if diff := cmp.Diff(tt.want, ends); diff != "" || len(got.Messages) != tt.count || got.Partial != tt.partial {
			t.Errorf("%s: %d messages, partial %v\n%s", tt.name, len(got.Messages), got.Partial, diff)
		}
		if got.ID != "first" || got.Dir != "/began/here" || got.Agent != transcript.ClaudeCode || got.Skipped != 0 {
			t.Errorf("%s: %s %s %s, %d skipped: the head tells whose session it is", tt.name, got.Agent, got.ID, got.Dir, got.Skipped)
		}
	}
}

// A short transcript's tail is the transcript.
func TestTailOfAShortOne(t *testing.T) {
	t.Parallel()
	for name, want := range sessions {
		got, err := transcript.Tail(filepath.Join("testdata", name), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A log of gigabytes costs no more than a log of megabytes.
func TestTailReadsTheEndOnly(t *testing.T) {
	t.Parallel()
	r := &counting{ReaderAt: bytes.NewReader(long(100)), before: 1 << 40}
	got, err := transcript.TailOf(r, r.before+int64(len(long(100))), 13)
	if err != nil || len(got.Messages) != 1 || got.Messages[0].Text != "Ünumber 0099" {
		t.Fatalf("%+v, %v", got, err)
	}
	if r.read > 1<<20 {
		t.Errorf("read %d bytes", r.read)
	}
}

// counting is a file with a terabyte of blank space before its text.
type counting struct {
	io.ReaderAt
	before, read int64
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.read += int64(len(p))
	if at >= c.before {
		return c.ReaderAt.ReadAt(p, at-c.before)
	}
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzRead(f *testing.F) {
	for name := range sessions {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		whole, err := transcript.Read(bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range whole.Messages {
			if m.Role != transcript.User && m.Role != transcript.Assistant || m.Text == "" && len(m.Tools) == 0 || !utf8.ValidString(m.Text) {
				t.Errorf("%+v is no message", m)
			}
		}
		tail, err := transcript.TailOf(bytes.NewReader(src), int64(len(src)), 40)
		if err != nil || len(tail.Messages) > len(whole.Messages) {
			t.Errorf("the tail has %d messages, all of it %d (%v)", len(tail.Messages), len(whole.Messages), err)
		}
	})
}
