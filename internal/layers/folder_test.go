package layers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/store"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("this system makes no links: ", err)
	}
}

// entries are the entries of a layer as "path: sentence", or "path! why" for what cannot be read.
func entries(l recall.Layer) (out []string) {
	for _, e := range l.Entries {
		if e.Broken != "" {
			out = append(out, e.File+"! "+e.Broken)
			continue
		}
		out = append(out, e.File+": "+e.Bullet.Sentence)
	}
	return out
}

func TestReadFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lesson := func(s string) string { return "# T\n\n" + s + "\n" }
	write(t, root, map[string]string{
		"in/b.md":                   lesson("B."),
		"in/a.mdc":                  "---\ndescription: A rule.\n---\n",
		"in/sub/deep/c.md":          lesson("C."),
		"in/README.md":              lesson("Not a lesson."),
		"in/a-template.md":          lesson("Not a lesson."),
		"in/.git/x.md":              lesson("Not a lesson."),
		"in/notes.txt":              "Not a lesson.",
		"in/broken.md":              "---\n[\n---\n",
		"in/latin1.md":              "# \xe9t\xe9\n",
		"in/huge.md":                strings.Repeat("a", gptme.MaxBytes),
		"in/skills/repl/SKILL.md":   lesson("From the file."),
		"in/index.json":             `{"skills": [{"name": "repl", "path": "skills/repl/SKILL.md", "description": "From the manifest."}, {"name": "gone", "path": "gone.md"}]}`,
		"out/linked.md":             lesson("Linked."),
		"out/secret.key":            "Nothing for an agent.",
		"worktree/lessons/gone.md":  lesson("Skipped, as gptme skips it."),
		"out/folder/in-a-folder.md": lesson("Not followed."),
	})
	link(t, filepath.Join(root, "out/linked.md"), filepath.Join(root, "in/linked.md"))
	link(t, filepath.Join(root, "out/secret.key"), filepath.Join(root, "in/key.md"))
	link(t, filepath.Join(root, "nowhere.md"), filepath.Join(root, "in/nowhere.md"))
	link(t, "loop.md", filepath.Join(root, "in/loop.md"))
	link(t, filepath.Join(root, "in"), filepath.Join(root, "in/sub/again"))
	link(t, filepath.Join(root, "out/folder"), filepath.Join(root, "in/folder"))

	layer, err := ReadFolder(filepath.Join(root, "in"), "lessons")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"skills/repl/SKILL.md: From the manifest.",
		"b.md: B.", "broken.md! its front matter is broken: line 2: sequence end token ']' not found",
		"huge.md! it is 262144 bytes or larger", "key.md! its link leads to something else than Markdown",
		"latin1.md! it is not UTF-8", "linked.md: Linked.", "loop.md! its link leads nowhere: EvalSymlinks: too many links",
		"nowhere.md! its link leads nowhere: no such file or directory", "sub/deep/c.md: C.", "a.mdc: A rule.",
	}
	if diff := cmp.Diff(want, entries(layer)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	notes := strings.Join(layer.Notes, "\n")
	for _, part := range []string{"folder: it is a link to a folder", "sub/again: it is a link to a folder", "index.json: it names gone.md, which is not there"} {
		if !strings.Contains(notes, part) {
			t.Errorf("the notes do not say %q:\n%s", part, notes)
		}
	}
	if layer, err = ReadFolder(filepath.Join(root, "worktree/lessons"), "x"); err != nil || len(layer.Entries) != 0 || len(layer.Notes) != 1 {
		t.Errorf("worktree/: %+v, %v", layer, err)
	}
}

func TestUnreadableFilesAreSaid(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	root := t.TempDir()
	write(t, root, map[string]string{"a.md": "# T\n\nA.\n", "closed/b.md": "# T\n\nB.\n", "shut.md": ""})
	for _, name := range []string{"closed", "shut.md"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "closed"), 0o700) })
	layer, err := ReadFolder(root, "x")
	want := []string{"a.md: A.", "shut.md! it cannot be read: permission denied"}
	if diff := cmp.Diff(want, entries(layer)); diff != "" || err != nil || len(layer.Notes) != 1 {
		t.Errorf("%v, notes %q, entries:\n%s", err, layer.Notes, diff)
	}
}

