package trend

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func week(monday string, appended, refreshed, active int, m *Margin) Week {
	day, err := lesson.ParseDate(monday)
	if err != nil {
		panic(err)
	}
	return Week{Monday: day, Appended: appended, Refreshed: refreshed, Active: active, Margin: m}
}

// example is a store whose margin closes, one whose name is hostile, and one without any write.
func example() []Series {
	sweep := week("2026-11-09", 0, 0, 7, nil)
	sweep.Retired, sweep.Evicted = 2, 1
	return []Series{
		{Store: "acme/api", Path: ".agent-corp/lessons.md", Rule: similarity.DefaultRule(), Weeks: []Week{
			week("2026-10-26", 4, 0, 4, &Margin{Above: 0.31, Below: 0.2}),
			week("2026-11-02", 4, 1, 8, &Margin{Above: 0.31, Below: 0.24}),
			sweep,
			week("2026-11-16", 1, 3, 8, &Margin{Above: 0.2609, Below: 0.2462}),
			week("2026-11-23", 0, 5, 8, &Margin{Above: 0.2609, Below: 0.2490}),
		}},
		{Store: `<script>alert("x")</script>`, Path: `a,"b".md`, Rule: similarity.DefaultRule(), Weeks: []Week{week("2026-11-23", 0, 1, 1, nil)}},
		{Store: "acme/empty", Path: ".agent-corp/lessons.md", Rule: similarity.DefaultRule()},
	}
}

func TestRenderings(t *testing.T) {
	t.Parallel()
	js, err := json.MarshalIndent(example(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := HTML(&page, example()); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"stats.txt": Text(example()), "stats.csv": CSV(example()), "stats.json": string(js) + "\n", "stats.html": page.String(),
		"stats.md": Mermaid(Learned(example()[0].Weeks, 12)),
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
	for _, foreign := range []string{"<script", "http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(page.String(), foreign) {
			t.Errorf("the page holds %q", foreign)
		}
	}
}

func TestMarginOf(t *testing.T) {
	t.Parallel()
	const trailer = " (PR #1, 2026-11-02, ci-fix)\n"
	const take, always = "- Take a snapshot before compacting the lease file, otherwise a crash loses the history.", "- Always take a snapshot of the lease file before compacting it, or a crash loses the history."
	const near = "- Take a backup before compacting the journal, or a power cut loses entries."
	rule := similarity.DefaultRule()
	for name, c := range map[string]struct {
		file         string
		above, below bool // a pair bounds the margin there
	}{
		"one duplicate":    {take + trailer + always + trailer, true, false},
		"one that is near": {take + trailer + near + trailer, false, true},
		"both":             {take + trailer + always + trailer + near + trailer, true, true},
		"nothing alike":    {take + trailer + "- Pin every base image by its digest so that rebuilds of it stay the same." + trailer, false, false},
	} {
		m := MarginOf(lesson.Parse([]byte(c.file)), rule)
		if m == nil || (m.Above > rule.Floor) != c.above || (m.Below > rule.Floor/2) != c.below || m.Below >= rule.Floor || m.Closed() {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := MarginOf(lesson.Parse([]byte(take+trailer)), rule); m != nil {
		t.Errorf("one bullet has no margin: %+v", m)
	}
}

func TestWarning(t *testing.T) {
	t.Parallel()
	open, shut := &Margin{Above: 0.3, Below: 0.2}, &Margin{Above: 0.255, Below: 0.245}
	for name, c := range map[string]struct {
		margins []*Margin
		since   string
	}{
		"nothing":                 {nil, ""},
		"open":                    {[]*Margin{shut, open}, ""},
		"not known any more":      {[]*Margin{shut, nil}, ""},
		"closed just now":         {[]*Margin{open, shut}, "2026-11-09"},
		"closed from the first":   {[]*Margin{shut, shut}, "2026-11-02"},
		"closed, open and closed": {[]*Margin{shut, open, shut, shut}, "2026-11-16"},
	} {
		s := Series{Rule: similarity.DefaultRule()}
		for i, m := range c.margins {
			s.Weeks = append(s.Weeks, week([]string{"2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23"}[i], 1, 0, 1, m))
		}
		if got := s.Warning(); (got == "") != (c.since == "") || !strings.Contains(got, c.since) {
			t.Errorf("%s: %q, want %q", name, got, c.since)
		}
	}
}

// The example of the documentation is what is printed.
func TestDocs(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/trend.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := Text(example()[:1]); !strings.Contains(string(doc), "```text\n"+want+"```\n") {
		t.Errorf("docs/trend.md does not show:\n%s", want)
	}
}
