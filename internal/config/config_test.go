package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// full is format.md's example: it must parse, and say the defaults.
const full = `path: .agent-corp/lessons.md
branch: ""           # empty: the default branch
cap: 40              # bullets with a trailer
window: 20           # newest active bullets shown to an agent
expire_after_days: 90
similarity:
  measure: ""        # empty: the product's best; words: the plain rule
  floor: 0.25
  min_tokens: 8
channels: [changes-requested, ci-fix, founder-note]
reviewers:
  bots: []
  comments: false
commit:
  mode: auto         # auto | direct | pull-request
  batch: immediate
  skip_ci: true
distiller:
  kind: auto
  model: ""
  judge: false
sweep:
  consolidate: false
  follow_renames: false
layers: []
layers_match: basename
sync_docs: []
`

func TestTheDocumentedDefaultsAreTheDefaults(t *testing.T) {
	t.Parallel()
	got, err := Parse(Path, []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Reviewers.Bots, want.Layers, want.SyncDocs = []string{}, []Layer{}, []string{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{"empty": "", "a comment": "# nothing\n", "partial": "cap: 12\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := Parse(Path, []byte(src))
			if err != nil || c.Window != 20 || c.Similarity.Floor != 0.25 || !c.Commit.SkipCI {
				t.Errorf("got %+v, %v", c, err)
			}
		})
	}
	c, _ := Parse(Path, []byte("cap: 12\nreviewers:\n  bots: [\"My-Reviewer[bot]\"]\nchannels: [ci-fix]\n"))
	if c.Cap != 12 || !c.NamesBot("my-reviewer[bot]") || c.NamesBot("other[bot]") || c.Teaches("changes-requested") || !c.Teaches("ci-fix") {
		t.Errorf("got %+v", c)
	}
}

// A mistake names file, line and key, and the defaults stay in force.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]string{
		"cap: 12\nwindwo: 3\n":            {"config.yml", "line 2", "windwo"},
		"cap: many\n":                     {"config.yml", "line 1"},
		"cap: 0\n":                        {"line 1", "cap", "less than 1"},
		"\n\nwindow: -1\n":                {"line 3", "window"},
		"expire_after_days: 0\n":          {"expire_after_days"},
		"similarity:\n  floor: 1.5\n":     {"similarity"},
		"similarity:\n  measure: vibes\n": {"similarity", "vibes"},
		"channels: [rumours]\n":           {"line 1", "channels", "rumours"},
		"commit:\n  mode: yolo\n":         {"line 2", "commit.mode", "yolo", "direct"},
		"commit:\n  batch: soon\n":        {"line 2", "commit.batch", "soon"},
		"distiller:\n  kind: oracle\n":    {"line 2", "distiller.kind"},
		"layers_match: vaguely\n":         {"layers_match"},
		"layers:\n  - docs/lessons\n":     {"line 2", "mapping is expected"},
		"layers:\n  - {}\n":               {"line 2", "layers[0]", "0 sources"},
		"layers:\n  - owner: fetch\n  - store: a.md\n    lessons: b\n": {"line 3", "layers[1]", "2 sources"},
		"layers:\n  - database: x\n":                                   {"line 2", "database"},
		"layers:\n  - store: \"a\\nb\"\n":                              {"line 2", "layers[0]", "no path"},
		"layers:\n" + strings.Repeat("  - owner: fetch\n", 21):         {"layers", "21 are more than 20"},
		"path: ../../etc/passwd.md\n":                                  {"line 1", "path"},
		"path: /etc/lessons.md\n":                                      {"path", "not relative"},
		"path: .git/hooks.md\n":                                        {"path", ".git"},
		"path: a/.GIT/x.md\n":                                          {"path", ".git"},
		"path: \"%2e%2e/x.md\"\n":                                      {"path"},
		"path: lessons.txt\n":                                          {"path", ".md"},
		"sync_docs: [a.md, a.md]\n":                                    {"line 1", "sync_docs[1]", "named twice"},
		"sync_docs: [.git/a.md]\n":                                     {"line 1", "sync_docs[0]", ".git"},
		"sync_docs: [.github/workflows/a.md]\n":                        {"line 1", "sync_docs[0]", "no App may write"},
		"sync_docs: [.agent-corp/lessons.md]\n":                        {"line 1", "sync_docs[0]", "the lessons file"},
		"sync_docs:\n- a.md\n- ''\n":                                   {"line 3", "sync_docs[1]", "empty"},
		"sync_docs: [1.md,2.md,3.md,4.md,5.md,6.md,7.md,8.md,9.md,10.md,11.md,12.md,13.md,14.md,15.md,16.md,17.md,18.md,19.md,20.md,21.md]\n": {"line 1", "sync_docs", "21 files are more than 20"},
		"path: a/../b.md\n":              {"path"},
		"path: C:/x.md\n":                {"path"},
		"cap: [\n":                       {"config.yml"},
		"- a\n- list\n":                  {"config.yml"},
		"a: &a [*a]\n":                   {"config.yml"},
		strings.Repeat("{", 2000) + "\n": {"config.yml"},
	} {
		c, err := Parse(Path, []byte(src))
		if err == nil {
			t.Errorf("%q was accepted", src)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %q does not name %q", src, err, part)
			}
		}
		if diff := cmp.Diff(Default(), c); diff != "" {
			t.Errorf("%q: the defaults are not in force:\n%s", src, diff)
		}
	}
}

// A file of some hundred bytes must not fill the memory.
func TestAliasesAreRefused(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("layers:\n  - &a [x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c <= 'o'; c++ {
		bomb.WriteString("  - &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n")
	}
	for name, src := range map[string]string{"bomb": bomb.String(), "anchor": "branch: &b x\n", "alias": "branch: *b\n", "merge key": "commit:\n  <<: *c\n"} {
		c, err := Parse(Path, []byte(src))
		if err == nil || !strings.Contains(err.Error(), "aliases") || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(Default(), c); diff != "" {
			t.Errorf("%s: the defaults are not in force:\n%s", name, diff)
		}
	}
	if c, err := Parse(Path, []byte("branch: \"a*b&c\"\nsync_docs: [docs/a&b.md]\n")); err != nil || c.Branch != "a*b&c" {
		t.Errorf("plain characters: %+v, %v", c.Branch, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("layers:\n  - &a [x,x]\n  - &b [*a,*a]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse(Path, src)
		if _, bad := c.check(); bad != nil {
			t.Errorf("%q led to a configuration that cannot be meant: %v (%v)", src, bad, err)
		}
	})
}
