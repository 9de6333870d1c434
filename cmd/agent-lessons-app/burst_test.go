package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/ledger"
)

const lessonsFile = ".agent-corp/lessons.md"

// effort is how much a test of endurance does: a little with Go alone, more in `make test`, and all
// that the issue asks for in `make soak`.
func effort[T any](little, more, all T) T {
	switch {
	case os.Getenv("AGENT_LESSONS_SOAK") == "1":
		return all
	case os.Getenv("AGENT_LESSONS_TEST_ALL") == "1":
		return more
	default:
		return little
	}
}

// burst sends reviews, merges over them and commands, as fast as they are acknowledged, and holds the
// program to what it acknowledged.
type burst struct {
	w       *world
	repos   []*githubtest.Repository
	stop    chan struct{}
	senders sync.WaitGroup

	mu       sync.Mutex
	promises []promise
}

// promise is what an acknowledged delivery has to lead to, once.
type promise struct {
	repo   *githubtest.Repository
	lesson string
	ending string // of the bullet's trailer; "" for any
	reply  bool   // one comment has to quote the lesson
}

// Nothing collapses here: what is counted is that each lesson is there once.
const apart = "similarity:\n  floor: 1\ncap: 1000\n"

func newBurst(w *world, repositories int) *burst {
	b := &burst{w: w, stop: make(chan struct{})}
	for i := range repositories {
		repo := w.github.AddRepository(1, fmt.Sprintf("acme/r%d", i), map[string]string{".agent-corp/config.yml": apart})
		repo.SetPermission("mara", "write", "")
		b.repos = append(b.repos, repo)
		openPull(repo)
	}
	return b
}

func openPull(repo *githubtest.Repository) int {
	return repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"main.go": "package main\n"}})
}

// begin starts senders, each of which sends one event after another to the repositories that are
// its own: there, what is acknowledged first is to be done first.
func (b *burst) begin(senders int, kinds ...func(*burst, *githubtest.Repository, string) bool) {
	for s := range senders {
		b.senders.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-b.stop:
					return
				default:
				}
				repo := b.repos[(s+n*senders)%len(b.repos)]
				lesson := fmt.Sprintf("Always close the shard %d of sender %d before the ledger is compacted, otherwise its history is lost.", n, s)
				if !kinds[n%len(kinds)](b, repo, lesson) {
					time.Sleep(time.Millisecond) // the program is down
				}
			}
		})
	}
}

func (b *burst) end() {
	close(b.stop)
	b.senders.Wait()
}

// deliver reports whether an event was acknowledged. What was not is given up: GitHub does not
// deliver again by itself.
func (b *burst) deliver(event githubtest.Event) bool {
	delivery, err := b.w.github.Deliver(context.Background(), event)
	return err == nil && delivery.OK()
}

func (b *burst) promise(p promise) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.promises = append(b.promises, p)
}

// learn has a review teach a lesson.
func learn(b *burst, repo *githubtest.Repository, lesson string) bool {
	ok := b.review(repo, 1, lesson)
	if ok {
		b.promise(promise{repo: repo, lesson: lesson})
	}
	return ok
}

func (b *burst) review(repo *githubtest.Repository, number int, lesson string) bool {
	id := repo.AddReview(number, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: lesson})
	return b.deliver(repo.ReviewEvent("submitted", number, id, ""))
}

// override has a review teach a lesson, and a merge go over it.
func override(b *burst, repo *githubtest.Repository, lesson string) bool {
	number := openPull(repo)
	if !b.review(repo, number, lesson) {
		return false
	}
	repo.Merge(number, "piet")
	p := promise{repo: repo, lesson: lesson}
	if b.deliver(repo.PullEvent("closed", number, "piet")) {
		p.ending = "; overridden "
	}
	b.promise(p)
	return true
}

