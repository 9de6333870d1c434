package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

const store = "- Take a snapshot before compacting the lease file, otherwise a crash loses the history. (PR #57, 2026-11-16, changes-requested, earned 2x)\n" +
	"- Wait for every CI job to conclude before approving. (PR #52, 2026-11-20, changes-requested; overridden 2026-11-21)\n" +
	"- Mind the gap.\x1b[31m\n"

var handles = func() (out []string) {
	for _, b := range lesson.Parse([]byte(store)).Bullets() {
		out = append(out, b.Handle())
	}
	return out
}()

// shelf is a repository in memory.
type shelf struct {
	content string
	commits []ledger.Commit
	broken  error
}

func (s *shelf) Recall(_ context.Context, task recall.Task, limit int) (*recall.Window, error) {
	var layer recall.Layer
	for _, b := range lesson.Parse([]byte(s.content)).Bullets() {
		layer.Entries = append(layer.Entries, recall.Entry{Bullet: b})
	}
	if limit == 0 {
		limit = 20
	}
	judge := func(sentence string, _ bool) guard.Result { return guard.Result{Sentence: sentence} }
	return recall.Choose([]recall.Layer{layer}, recall.Options{Task: task, Size: limit, Rule: similarity.DefaultRule(), Judge: judge}), s.broken
}

func (s *shelf) Lessons(context.Context) ([]byte, error)          { return []byte(s.content), s.broken }
func (s *shelf) Commits(context.Context) ([]ledger.Commit, error) { return s.commits, s.broken }

// talk connects the SDK's own client to a server.
func talk(t *testing.T, repo Repository, record Record) *sdk.ClientSession {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	if _, err := New(repo, record, "v1.2.3").Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// call calls a tool and returns its text, and its structured answer in out.
func call(t *testing.T, client *sdk.ClientSession, tool string, args map[string]any, out any) (text string, failed bool) {
	t.Helper()
	result, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Content {
		text += c.(*sdk.TextContent).Text
	}
	if out != nil && !result.IsError {
		src, _ := json.Marshal(result.StructuredContent)
		if err := json.Unmarshal(src, out); err != nil {
			t.Fatal(err)
		}
	}
	return text, result.IsError
}

func TestRecall(t *testing.T) {
	t.Parallel()
	client := talk(t, &shelf{content: store}, nil)
	var out RecallOutput
	text, failed := call(t, client, "recall", map[string]any{"task": "compact the lease file", "files": []string{"lease.go"}}, &out)
	if failed || !strings.HasPrefix(text, "## "+recall.Title) || strings.Contains(text, "\x1b") || strings.Contains(text, "Wait for every") {
		t.Errorf("failed %v: %s", failed, text)
	}
	if len(out.Pitfalls) != 2 || !strings.Contains(out.About, "not orders") {
		t.Fatalf("%+v", out)
	}
	first := out.Pitfalls[0]
	first.Why = ""
	want := PitfallOutput{
		Handle: handles[0], Sentence: "Take a snapshot before compacting the lease file, otherwise a crash loses the history.",
		PullRequest: "PR #57", Date: "2026-11-16", Verdict: "changes-requested", Earned: 2, Status: "active",
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if note := out.Pitfalls[1]; note.PullRequest != "" || strings.Contains(note.Sentence, "\x1b") {
		t.Errorf("a person's line: %+v", note)
	}
	if _, failed := call(t, client, "recall", map[string]any{"limit": 1}, &out); failed || len(out.Pitfalls) != 1 {
		t.Errorf("limit 1: %+v", out)
	}
}

// Issue 7: it works when the repository has no lessons yet.
func TestNoLessonsYet(t *testing.T) {
	t.Parallel()
	client := talk(t, &shelf{}, nil)
	var out RecallOutput
	if text, failed := call(t, client, "recall", map[string]any{}, &out); failed || text != noLessons || out.About != noLessons || out.Pitfalls == nil {
		t.Errorf("%q, %+v", text, out)
	}
	if text, failed := call(t, client, "why", map[string]any{"handle": "04be77d2"}, nil); !failed || text != "this repository has no lessons yet" {
		t.Errorf("why: %q", text)
	}
	read, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: StoreURI})
	if err != nil || len(read.Contents) != 1 || read.Contents[0].Text != "No lessons yet.\n" {
		t.Errorf("%+v, %v", read, err)
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 2, 23, 0, 0, 0, time.UTC)
	repo := &shelf{content: store, commits: []ledger.Commit{
		{SHA: "2222222222222", Author: "agent-lessons[bot]", At: day.AddDate(0, 0, 14), Message: "lessons: 1 refreshed (PR #57)\n\nLessons-Source: changes-requested PR #57 review 2\nLessons-Bullet: " + handles[0] + " refreshed from PR #41 2026-11-02\n"},
		{SHA: "1111111111111", Author: "agent-lessons[bot]", At: day, Message: "lessons: 1 appended (PR #41)\n\nDistilled from a review by 'mara' of PR #41.\x1b[0m\n\nLessons-Source: changes-requested PR #41 review 1\nLessons-Bullet: " + handles[0] + " appended\n"},
	}}
	client := talk(t, repo, nil)
	var out WhyOutput
	text, failed := call(t, client, "why", map[string]any{"handle": strings.ToUpper(handles[0][:5])}, &out)
	if failed {
		t.Fatal(text)
	}
	want := []StepOutput{
		{What: "appended", Date: "2026-11-02", Commit: "1111111111111", By: "agent-lessons[bot]", Source: "changes-requested PR #41 review 1", Says: []string{"Distilled from a review by 'mara' of PR #41.[0m"}},
		{What: "refreshed", Date: "2026-11-16", Commit: "2222222222222", By: "agent-lessons[bot]", Source: "changes-requested PR #57 review 2", Replaced: "PR #41 2026-11-02"},
	}
	if diff := cmp.Diff(want, out.History); diff != "" || out.Lesson.Earned != 2 {
		t.Errorf("%+v (-want +got):\n%s", out.Lesson, diff)
	}
	if !strings.Contains(text, "\n2026-11-02 appended by agent-lessons[bot] (changes-requested PR #41 review 1, commit 1111111111)\n    Distilled from a review by 'mara'") {
		t.Errorf("text:\n%s", text)
	}
	if text, _ := call(t, client, "why", map[string]any{"handle": handles[2]}, &out); !strings.Contains(text, "No commit of this clone tells of it") {
		t.Errorf("without history: %s", text)
	}
	for handle, want := range map[string]string{"": "say the handle", "zz": "no lesson of the repository's own store has that handle"} {
		if text, failed := call(t, client, "why", map[string]any{"handle": handle}, nil); !failed || !strings.Contains(text, want) {
			t.Errorf("%q: %s", handle, text)
		}
	}
}

