package scaffold

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The workflows of another repository are this one's, without what is for this one alone. The
// golden files are linted as workflows by scripts/test.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	action := Action{Commit: "0123456789012345678901234567890123456789", Name: "v1.2.3"}
	for _, f := range append(BesideApp(action), NoServer(action)...) {
		golden := filepath.Join("testdata", filepath.Base(f.Path))
		if *update {
			if err := os.WriteFile(golden, []byte(f.Content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), f.Content); diff != "" {
			t.Errorf("%s: run with -update\n%s", f.Path, diff)
		}
		var parsed struct {
			Jobs map[string]struct {
				If    string
				Steps []struct{ Uses string }
			}
		}
		if err := yaml.Unmarshal([]byte(f.Content), &parsed); err != nil {
			t.Errorf("%s: %s", f.Path, err)
		}
		for name, job := range parsed.Jobs {
			if strings.Contains(job.If, "vars.") || len(job.Steps) != 1 || job.Steps[0].Uses != "agent-corp/agent-lessons@"+action.Commit {
				t.Errorf("%s: %s has something of this repository's: %+v", f.Path, name, job)
			}
		}
		if strings.Contains(f.Content, "this repository alone") {
			t.Errorf("%s speaks of this repository", f.Path)
		}
	}
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	const line = "/.agent-corp/lessons.md !filter !diff !merge text\n"
	for before, want := range map[string]string{"": line, "*.md filter=lfs": "*.md filter=lfs\n" + line, "*.md filter=lfs\n": "*.md filter=lfs\n" + line} {
		if got := Attributes(before, ".agent-corp/lessons.md"); got != want {
			t.Errorf("%q becomes %q", before, got)
		}
	}
}
