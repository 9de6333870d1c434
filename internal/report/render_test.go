package report

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// measured measures a fixture under a name.
func measured(t *testing.T, name, fixture string) Measured {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", fixture))
	if err != nil {
		t.Fatal(err)
	}
	rule := similarity.DefaultRule()
	return Measured{name, rule, Of(lesson.Parse(src), rule)}
}

// example is a small store, one with many duplicates, one whose text is hostile, and an empty one.
func example(t *testing.T) Report {
	t.Helper()
	return Report{
		Stores: []Measured{
			measured(t, "acme/api/.agent-corp/lessons.md", "example.md"),
			measured(t, "acme/news/.agent-corp/lessons.md", "forty.md"),
			measured(t, "<b>\x1b[2J/lessons|.md", "hostile.md"),
			{Name: "acme/empty/.agent-corp/lessons.md", Rule: similarity.DefaultRule(), Store: Of(lesson.Parse(nil), similarity.DefaultRule())},
		},
		Skipped: []Skipped{{"acme/web", "3 Markdown files in which no bullet has a trailer"}, {"acme/\x1b]0;<i>.md", "permission denied"}},
	}
}

func TestRenderings(t *testing.T) {
	t.Parallel()
	r := example(t)
	js, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"report.txt": r.Text(100), "report60.txt": r.Text(60), "report.md": r.Markdown(), "report.json": string(js) + "\n", "report.html": page.String(),
	} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// No line is wider than the terminal, and nothing in one acts on it.
func TestTextFitsAndIsInert(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 72, 80, 132, 200} {
		for line := range strings.Lines(example(t).Text(width)) {
			line = strings.TrimSuffix(line, "\n")
			if columns(line) > width {
				t.Errorf("at %d: %d columns: %s", width, columns(line), line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("at %d: %q", width, line)
			}
		}
	}
	if got := columns("é用ｱx"); got != 5 {
		t.Errorf("columns: %d", got)
	}
}

// The example of the documentation is what is printed.
func TestDocs(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	r := example(t)
	r.Stores, r.Skipped = r.Stores[:1], r.Skipped[:1]
	if want := r.Text(80); !strings.Contains(string(doc), "```text\n"+want+"```\n") {
		t.Errorf("docs/report.md does not show:\n%s", want)
	}
	js, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for key := range keysOf(t, js) {
		if !strings.Contains(string(doc), "`"+key+"`") {
			t.Errorf("docs/report.md does not describe the key %q", key)
		}
	}
}

// keysOf returns all keys of a JSON document but the kinds of retirement, which are values.
func keysOf(t *testing.T, js []byte) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				keys[key] = true
				if key != "retired" {
					walk(value)
				}
			}
		case []any:
			for _, value := range v {
				walk(value)
			}
		}
	}
	var doc any
	if err := json.Unmarshal(js, &doc); err != nil {
		t.Fatal(err)
	}
	walk(doc)
	return keys
}
