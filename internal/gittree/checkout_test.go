package gittree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// clone is a git repository in a temporary folder, whose commits are made on days that tests name.
type clone struct {
	t   *testing.T
	dir string
	day string
}

func newClone(t *testing.T) *clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
			t.Fatal(err)
		}
		t.Skip("there is no git program: ", err)
	}
	c := &clone{t: t, dir: t.TempDir(), day: "2026-01-01"}
	c.git("init", "--quiet", "--initial-branch=main")
	return c
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.dir, "-c", "user.name=Mara", "-c", "user.email=mara@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	at := c.day + "T12:00:00Z"
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// commit writes files on a day; content "" deletes one.
func (c *clone) commit(day string, files map[string]string) *clone {
	c.t.Helper()
	c.day = day
	for name, content := range files {
		full := filepath.Join(c.dir, filepath.FromSlash(name))
		if content == "" {
			c.git("rm", "--quiet", "-r", name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			c.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			c.t.Fatal(err)
		}
		c.git("add", "--force", name)
	}
	c.git("commit", "--quiet", "--allow-empty", "-m", day)
	return c
}

// move renames on a day.
func (c *clone) move(day, from, to string) *clone {
	c.t.Helper()
	c.day = day
	if err := os.MkdirAll(filepath.Join(c.dir, filepath.Dir(filepath.FromSlash(to))), 0o755); err != nil {
		c.t.Fatal(err)
	}
	c.git("mv", from, to)
	c.git("commit", "--quiet", "-m", day)
	return c
}

func date(s string) lesson.Date {
	d, err := lesson.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

var (
	here    = lesson.Past{Here: true}
	unknown = lesson.Past{Unknown: true}
	never   = lesson.Past{}
)

func deleted(day string) lesson.Past { return lesson.Past{Deleted: date(day)} }

const long = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"

func TestPast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(c *clone)
		want map[string]lesson.Past
	}{
		"what is there": {
			func(c *clone) { c.commit("2026-01-02", map[string]string{"a/b/c.go": "x", "d.md": "x"}) },
			map[string]lesson.Past{"a/b/c.go": here, "b/c.go": here, "c.go": here, "a/b": here, "d.md": here, "x/c.go": never, "net/http": never, "C.go": never},
		},
		"what is deleted, and when": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/b/c.go": "x", "a/d.go": "y", "e.md": "x"})
				c.commit("2026-02-03", map[string]string{"a/b/c.go": ""})
				c.commit("2026-02-04", map[string]string{"a/d.go": ""})
			},
			map[string]lesson.Past{"a/b/c.go": deleted("2026-02-03"), "c.go": deleted("2026-02-03"), "a/b": deleted("2026-02-03"), "b/c.go": never},
		},
		"deleted, back, and deleted again": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": "x", "e.md": "x"}).commit("2026-02-03", map[string]string{"a/c.go": ""})
				c.commit("2026-03-02", map[string]string{"a/c.go": "x"}).commit("2026-04-03", map[string]string{"a/c.go": ""})
			},
			map[string]lesson.Past{"a/c.go": deleted("2026-04-03")},
		},
		"a file of the same name elsewhere": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": "x", "b/c.go": "y"}).commit("2026-02-03", map[string]string{"a/c.go": ""})
			},
			map[string]lesson.Past{"a/c.go": deleted("2026-02-03"), "c.go": here},
		},
		"renamed, also with changes, also twice": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": long, "old.md": "z"})
				c.commit("2026-01-03", map[string]string{"a/c.go": "", "b/d.go": long + "eight\n"})
				c.move("2026-01-04", "b/d.go", "b/e.go").move("2026-01-05", "old.md", "docs/new.md")
			},
			map[string]lesson.Past{"a/c.go": {Renamed: "b/e.go"}, "c.go": {Renamed: "b/e.go"}, "old.md": {Renamed: "docs/new.md"}},
		},
		"renamed and deleted later": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": long, "e.md": "z"}).move("2026-01-03", "a/c.go", "b/d.go")
				c.commit("2026-05-04", map[string]string{"b/d.go": ""})
			},
			map[string]lesson.Past{"a/c.go": deleted("2026-05-04")},
		},
		"a folder renamed": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c/x.go": long, "a/c/y.go": long + "z"}).move("2026-01-03", "a/c", "b/d")
			},
			map[string]lesson.Past{"a/c": {Renamed: "b/d"}, "a/c/y.go": {Renamed: "b/d/y.go"}},
		},
		"the day on which the branch lost it, not on which it was deleted elsewhere": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": "x", "e.md": "x"})
				c.git("switch", "--quiet", "-c", "topic")
				c.commit("2026-01-03", map[string]string{"a/c.go": ""})
				c.git("switch", "--quiet", "main")
				c.commit("2026-01-04", map[string]string{"e.md": "y"})
				c.day = "2026-03-05"
				c.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
			},
			map[string]lesson.Past{"a/c.go": deleted("2026-03-05")},
		},
		"deleted by the merge itself": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": "x", "e.md": "x"})
				c.git("switch", "--quiet", "-c", "topic")
				c.commit("2026-01-03", map[string]string{"f.md": "y"})
				c.git("switch", "--quiet", "main")
				c.commit("2026-01-04", map[string]string{"e.md": "y"})
				c.day = "2026-03-05"
				c.git("merge", "--quiet", "--no-ff", "--no-commit", "topic")
				c.git("rm", "--quiet", "a/c.go")
				c.git("commit", "--quiet", "-m", "merge")
			},
			map[string]lesson.Past{"a/c.go": deleted("2026-03-05")},
		},
		"ignored names are no evidence": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"logs/run.json": "x", "a/c.go": "x", ".gitignore": "logs/\n"})
				c.commit("2026-01-03", map[string]string{"logs/run.json": "", "a/c.go": ""})
			},
			map[string]lesson.Past{"logs/run.json": never, "a/c.go": deleted("2026-01-03")},
		},
		"the disk does not matter": {
			func(c *clone) {
				c.commit("2026-01-02", map[string]string{"a/c.go": "x", "b/d.go": "x"})
				c.git("sparse-checkout", "set", "b")
				if err := os.RemoveAll(filepath.Join(c.dir, "b")); err != nil {
					c.t.Fatal(err)
				}
			},
			map[string]lesson.Past{"a/c.go": here, "b/d.go": here},
		},
		"inside a submodule": {
			func(c *clone) {
				sub := newClone(c.t).commit("2026-01-01", map[string]string{"x.go": "x"})
				c.commit("2026-01-02", map[string]string{"lib/x.go": "x"}).commit("2026-01-03", map[string]string{"lib": ""})
				c.git("submodule", "--quiet", "add", sub.dir, "lib")
				c.commit("2026-01-04", nil)
			},
			map[string]lesson.Past{"lib/x.go": here, "lib": here},
		},
		"no commit yet": {func(*clone) {}, map[string]lesson.Past{"a/c.go": unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c1 := newClone(t)
			c.play(c1)
			check(t, Checkout{Dir: c1.dir}, c.want)
		})
	}
}

