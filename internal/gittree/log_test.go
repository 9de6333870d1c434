package gittree

import (
	"strings"
	"testing"
	"time"
)

func TestCommits(t *testing.T) {
	t.Parallel()
	c := newClone(t).commit("2026-01-02", map[string]string{"a/l.md": "1"}).commit("2026-01-03", map[string]string{"b.md": "1"}).
		commit("2026-01-04", map[string]string{"a/l.md": "2"})
	c.git("commit", "--quiet", "--amend", "-m", "subject\n\nbody\n\nLessons-Source: sweep")
	c.git("config", "log.showSignature", "true")
	commits, err := Checkout{Dir: c.dir}.Commits(t.Context(), "a/l.md")
	if err != nil || len(commits) != 2 {
		t.Fatalf("%+v, %v", commits, err)
	}
	newest := commits[0]
	if parent := strings.TrimSpace(c.git("rev-parse", "HEAD^")); newest.Parent != parent || commits[1].Parent != "" {
		t.Errorf("parents %q and %q, want %q and none", newest.Parent, commits[1].Parent, parent)
	}
	if newest.Author != "Mara" || newest.Message != "subject\n\nbody\n\nLessons-Source: sweep\n" || len(newest.SHA) != 40 || !newest.At.Equal(time.Date(2026, 1, 4, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", newest)
	}
	for name, dir := range map[string]string{"no commit": newClone(t).dir, "no clone": t.TempDir()} {
		if commits, err := (Checkout{Dir: dir}).Commits(t.Context(), "a/l.md"); err != nil || commits != nil {
			t.Errorf("%s: %+v, %v", name, commits, err)
		}
	}
}
