package distill

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestLayouts shows which remarks each layout is read as. Layouts named inline and folded are
// comments on code, the others bodies of reviews.
func TestLayouts(t *testing.T) {
	files, err := filepath.Glob("testdata/layouts/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			finding := Finding{Body: string(body)}
			if strings.HasSuffix(file, "inline.md") || strings.HasSuffix(file, "folded.md") {
				finding.Path, finding.Line = "a/b.go", 7
			}
			var got strings.Builder
			for _, r := range readRemarks(0, finding) {
				got.WriteString(describe(r))
			}
			golden := strings.TrimSuffix(file, ".md") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// describe prints a remark: its grade and place, then its parts.
func describe(r *remark) string {
	var out strings.Builder
	grade := map[severity]string{low: "low", unlabelled: "unlabelled", medium: "medium", high: "high", critical: "critical"}[r.grade]
	fmt.Fprintf(&out, "%s remark", grade)
	if r.prose {
		out.WriteString(" in prose")
	}
	if r.nit {
		out.WriteString(" among nits")
	}
	if r.path != "" {
		out.WriteString(" on " + r.path)
	}
	out.WriteString("\n")
	if r.title != "" {
		out.WriteString("  title: " + r.title + "\n")
	}
	for _, part := range []struct {
		name      string
		sentences []sentence
	}{{"says", r.body}, {"fix", r.fixes}, {"aside", r.aside}} {
		for _, s := range part.sentences {
			out.WriteString("  " + part.name + ": " + s.text + "\n")
		}
	}
	for _, c := range r.code {
		out.WriteString("  code: " + c + "\n")
	}
	return out.String()
}
