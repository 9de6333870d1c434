package main

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// Issue 8: while the disk takes nothing, deliveries are answered 503, and it goes on by itself when
// there is room. The limit on the size of files, which anybody may set and lift, is a full disk.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		t.Skip("needs Linux's prlimit")
	}
	w := newWorld(t)
	b := newBurst(w, 1)
	repo := b.repos[0]
	held, released := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	t.Cleanup(release)
	hold := sync.OnceFunc(func() { close(held) })
	w.github.Fail(githubtest.Fault{Route: "PUT /repos/{owner}/{repo}/contents/{path}", Do: func(*http.Request) { hold(); <-released }})
	p := w.start()
	limit := func(size string) {
		if out, err := exec.Command(prlimit, "--pid", strconv.Itoa(p.Process.Pid), "--fsize="+size+":").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	learn(b, repo, "Always close the first shard before the ledger is compacted, otherwise its history is lost.")
	<-held // its write is on its way
	limit("0")
	second := "Always rewind the second tape before the archive is sealed, otherwise its index is lost."
	id := repo.AddReview(1, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: second})
	d, err := w.github.Deliver(context.Background(), repo.ReviewEvent("submitted", 1, id, ""))
	if err != nil || d.StatusCode != http.StatusServiceUnavailable || d.Header.Get("Retry-After") == "" {
		t.Fatalf("on a full disk: %d %s, %v", d.StatusCode, d.Body, err)
	}
	if status, ready := w.get(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(ready, "cannot store") {
		t.Errorf("/readyz on a full disk: %d %s", status, ready)
	}
	if status, _ := w.get(t, "/healthz"); status != http.StatusOK { // a restart would not help
		t.Errorf("/healthz on a full disk: %d", status)
	}
	release() // the commit is made, and cannot be written down
	limit("unlimited")
	if d, err := w.github.Redeliver(context.Background(), d.GUID); err != nil || !d.OK() {
		t.Fatalf("with room again: %d %s, %v", d.StatusCode, d.Body, err)
	}
	b.promise(promise{repo: repo, lesson: second})
	b.settle(t)
	if status, metrics := w.get(t, "/metrics"); status != http.StatusOK || !strings.Contains(metrics, `event="pull_request_review",outcome="unavailable"} 1`) {
		t.Errorf("/metrics: %d %s", status, metrics)
	}
	p.kill()
}

// get asks the program.
func (w *world) get(t *testing.T, path string) (int, string) {
	t.Helper()
	answer, err := http.Get("http://" + w.listen + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}
