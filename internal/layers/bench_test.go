package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// writeMany writes n Markdown lessons as people write them: front matter, a rule, some paragraphs.
func writeMany(tb testing.TB, n int) string {
	tb.Helper()
	folder := tb.TempDir()
	for i := range n {
		src := fmt.Sprintf("---\nmatch:\n  keywords:\n    - \"ledger export %d\"\n    - snapshot%d\n    - \"lease file\"\n  patterns: ['compact(s|ing)\\s+lease%d']\nstatus: active\n---\n\n"+
			"# Lesson %d\n\nExport ledger %d before the close of the month, or its totals are lost.\n\n## Context\n\nIt happened in spring %d.\n", i, i, i, i, i, i)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("lesson-%04d.md", i)), []byte(src), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return folder
}

// Issue 7: 2,000 Markdown lessons, read and matched to a task, well under 100 ms.
func BenchmarkBlockOf2000Lessons(b *testing.B) {
	folder := writeMany(b, 2000)
	for name, task := range map[string]recall.Task{"no task": {}, "task": {Prompt: "export ledger export 77 and the snapshot88", Files: []string{"ledger/export.go"}}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				layer, err := ReadFolder(folder, "lessons")
				if err != nil {
					b.Fatal(err)
				}
				w := recall.Choose([]recall.Layer{{}, layer}, recall.Options{
					Task: task, Size: 20, Rule: similarity.DefaultRule(), Match: recall.ByBaseName,
					Judge: func(s string, _ bool) guard.Result { return guard.Result{Sentence: s} }, // as remembered
				})
				if len(w.Lines) == 0 {
					b.Fatal("an empty block")
				}
			}
			b.ReportMetric(float64(b.Elapsed()/time.Millisecond)/float64(b.N), "ms/block")
		})
	}
}
