package actions

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/similarity"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func fileOf(lines ...string) *lesson.File {
	return lesson.Parse([]byte("# Lessons\n\n- " + strings.Join(lines, "\n- ") + "\n"))
}

func examplePage() page {
	base := fileOf(lessonA+trailerA, lessonC+retiredC, "Ask @mara before the release | see #12.")
	head := fileOf(lessonA+trailerA, lessonB+trailerB, lessonC+retiredC)
	week := func(n int) time.Time { return today.AddDate(0, 0, -7*n) }
	return page{
		path: ".agent-corp/lessons.md", limit: 40, proposed: true,
		store: report.Of(head, similarity.DefaultRule()),
		weeks: trend.Learned(trend.Weeks([]trend.Row{
			{At: week(3), Entry: ledger.Entry{Appended: 2, Active: 2}},
			{At: week(1), Entry: ledger.Entry{Appended: 1, Refreshed: 1, Active: 3}},
			{At: week(0), Entry: ledger.Entry{Refreshed: 2, Active: 3}},
		}), trendWeeks),
		changes:  changes(base, head),
		touching: report.Touching(head.Bullets(), []string{"client/http.NewRequestWithContext"}),
		done:     []string{"PR #7: appended 9f3c01ab: Wait for CI."},
	}
}

func TestThePage(t *testing.T) {
	t.Parallel()
	got := examplePage().render(maxComment)
	const golden = "testdata/page.md"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("page (-want +got); -update rewrites it:\n%s", diff)
	}
}

// However large the file, the page keeps to the limit, says what it left out, and ends in whole
// tables.
func TestThePageKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("und so weiter ", 150)
	p := page{path: "lessons.md", limit: 40, store: report.Store{Active: 2000}}
	for i := range 1200 {
		b := lesson.Bullet{Sentence: fmt.Sprintf("Take snapshot %d before compacting the lease file. %s", i, long)}
		p.store.Pairs = append(p.store.Pairs, report.Pair{A: b, B: b, Decision: similarity.Decision{Collapse: true}})
		p.touching = append(p.touching, b)
		p.done = append(p.done, b.Sentence)
		p.changes = append(p.changes, change{"adds", b})
	}
	for _, limit := range []int{maxSummary, maxComment, 10000} {
		text := p.render(limit)
		if len(text) > limit || len(text) < limit/20 {
			t.Errorf("%d bytes for a limit of %d", len(text), limit)
		}
		if !strings.HasPrefix(text, marker) || !strings.HasSuffix(text, "\n") {
			t.Errorf("limit %d: the ends are cut off", limit)
		}
		if !strings.Contains(text, "are left out here") {
			t.Errorf("limit %d: nothing is said of what was left out", limit)
		}
		var html strings.Builder
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &html); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html.String(), "<p>|") {
			t.Errorf("limit %d: a table is broken", limit)
		}
	}
}
