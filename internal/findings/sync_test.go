package findings

import (
	"context"
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
	if out := syncWith(t, a, ""); out.Sent || out.Received {
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

// A record that was edited against the rule is two: ours stays, and the sync goes on. So it does
// with a file of the remote that is no record, and a link is no link here.
func TestSyncWithAHostileRemote(t *testing.T) {
	t.Parallel()
	remote, a, b := hub(t), newStore(t), newStore(t)
	r := add(t, a, draft("", first), noon)
	syncWith(t, a, remote)
	syncWith(t, b, remote)
	edit := func(s Store, to string) {
		name := filepath.Join(s.Dir, r.path())
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(src), first, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit(a, "Edited on one machine, which nobody should do.")
	edit(b, "Edited on the other machine, which nobody should do.")
	if err := os.Symlink("/etc/passwd", filepath.Join(a.Dir, "findings", "debugging", "link.json")); err != nil {
		t.Skip(err)
	}
	syncWith(t, a, "")
	out := syncWith(t, b, "")
	if diff := cmp.Diff([]string{"Edited on the other machine, which nobody should do."}, worked(out.Set)); diff != "" {
		t.Error(diff)
	}
	if len(out.Set.Unreadable) != 1 {
		t.Errorf("unreadable: %+v", out.Set.Unreadable)
	}
	if info, err := os.Lstat(filepath.Join(b.Dir, "findings", "debugging", "link.json")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("a link of the remote: %v %v", info, err)
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
