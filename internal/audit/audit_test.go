package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// folders writes files given by "folder/path" and loads the folders in order.
func folders(tb interface{ Fatal(...any) }, root string, files map[string]string, names ...string) []Folder {
	write(tb, root, files)
	return load(tb, root, names...)
}

func write(tb interface{ Fatal(...any) }, root string, files map[string]string) {
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("this system makes no links: ", err)
	}
}

func load(tb interface{ Fatal(...any) }, root string, names ...string) []Folder {
	var out []Folder
	for _, name := range names {
		f, err := Load(filepath.Join(root, name), name)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func md(keywords, text string) string {
	return "---\nmatch:\n  keywords: [" + keywords + "]\n---\n# T\n\n" + text + "\n"
}

func TestLook(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := map[string]string{
		"a/git/tree.md":    md("git worktree, branch", "Create a worktree from the head of the remote."),
		"b/tree.md":        md("git worktree, branch", "Create a worktree from the head of the remote."),
		"b/upload.md":      md("upload", "Send the checksum first, so that a broken upload is noticed."),
		"a/upload.md":      md("upload, Branch", "Send the checksum last."),
		"a/near.md":        md("lease", "Take a snapshot before compacting the lease file, otherwise a crash loses the history."),
		"b/other.md":       md("snapshot", "Snapshot the lease file before it is compacted; a crash in between loses its history."),
		"a/always.md":      md("tidy", "Always run `go mod tidy` before committing a change of the modules."),
		"b/never.md":       md("mod", "Never run `go mod tidy` before committing a change of the modules."),
		"a/x/SKILL.md":     "---\nname: x\n---\n# X\n\nOne skill.\n",
		"b/x/SKILL.md":     "---\nname: x\n---\n# X\n\nOne skill.\n",
		"b/broken.md":      "---\n[\n---\n",
		"b/typo.md":        "---\nmatch:\n  patterns: ['(?=x)']\nstatus: actve\n---\n# Typo\n\nOf its own.\n",
		"b/silent.md":      "# Silent\n\nNobody will ever see this.\n",
		"b/style.mdc":      "---\nglobs: '**/*.go'\n---\n# Style\n\nBranch and upload.\n",
		"b/README.md":      "[gone](gone.md) and [tree](../a/git/tree.md), `a/git/tree.md`, `a/git/no.md`, https://x.example/y.md\n```\n[x](nothing.md)\n```\n",
		"b/deep/refers.md": md("refers", "See [up](../upload.md#top), [no](no.md) and [site](https://x.example/z.md)."),
	}
	write(t, root, files)
	link(t, "tree.md", filepath.Join(root, "b", "near.md"))
	r := Look(load(t, root, "a", "b"), Exists)
	want := Report{
		Files: 16,
		Names: []NameGroup{
			{"tree.md", "a/git/tree.md", []Copy{{File: "b/tree.md", Kind: Identical}}},
			{"near.md", "a/near.md", []Copy{{File: "b/near.md", Kind: Modified}}},
			{"upload.md", "a/upload.md", []Copy{{File: "b/upload.md", Kind: Modified}}},
		},
		Near: []NearPair{
			{A: "a/always.md", B: "b/never.md", Why: "an agent cannot follow both"},
			{A: "a/near.md", B: "b/other.md", Why: "are one lesson"},
			{A: "a/x/SKILL.md", B: "b/x/SKILL.md", Why: "share 100 %"},
		},
		Broken: []Problem{
			{"b/broken.md", "front matter is broken"},
			{"b/silent.md", "nothing in its front matter can match"},
			{"b/typo.md", "status \"actve\" is unknown"},
			{"b/typo.md", "(?=x)"},
		},
		Keywords:   []Keyword{{"branch", []string{"a/git/tree.md", "a/upload.md"}}},
		References: []Reference{{"b/deep/refers.md", 7, "no.md"}, {"b/README.md", 1, "gone.md"}, {"b/README.md", 1, "a/git/no.md"}},
		Notes:      []string{},
	}
	for i := range r.Names {
		for j := range r.Names[i].Copies {
			c := &r.Names[i].Copies[j]
			if (c.Kind == Modified) != strings.Contains(c.Diff, "\n+") {
				t.Errorf("%s is %s with the diff %q", c.File, c.Kind, c.Diff)
			}
			c.Diff = ""
		}
	}
	for i := range min(len(r.Near), len(want.Near)) { // in words that may change
		if strings.Contains(r.Near[i].Why, want.Near[i].Why) {
			r.Near[i].Why = want.Near[i].Why
		}
		want.Near[i].Body = r.Near[i].Body
	}
	for i := range min(len(r.Broken), len(want.Broken)) {
		if strings.Contains(r.Broken[i].What, want.Broken[i].What) {
			r.Broken[i].What = want.Broken[i].What
		}
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestFix(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	same := md("x", "Create a worktree from the head of the remote.")
	write(t, root, map[string]string{
		"a/git/tree.md": same, "b/tree.md": same, "b/linked.md": same, "a/linked.md": same, "a/listed.md": same, "b/listed.md": same,
		"a/mine.md": md("y", "One."), "b/mine.md": md("y", "Two."),
		"b/index.json": `{"skills": [{"name": "l", "path": "listed.md"}]}`,
		"b/README.md":  "- [tree](tree.md#rule), [again](./tree.md) and `b/tree.md`\r\n[ref]: tree.md\n```\n[x](tree.md)\n```\nno line end `a/git/tree.md`",
		"a/README.md":  "See `git/tree.md` and [tree](git/tree.md).\n",
	})
	link(t, filepath.Join(root, "b/linked.md"), filepath.Join(root, "a/points.md"))
	plan := PlanFix(load(t, root, "a", "b"))
	if len(plan.Removals) != 1 || plan.Removals[0].File != "b/tree.md" || plan.Removals[0].Kept != "a/git/tree.md" {
		t.Errorf("removals: %+v", plan.Removals)
	}
	spared := fmt.Sprint(plan.Spared)
	if len(plan.Spared) != 2 || !strings.Contains(spared, "b/linked.md the link a/points.md leads to it") || !strings.Contains(spared, "b/listed.md the folder's index.json names it") {
		t.Errorf("spared: %s", spared)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "b/README.md"))
	want := "- [tree](../a/git/tree.md#rule), [again](../a/git/tree.md) and `a/git/tree.md`\r\n[ref]: ../a/git/tree.md\n```\n[x](tree.md)\n```\nno line end `a/git/tree.md`"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(got)))
	}
	if Exists(filepath.Join(root, "b/tree.md")) || !Exists(filepath.Join(root, "b/mine.md")) {
		t.Error("the wrong file is gone")
	}
	if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") || !Exists(filepath.Join(root, "a/git/tree.md")) {
		t.Errorf("a plan that is out of date: %v", err)
	}
}

