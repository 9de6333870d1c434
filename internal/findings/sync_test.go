package findings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("AGENT_LESSONS_TEST_ALL") == "1" {
			t.Fatal(err)
		}
		t.Skip("git is not installed")
	}
}

func hub(t *testing.T) string {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", "--bare", "--initial-branch=main", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func atOnce(context.Context, int) error { return nil }

func syncWith(t *testing.T, s Store, remote string) Synced {
	t.Helper()
	out, err := s.Sync(context.Background(), remote, atOnce)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Two machines that both wrote since they last met: each conflict is in what is derived.
func TestSyncTwoClones(t *testing.T) {
	t.Parallel()
	remote, a, b := hub(t), newStore(t), newStore(t)
	for i := range 3 {
		add(t, a, draft(fmt.Sprint("a", i), first), noon)
		add(t, b, draft(fmt.Sprint("b", i), second), noon)
		syncWith(t, a, remote)
		syncWith(t, b, remote)
	}
	add(t, a, draft("a0", second), noon.Add(1e9)) // replaces what both have
	syncWith(t, a, remote)
	syncWith(t, b, "")
	if out := syncWith(t, a, ""); out.Sent+out.Received > 0 {
		t.Errorf("%+v, though all is in step", out)
	}
	for _, name := range []string{indexFile, statsFile} {
		inA, _ := os.ReadFile(filepath.Join(a.Dir, name))
		inB, _ := os.ReadFile(filepath.Join(b.Dir, name))
		if diff := cmp.Diff(string(inA), string(inB)); diff != "" || len(inA) == 0 {
			t.Errorf("%s differs:\n%s", name, diff)
		}
	}
	if got := len(load(t, b).Records); got != 6 {
		t.Errorf("%d findings, want 6", got)
	}
}

// Machines that push at the same moment: whoever loses the race merges and pushes again.
func TestSyncConcurrently(t *testing.T) {
	t.Parallel()
	remote := hub(t)
	stores := []Store{newStore(t), newStore(t), newStore(t)}
	var wg sync.WaitGroup
	for i, s := range stores {
		add(t, s, draft(fmt.Sprint(i), first), noon)
		wg.Go(func() {
			if _, err := s.Sync(context.Background(), remote, atOnce); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, s := range stores {
		syncWith(t, s, "")
		if got := len(load(t, s).Records); got != len(stores) {
			t.Errorf("%d findings, want %d", got, len(stores))
		}
	}
}

// commitTo commits to the remote what edit does in a clone of it, as anybody may who can push.
func commitTo(t *testing.T, remote, branch string, edit func(run func(args ...string), dir string)) {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgSign=false"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	run("clone", "-q", remote, ".")
	edit(run, dir)
	run("add", "--all", "--force")
	run("commit", "-q", "-m", "x")
	run("push", "-q", "origin", "HEAD:refs/heads/"+branch)
}

// Whatever somebody commits: nothing but a tombstone removes a finding, nothing but records and
// tombstones arrives, and everybody's sync goes on and ends in step.
func TestSyncWithAHostileRemote(t *testing.T) {
	t.Parallel()
	write := func(dir, name, content string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, edit := range map[string]func(run func(args ...string), dir string){
		"files of the store's own": func(_ func(args ...string), dir string) {
			for _, name := range []string{"meta/lock", "meta/hook.log", "meta/recall", "README.md"} {
				write(dir, name, "x")
			}
		},
		"all removed": func(run func(args ...string), _ string) { run("rm", "-r", "-q", ".") },
		"a file": func(run func(args ...string), dir string) {
			run("rm", "-r", "-q", "findings")
			write(dir, "findings", "x")
		},
		"a link": func(run func(args ...string), dir string) {
			run("rm", "-r", "-q", "findings")
			if err := os.Symlink("/etc", filepath.Join(dir, "findings")); err != nil {
				t.Skip(err)
			}
		},
		"a link as a record": func(_ func(args ...string), dir string) {
			if err := os.Symlink("/etc/passwd", filepath.Join(dir, "findings", "debugging", "link.json")); err != nil {
				t.Skip(err)
			}
		},
		"names that are none": func(_ func(args ...string), dir string) {
			write(dir, "findings/UPPER/x.json", "{}")
			write(dir, "findings/debugging/.hidden.json", "{}")
			write(dir, "findings/debugging/big.json", strings.Repeat("x", maxRecord+1))
			write(dir, "findings/debugging/deep/x.json", "{}")
		},
		"an edited index": func(_ func(args ...string), dir string) { write(dir, indexFile, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote, a, b := hub(t), newStore(t), newStore(t)
			add(t, a, draft("a", first), noon)
			add(t, b, draft("b", second), noon)
			syncWith(t, a, remote)
			syncWith(t, b, remote)
			commitTo(t, remote, "main", edit)
			add(t, a, draft("c", first), noon)
			for range 2 {
				for _, s := range []Store{a, b} {
					if err := os.WriteFile(filepath.Join(s.Dir, "meta", "hook.log"), []byte("ours"), 0o600); err != nil {
						t.Fatal(err)
					}
					syncWith(t, s, "")
				}
			}
			fresh := newStore(t)
			syncWith(t, fresh, remote)
			for i, s := range []Store{a, b, fresh} {
				out := syncWith(t, s, "")
				if len(out.Set.Records) != 3 || out.Sent+out.Received > 0 || len(out.Set.Unreadable) > 0 {
					t.Errorf("store %d: %d findings, %+v", i, len(out.Set.Records), out)
				}
				if log, err := os.ReadFile(filepath.Join(s.Dir, "meta", "hook.log")); i < 2 && string(log) != "ours" || i == 2 && err == nil {
					t.Errorf("the log: %q", log)
				}
				if _, err := os.Stat(filepath.Join(s.Dir, "README.md")); err == nil {
					t.Error("a foreign file arrived")
				}
			}
		})
	}
}

// A record that was edited against the rule is two: each store keeps its own, and is in step.
func TestSyncAnEditedRecord(t *testing.T) {
	t.Parallel()
	remote, a, b := hub(t), newStore(t), newStore(t)
	r := add(t, a, draft("", first), noon)
	syncWith(t, a, remote)
	syncWith(t, b, remote)
	for _, s := range []Store{a, b} {
		edited := r
		edited.WhatWorked = "Edited in " + s.Dir
		src, err := edited.marshal()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.Dir, r.path()), src, 0o600); err != nil {
			t.Fatal(err)
		}
		out := syncWith(t, s, "")
		if diff := cmp.Diff([]string{edited.WhatWorked}, worked(out.Set)); diff != "" || out.Sent+out.Received > 0 {
			t.Errorf("%+v\n%s", out, diff)
		}
	}
}

// The remote says which branch is its own; signing is not asked for; a typing mistake is not kept.
func TestSyncSettings(t *testing.T) {
	t.Parallel()
	remote, a, b := hub(t), newStore(t), newStore(t)
	if out, err := exec.Command("git", "-C", remote, "symbolic-ref", "HEAD", "refs/heads/trunk").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commitTo(t, remote, "trunk", func(_ func(args ...string), dir string) {
		if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("Findings."), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := a.Sync(context.Background(), remote+"-typo", atOnce); err == nil {
		t.Fatal("a remote that is not there")
	}
	for _, setting := range [][]string{{"commit.gpgsign", "true"}, {"gpg.program", "/none"}, {"push.gpgSign", "true"}} {
		if out, err := exec.Command("git", append([]string{"-C", a.Dir, "config"}, setting...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	add(t, a, draft("a", first), noon)
	if out := syncWith(t, a, remote); out.Branch != "trunk" || out.Sent != 1 {
		t.Errorf("%+v", out)
	}
	if out := syncWith(t, b, remote); out.Branch != "trunk" || out.Received != 1 || out.Sent != 0 {
		t.Errorf("%+v", out)
	}
	if out, err := exec.Command("git", "-C", remote, "ls-tree", "--name-only", "trunk").Output(); err != nil || !strings.Contains(string(out), "README.md") {
		t.Errorf("the remote's own files: %s %v", out, err)
	}
	_, err := a.Sync(context.Background(), "other.git", atOnce)
	if want := "git -C '" + a.Dir + "' remote set-url origin 'other.git'"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSyncSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	remote, s := hub(t), newStore(t)
	if _, err := s.Sync(context.Background(), "", atOnce); err == nil || !strings.Contains(err.Error(), "--remote") {
		t.Errorf("without a remote: %v", err)
	}
	syncWith(t, s, remote)
	if _, err := s.Sync(context.Background(), remote+"2", atOnce); err == nil || !strings.Contains(err.Error(), "another remote") {
		t.Errorf("another remote: %v", err)
	}
	wrong := newStore(t)
	if _, err := wrong.Sync(context.Background(), filepath.Join(s.Dir, "none.git"), atOnce); err == nil {
		t.Error("a remote that does not exist is not being offline")
	}
}
