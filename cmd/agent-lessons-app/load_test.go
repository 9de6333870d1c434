package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

const (
	loadConnections = 32
	loadBytes       = 26 << 10 // what GitHub sends of a review
	loadMemory      = 400      // MB; a payload is in memory twice while it is stored, intents are on disk
)

// Issue 8: signed review events on 32 connections, and none fails or waits for a second.
func TestLoad(t *testing.T) {
	lasts := effort(0, 3*time.Second, 30*time.Second)
	if lasts == 0 {
		t.Skip("takes the machine for itself: set AGENT_LESSONS_TEST_ALL=1, or run make load")
	}
	w := newWorld(t)
	b := newBurst(w, 50)
	var payloads [][]byte
	for i, repo := range b.repos {
		lesson := fmt.Sprintf("Always close the shard %d before the ledger is compacted, otherwise its history is lost.", i)
		id := repo.AddReview(1, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: lesson})
		payloads = append(payloads, padded(t, repo.ReviewEvent("submitted", 1, id, ""), loadBytes))
		b.promise(promise{repo: repo, lesson: lesson})
	}
	p := w.start()
	var (
		mu     sync.Mutex
		took   []time.Duration
		failed = map[string]int{}
		all    sync.WaitGroup
	)
	end := time.Now().Add(lasts)
	for c := range loadConnections {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for n := 0; time.Now().Before(end); n++ {
				payload := payloads[(c*7+n)%len(payloads)]
				began := time.Now()
				status, _, err := w.post(client, fmt.Sprintf("load-%d-%d", c, n), payload)
				mu.Lock()
				took = append(took, time.Since(began))
				if status != http.StatusAccepted {
					failed[fmt.Sprint(status, err)]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	p50, p99, worst := took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
	memory := peakMemory(p)
	t.Logf("%d deliveries in %s: %.0f/s, p50 %s, p99 %s, worst %s, %d MB at most", len(took), lasts, float64(len(took))/lasts.Seconds(), p50, p99, worst, memory)
	if len(failed) > 0 {
		t.Errorf("not accepted: %v", failed)
	}
	if p99 > time.Second {
		t.Errorf("p99 is %s", p99)
	}
	if memory > loadMemory {
		t.Errorf("%d MB", memory)
	}
	b.settle(t)
	p.kill()
}

// A full queue says so, and takes events again when there is room.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBurst(w, 1)
	held := make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	t.Cleanup(release)
	w.github.Fail(githubtest.Fault{Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", Times: 1, Do: func(*http.Request) { <-held }})
	p := w.start("--max-waiting", "20")
	id := b.repos[0].AddReview(1, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: "Always rewind the second tape before the archive is sealed, otherwise its index is lost."})
	payload := padded(t, b.repos[0].ReviewEvent("submitted", 1, id, ""), 0)
	for n := range 30 {
		status, header, err := w.post(http.DefaultClient, fmt.Sprint("full-", n), payload)
		refused := status == http.StatusServiceUnavailable && header.Get("Retry-After") != ""
		// The App itself may have found the review, and counts what it has just stored twice at worst.
		if err != nil || n < 15 && status != http.StatusAccepted || n >= 20 && !refused {
			t.Fatalf("delivery %d was answered %d, %v, %v", n, status, header, err)
		}
	}
	if status, ready := w.get(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(ready, "the queue is full") {
		t.Errorf("/readyz: %d %s", status, ready)
	}
	release()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if status, _, err := w.post(http.DefaultClient, "full-29", payload); err == nil && status == http.StatusAccepted {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it stays full")
		}
	}
	p.kill()
}

// padded is an event's payload with so many bytes at least.
func padded(t *testing.T, event githubtest.Event, size int) []byte {
	t.Helper()
	payload, err := json.Marshal(event.Payload)
	if err != nil {
		t.Fatal(err)
	}
	more := fmt.Sprintf(`,"padding":"%s"}`, strings.Repeat("x", max(0, size-len(payload)-13)))
	return append(bytes.TrimSuffix(payload, []byte("}")), more...)
}

// post delivers without the stand-in, which would remember each delivery.
func (w *world) post(client *http.Client, guid string, payload []byte) (int, http.Header, error) {
	request, err := http.NewRequest(http.MethodPost, "http://"+w.listen+"/api/github/hook", bytes.NewReader(payload))
	if err != nil {
		return 0, nil, err
	}
	request.Header = http.Header{
		"Content-Type": {"application/json"}, "X-Github-Event": {"pull_request_review"}, "X-Github-Delivery": {guid},
		"X-Hub-Signature-256": {githubtest.Sign(hookSecret, payload)},
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header, err
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most memory that the process had, in MB; 0 where the system does not tell.
func peakMemory(p *process) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		return 0
	}
	kb, _ := strconv.Atoi(string(highWater.FindSubmatch(status)[1]))
	return kb / 1024
}