// command has a person keep a lesson by a comment.
func command(b *burst, repo *githubtest.Repository, lesson string) bool {
	id := repo.AddComment(1, "mara", "/lesson "+lesson)
	ok := b.deliver(repo.CommentEvent("created", id, ""))
	if ok {
		b.promise(promise{repo: repo, lesson: lesson, ending: ", founder-note", reply: true})
	}
	return ok
}

// aged adds a repository with a lesson that a sweep has to retire.
func (b *burst) aged(i int) {
	lesson := fmt.Sprintf("Always rewind tape %d before the archive is sealed, otherwise its index is lost.", i)
	repo := b.w.github.AddRepository(1, fmt.Sprintf("acme/old%d", i), map[string]string{
		lessonsFile: "# Lessons\n\n- " + lesson + " (PR #1, 2020-01-02, changes-requested)\n",
	})
	b.promise(promise{repo: repo, lesson: lesson, ending: "; expired "})
}

// kept says how a promise was broken; "" when it was kept.
func (p promise) kept(file string) string {
	var found []string
	for line := range strings.Lines(file) {
		if strings.Contains(line, p.lesson) {
			found = append(found, line)
		}
	}
	switch {
	case len(found) != 1:
		return fmt.Sprintf("%q is in the file %d times", p.lesson, len(found))
	case !strings.Contains(found[0], p.ending):
		return fmt.Sprintf("%q does not end in %q", found[0], p.ending)
	}
	return ""
}

// settle waits until all promises are kept; it gives up when nothing has moved for a while. Then
// it says which are broken, and whether anything was done twice.
func (b *burst) settle(t *testing.T) {
	t.Helper()
	var broken []string
	since := time.Now()
	for left := -1; ; time.Sleep(20 * time.Millisecond) {
		if broken = b.broken(); len(broken) == 0 || time.Since(since) > 20*time.Second {
			break
		}
		if len(broken) != left {
			left, since = len(broken), time.Now()
		}
	}
	for _, how := range broken[:min(len(broken), 10)] {
		t.Error(how)
	}
	commits := 0
	for _, repo := range b.all() {
		seen := map[string]bool{}
		for _, commit := range repo.Commits(lessonsFile) {
			commits++
			for _, entry := range ledger.Parse(commit.Message) {
				for _, source := range entry.Sources() {
					if seen[source.String()] && source.PR.Number != 0 {
						t.Errorf("%s was committed twice", source) // a sweep has no pull request, and many commits
					}
					seen[source.String()] = true
				}
				for _, touched := range entry.Bullets {
					if what := touched.What + " " + touched.Handle; seen[what] {
						t.Errorf("twice: %s", what)
					} else {
						seen[what] = true
					}
				}
			}
		}
	}
	if len(b.promises) == 0 {
		t.Error("nothing was acknowledged")
	}
	t.Logf("%d acknowledged, %d commits", len(b.promises), commits)
}

// broken tells of promises that are not kept.
func (b *burst) broken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	files, talk := map[*githubtest.Repository]string{}, map[*githubtest.Repository]string{}
	var out []string
	for _, p := range b.promises {
		if _, read := files[p.repo]; !read {
			files[p.repo], _ = p.repo.File(lessonsFile)
		}
		if _, read := talk[p.repo]; p.reply && !read {
			for _, comment := range p.repo.Comments(1) {
				if comment.User != "mara" {
					talk[p.repo] += comment.Body + "\n"
				}
			}
		}
		if how := p.kept(files[p.repo]); how != "" {
			out = append(out, how)
		} else if n := strings.Count(talk[p.repo], p.lesson); p.reply && n != 1 {
			out = append(out, fmt.Sprintf("%q was answered %d times", p.lesson, n))
		}
	}
	return out
}

// all returns the repositories of all promises.
func (b *burst) all() []*githubtest.Repository {
	seen := map[*githubtest.Repository]bool{}
	var out []*githubtest.Repository
	for _, p := range b.promises {
		if !seen[p.repo] {
			seen[p.repo] = true
			out = append(out, p.repo)
		}
	}
	return out
}