// Fixing loses no text and breaks no reference, and a second time finds nothing to do.
func TestFixLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		root := t.TempDir()
		files := map[string]string{}
		for range rapid.IntRange(1, 8).Draw(rt, "files") {
			name := rapid.SampledFrom([]string{"a/x.md", "a/s/x.md", "a/s/y.md", "b/x.md", "b/y.md", "b/s/x.md", "b/README.md"}).Draw(rt, "name")
			to := rapid.SampledFrom([]string{"x.md", "s/x.md", "../b/x.md", "../a/s/y.md", "y.md"}).Draw(rt, "to")
			files[name] = rapid.SampledFrom([]string{md("x", "One."), md("x", "Two."), md("x", "See [it]("+to+") there.")}).Draw(rt, "text")
		}
		for _, dir := range []string{"a", "b"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				rt.Fatal(err)
			}
		}
		before := folders(rt, root, files, "a", "b")
		dead := len(Look(before, Exists).References)
		plan := PlanFix(before)
		for _, r := range plan.Removals {
			for _, f := range before[1].Files {
				if f.Name == r.File && strings.Contains(string(f.Source), "](") {
					dead = -1 // a copy's own dead reference goes with it
				}
			}
		}
		if err := plan.Apply(); err != nil {
			rt.Fatal(err)
		}
		after := load(rt, root, "a", "b")
		// A rewritten reference may make two copies identical that were not.
		if again := PlanFix(after); len(again.Removals) > 0 && len(plan.Rewrites) == 0 {
			rt.Fatalf("a second time removes %+v", again.Removals)
		}
		if now := len(Look(after, Exists).References); dead >= 0 && now > dead {
			rt.Fatalf("%d references are dead, %d were", now, dead)
		}
		texts := map[string]bool{}
		for _, f := range append(after[0].Files, after[1].Files...) {
			texts[string(f.Source)] = true
		}
		for _, text := range files {
			if !strings.Contains(text, "](") && !texts[text] {
				rt.Fatalf("lost: %q", text)
			}
		}
	})
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	loaded := folders(t, t.TempDir(), map[string]string{
		"a/often.md": md("the", "Matches in all of them."), "a/once.md": md("ledger", "Matches in one."),
		"a/never.md": md("kubernetes", "Matches in none."), "a/tool.md": "---\nmatch:\n  tools: [shell]\n---\n# T\n\nBy its tool.\n",
		"a/old.md": "---\nstatus: archived\n---\n# T\n\nNot counted.\n", "a/rule.mdc": "---\nalwaysApply: true\n---\n# R\n\nNot counted.\n",
		"a/README.md": "the\n",
	}, "a")
	sessions := []Session{{Said: "Close the LEDGER."}, {Said: "the", Tools: []string{"shell"}}, {Said: "the"}, {Said: "the"}, {Said: "the"}}
	want := Usage{Sessions: 5, Lessons: 4, Silent: []string{"a/never.md"}, SilentRate: 0.25, Broad: []Breadth{{"a/often.md", 1}}}
	if diff := cmp.Diff(want, Measure(loaded, slices.Values(sessions))); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if u := Measure(loaded, slices.Values(sessions[:4])); len(u.Broad) != 0 {
		t.Errorf("too broad after %d sessions: %+v", u.Sessions, u.Broad)
	}
	if u := Measure(nil, slices.Values([]Session(nil))); u.Lessons != 0 || u.SilentRate != 0 {
		t.Errorf("nothing: %+v", u)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	all, notes, err := Sessions("../transcript/testdata")
	if err != nil {
		t.Fatal(err)
	}
	sessions := slices.Collect(all)
	if len(sessions) < 2 || len(notes()) != 0 {
		t.Fatalf("%d sessions, %v", len(sessions), notes())
	}
	said, shell := false, false
	for _, s := range sessions {
		said = said || s.Said != ""
		for _, tool := range s.Tools {
			shell = shell || tool == "shell"
		}
	}
	if !said || !shell {
		t.Errorf("no words or no shell in %+v", sessions)
	}
	if _, _, err := Sessions("nowhere"); err == nil {
		t.Error("a folder that is not there is no mistake")
	}
}