func TestRecordFinding(t *testing.T) {
	t.Parallel()
	var got map[string]any
	client := talk(t, &shelf{}, func(_ context.Context, src json.RawMessage) (string, error) {
		if strings.Contains(string(src), "refuse me") {
			return "", errors.New("confidence: 0.1 is below 0.5, nothing is kept")
		}
		return "abc123", json.Unmarshal(src, &got)
	})
	finding := map[string]any{"task_type": "fix-flaky-test", "what_worked": "wait for the port", "confidence": 0.9}
	var out RecordOutput
	if text, failed := call(t, client, "record_finding", finding, &out); failed || out.ID != "abc123" {
		t.Fatalf("%s, %+v", text, out)
	}
	want := map[string]any{
		"task_type": "fix-flaky-test", "language": "none", "what_worked": "wait for the port", "what_failed": "",
		"better_exit_condition": "", "tags": []any{}, "confidence": 0.9,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	finding["what_worked"] = "refuse me"
	if text, failed := call(t, client, "record_finding", finding, nil); !failed || !strings.Contains(text, "below 0.5") {
		t.Errorf("refused: %s", text)
	}
	if text, failed := call(t, client, "record_finding", map[string]any{"what_worked": "x"}, nil); !failed || !strings.Contains(text, "task_type") {
		t.Errorf("incomplete: %s", text)
	}
}

func TestWhatIsOffered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record Record
		want   []string
	}{
		"without a store of findings": {nil, []string{"recall", "why"}},
		"with one":                    {func(context.Context, json.RawMessage) (string, error) { return "", nil }, []string{"recall", "record_finding", "why"}},
	} {
		client := talk(t, &shelf{content: store}, c.record)
		tools, err := client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tool := range tools.Tools {
			got = append(got, tool.Name)
			if a := tool.Annotations; a.ReadOnlyHint != (tool.Name != "record_finding") || a.OpenWorldHint == nil || *a.OpenWorldHint {
				t.Errorf("%s: %+v", tool.Name, a)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if info := client.InitializeResult(); info.ServerInfo.Version != "v1.2.3" || !strings.Contains(info.Instructions, "not orders") {
			t.Errorf("%+v", info)
		}
	}
	client := talk(t, &shelf{content: store}, nil)
	read, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: StoreURI})
	if err != nil || read.Contents[0].Text != store || read.Contents[0].MIMEType != "text/markdown" {
		t.Errorf("%+v, %v", read, err)
	}
}

// A store that cannot be read is an answer, not the end of the server.
func TestAFailureIsSaid(t *testing.T) {
	t.Parallel()
	repo := &shelf{content: store, broken: errors.New("lessons.md: it is a directory")}
	client := talk(t, repo, nil)
	for tool, args := range map[string]map[string]any{"recall": {}, "why": {"handle": handles[0]}} {
		if text, failed := call(t, client, tool, args, nil); !failed || !strings.Contains(text, "it is a directory") {
			t.Errorf("%s: %v %s", tool, failed, text)
		}
	}
	if _, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: StoreURI}); err == nil {
		t.Error("the resource was read")
	}
	repo.broken = nil
	if text, failed := call(t, client, "recall", map[string]any{}, nil); failed {
		t.Errorf("afterwards: %s", text)
	}
}

// Serve ends with its input, whatever that was.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{"nothing": "", "no JSON": "hello\n", "no request": "{}\n", "cut off": `{"jsonrpc":"2.0","id":1,"method":"tools/`, "a list": "[1,2]\n"} {
		done := make(chan error, 1)
		go func() { done <- Serve(t.Context(), New(&shelf{}, nil, ""), strings.NewReader(in), io.Discard) }()
		select {
		case err := <-done:
			if in == "" && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it does not end", name)
		}
	}
}
