package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func tree(t *testing.T) Tree {
	t.Helper()
	return Tree{Root: t.TempDir(), Path: ".agent-corp/lessons.md"}
}

func put(t *testing.T, tr Tree, content string) {
	t.Helper()
	name := filepath.Join(tr.Root, filepath.FromSlash(tr.Path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
}

func TestTreeWritesWhatItRead(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	was, err := tr.Read(t.Context())
	if err != nil || was.Exists {
		t.Fatalf("a missing file: %+v, %v", was, err)
	}
	if _, err := tr.Write(t.Context(), was, []byte("one\r\n"), ""); err != nil {
		t.Fatal(err)
	}
	now, err := tr.Read(t.Context())
	if err != nil || string(now.Content) != "one\r\n" {
		t.Fatalf("got %q, %v", now.Content, err)
	}
	if _, err := tr.Write(t.Context(), was, []byte("two"), ""); !errors.Is(err, ErrConflict) {
		t.Errorf("a file that has appeared since: %v", err)
	}
	put(t, tr, "a person's")
	if _, err := tr.Write(t.Context(), now, []byte("two"), ""); !errors.Is(err, ErrConflict) {
		t.Errorf("a file that has changed since: %v", err)
	}
	if now, _ := tr.Read(t.Context()); string(now.Content) != "a person's" {
		t.Errorf("a person's edit is gone: %q", now.Content)
	}
	left, _ := filepath.Glob(filepath.Join(tr.Root, ".agent-corp", "*.lock"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTreeKeepsTheMode(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	put(t, tr, "one")
	was, _ := tr.Read(t.Context())
	if _, err := tr.Write(t.Context(), was, []byte("two"), ""); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(tr.Root, filepath.FromSlash(tr.Path)))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestTreeHoldsALock(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	put(t, tr, "one")
	was, _ := tr.Read(t.Context())
	lock := Tree{Root: tr.Root, Path: tr.Path + ".lock"}
	put(t, lock, "")
	_, err := tr.Write(t.Context(), was, []byte("two"), "")
	if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "lessons.md.lock") {
		t.Errorf("got %v", err)
	}
}

func TestTreeRefuses(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, tr Tree)
		want    string
	}{
		"a directory": {func(t *testing.T, tr Tree) { put(t, Tree{Root: tr.Root, Path: tr.Path + "/x"}, "") }, "directory"},
		"a link": {func(t *testing.T, tr Tree) {
			put(t, tr, "")
			name := filepath.Join(tr.Root, filepath.FromSlash(tr.Path))
			if err := errors.Join(os.Remove(name), os.Symlink(outside, name)); err != nil {
				t.Skip(err)
			}
		}, "symbolic link"},
		"a folder that links outside": {func(t *testing.T, tr Tree) {
			if err := os.Symlink(filepath.Dir(outside), filepath.Join(tr.Root, ".agent-corp")); err != nil {
				t.Skip(err)
			}
		}, "escapes"},
		"1 MB":           {func(t *testing.T, tr Tree) { put(t, tr, strings.Repeat("x", MaxBytes)) }, "1 MB or larger"},
		"an LFS pointer": {func(t *testing.T, tr Tree) { put(t, tr, "version https://git-lfs.github.com/spec/v1\n") }, "LFS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := tree(t)
			c.prepare(t, tr)
			if _, err := tr.Read(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A write that would lock the file out for good is refused, and the file stays.
func TestTreeRefusesToOutgrow(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	put(t, tr, "one")
	was, _ := tr.Read(t.Context())
	if _, err := tr.Write(t.Context(), was, make([]byte, MaxBytes), ""); err == nil || !strings.Contains(err.Error(), "would become, 1 MB") {
		t.Errorf("got %v", err)
	}
	if now, err := tr.Read(t.Context()); err != nil || string(now.Content) != "one" {
		t.Errorf("got %q, %v", now.Content, err)
	}
}