func TestAFolderIsBounded(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	big := "# T\n\nBig.\n" + strings.Repeat("a", gptme.MaxBytes-100)
	files := map[string]string{}
	for i := range maxVolume/len(big) + 2 {
		files[fmt.Sprintf("%04d.md", i)] = big
	}
	write(t, root, files)
	layer, err := ReadFolder(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	if last := layer.Entries[len(layer.Entries)-1]; !strings.Contains(last.Broken, "together") {
		t.Errorf("all of %d files were read", len(files))
	}
}

type ownerStub string

func (o ownerStub) Fetch(context.Context) (Fetched, error) {
	return Fetched{Content: []byte(o), Place: "acme/.github", Note: "it is old"}, nil
}

// The owner's pull requests are not taken for this repository's.
func TestFetchedPullRequestsAreQualified(t *testing.T) {
	t.Parallel()
	r := Reader{Root: t.TempDir(), Owner: ownerStub("- One. (PR #1, 2026-01-01, ci-fix)\n- Two. (PR other/repo#2, 2026-01-01, ci-fix)\n- Three. (2026-01-01, founder-note)\n")}
	layers, err := r.Read(context.Background(), store.Tree{Root: r.Root, Path: config.DefaultStore}, []config.Layer{{Owner: config.FetchOwner}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range layers[1].Entries {
		got = append(got, e.Bullet.Trailer.PR.String())
	}
	if diff := cmp.Diff([]string{"PR acme/.github#1", "PR other/repo#2", ""}, got); diff != "" || len(layers[1].Notes) != 1 {
		t.Errorf("notes %q, pull requests:\n%s", layers[1].Notes, diff)
	}
}

// Each kind of layer, in order; what cannot be read hides no other.
func TestRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{
		"repo/.agent-corp/lessons.md":       "- Ours.\n",
		"handbook/lessons.md":               "- Theirs. (PR #1, 2026-01-01, ci-fix)\n- Odd. (PR #1, 2026-01-01, oracle)\n",
		"dot-github/.agent-corp/lessons.md": "- The owner's.\n",
		"repo/docs/lessons/a.md":            "# T\n\nMarkdown.\n",
		"home/.notes/b.md":                  "# T\n\nAt home.\n",
	})
	r := Reader{Root: filepath.Join(root, "repo"), Home: filepath.Join(root, "home")}
	own := store.Tree{Root: r.Root, Path: config.DefaultStore}
	layers, err := r.Read(context.Background(), own, []config.Layer{
		{Store: "../handbook/lessons.md"}, {Owner: "../dot-github"}, {Lessons: "docs/lessons"}, {Lessons: "~/.notes"},
		{Store: "../handbook"}, {Store: "none.md"}, {Lessons: "none"}, {Lessons: "../handbook/lessons.md"}, {Owner: config.FetchOwner}, {Findings: "f"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range layers {
		got = append(got, l.Name+" | "+strings.Join(entries(l), " ")+" | "+strings.Join(l.Notes, " "))
	}
	want := []string{
		" | : Ours. | ",
		"store: ../handbook/lessons.md | : Theirs. : Odd. (PR #1, 2026-01-01, oracle) | layer store: ../handbook/lessons.md: lessons.md:2: its verdict \"oracle\" is unknown: the bullet is kept as a person's",
		"owner: ../dot-github | : The owner's. | ",
		"lessons: docs/lessons | a.md: Markdown. | ",
		"lessons: ~/.notes | b.md: At home. | ",
		"store: ../handbook |  | layer store: ../handbook: handbook: it is a directory: it is left out",
		"store: none.md |  | layer store: none.md: it does not exist: it is left out",
		"lessons: none |  | layer lessons: none: it does not exist: it is left out",
		"lessons: ../handbook/lessons.md |  | layer lessons: ../handbook/lessons.md: it is no folder: it is left out",
		"owner: fetch |  | layer owner: fetch: this program does not fetch it: it is left out",
		"findings: f |  | layer findings: f: this program does not read findings: it is left out",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
}