func check(t *testing.T, tree interface {
	Past(context.Context, []string) (map[string]lesson.Past, error)
}, want map[string]lesson.Past) {
	t.Helper()
	var names []string
	for name, p := range want {
		names = append(names, name)
		if p == never {
			delete(want, name)
		}
	}
	got, err := tree.Past(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(lesson.Date{})); diff != "" {
		t.Errorf("past (-want +got):\n%s", diff)
	}
}

// A shallow clone does not reach back to what was deleted: nothing is said of that.
func TestPastOfAShallowClone(t *testing.T) {
	t.Parallel()
	origin := newClone(t).commit("2026-01-02", map[string]string{"a/c.go": "x", "b/d.go": "x", "e.md": "x"})
	origin.commit("2026-01-03", map[string]string{"a/c.go": ""}).commit("2026-01-04", map[string]string{"b/d.go": ""})
	shallow := filepath.Join(t.TempDir(), "shallow")
	origin.git("clone", "--quiet", "--depth=2", "file://"+origin.dir, shallow)
	check(t, Checkout{Dir: shallow}, map[string]lesson.Past{"a/c.go": unknown, "b/d.go": deleted("2026-01-04"), "e.md": here})
}

// A clone without blobs still knows its trees; what it cannot compare it does not judge.
func TestPastOfAPartialClone(t *testing.T) {
	t.Parallel()
	origin := newClone(t).commit("2026-01-02", map[string]string{"a/c.go": long, "b/d.go": "x", "e.md": "x"})
	origin.commit("2026-01-03", map[string]string{"a/c.go": "", "a/d.go": long + "eight\n"}).commit("2026-01-04", map[string]string{"b/d.go": ""})
	origin.git("config", "uploadpack.allowFilter", "true")
	partial := filepath.Join(t.TempDir(), "partial")
	origin.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", "file://"+origin.dir, partial)
	if err := os.RemoveAll(origin.dir); err != nil {
		t.Fatal(err)
	}
	check(t, Checkout{Dir: partial}, map[string]lesson.Past{"a/c.go": unknown, "b/d.go": deleted("2026-01-04"), "e.md": here})
}

// A folder inside somebody's clone is not itself one.
func TestPastWithoutAClone(t *testing.T) {
	t.Parallel()
	around := newClone(t).commit("2026-01-02", map[string]string{"a/c.go": "x"})
	dir := filepath.Join(around.dir, "plain")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	check(t, Checkout{Dir: dir}, map[string]lesson.Past{"a/c.go": unknown})
}
