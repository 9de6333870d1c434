package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/ledger"
)

// Issue 2: 100 kill -9 at random moments of a burst of reviews, and every acknowledged review
// ends in the file exactly once.
func TestKilledAtRandomMoments(t *testing.T) {
	kills := 5
	if os.Getenv("AGENT_LESSONS_TEST_ALL") == "1" {
		kills = 100
	}
	w := newWorld(t)
	var repos []*githubtest.Repository
	for i := range 1 + kills/4 {
		// Nothing collapses here: what is counted is that each review is learned once.
		repo := w.github.AddRepository(1, fmt.Sprintf("acme/r%d", i), map[string]string{".agent-corp/config.yml": "similarity:\n  floor: 1\ncap: 1000\n"})
		repo.SetPermission("mara", "write", "")
		repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"main.go": "package main\n"}})
		repos = append(repos, repo)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var acknowledged sync.Map // review id → its lesson and repository
	stop := make(chan struct{})
	var senders sync.WaitGroup
	for s := range 2 {
		senders.Go(func() { w.send(repos, s, stop, &acknowledged) })
	}
	for range kills {
		p := w.start()
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		_ = p.Process.Signal(syscall.SIGKILL)
		<-p.done
	}
	close(stop)
	senders.Wait()
	p := w.start()
	w.settled(repos, &acknowledged)
	_ = p.Process.Signal(syscall.SIGTERM)
	if err := <-p.done; err != nil {
		t.Errorf("the last run ended with %v\n%s", err, p.out)
	}
	count, commits := 0, 0
	acknowledged.Range(func(_, value any) bool {
		sent := value.(sentReview)
		content, _ := sent.repo.File(".agent-corp/lessons.md")
		if n := strings.Count(content, sent.lesson); n != 1 {
			t.Errorf("%q is in the file %d times", sent.lesson, n)
		}
		count++
		return true
	})
	for _, repo := range repos {
		seen := map[string]bool{}
		for _, commit := range repo.Commits(".agent-corp/lessons.md") {
			commits++
			for _, entry := range ledger.Parse(commit.Message) {
				if seen[entry.Source.String()] {
					t.Errorf("%s was committed twice", entry.Source)
				}
				seen[entry.Source.String()] = true
			}
		}
	}
	if count == 0 {
		t.Error("no review was acknowledged")
	}
	t.Logf("%d kills, %d acknowledged reviews, %d commits", kills, count, commits)
}

type sentReview struct {
	repo   *githubtest.Repository
	lesson string
}

// send delivers one review after another, and notes those that were acknowledged. What was not
// is given up: GitHub does not deliver again by itself.
func (w *world) send(repos []*githubtest.Repository, sender int, stop chan struct{}, acknowledged *sync.Map) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		repo := repos[n%len(repos)]
		lesson := fmt.Sprintf("Always close the shard %d of sender %d before the ledger is compacted, otherwise its history is lost.", n, sender)
		id := repo.AddReview(1, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: lesson})
		delivery, err := w.github.Deliver(context.Background(), repo.ReviewEvent("submitted", 1, id, ""))
		if err == nil && delivery.OK() {
			acknowledged.Store(id, sentReview{repo, lesson})
			continue
		}
		time.Sleep(time.Millisecond) // the program is down
	}
}

// settled waits until all acknowledged lessons are in their files; it gives up when nothing has
// moved for a while, and leaves the verdict to the caller.
func (w *world) settled(repos []*githubtest.Repository, acknowledged *sync.Map) {
	left, since := -1, time.Now()
	for time.Since(since) < 15*time.Second {
		missing := 0
		files := map[*githubtest.Repository]string{}
		for _, repo := range repos {
			files[repo], _ = repo.File(".agent-corp/lessons.md")
		}
		acknowledged.Range(func(_, value any) bool {
			if sent := value.(sentReview); !strings.Contains(files[sent.repo], sent.lesson) {
				missing++
			}
			return true
		})
		if missing == 0 {
			return
		}
		if missing != left {
			left, since = missing, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
}
