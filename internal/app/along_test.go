package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// What arrives while a commit is made shares the next one; what arrives alone does not wait.
func TestABurstSharesCommits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sentences := []string{lessonA, lessonC, lessonD, lessonB}
	var events []githubtest.Event
	for _, s := range sentences {
		events = append(events, b.review("piet", "mara", "", s))
	}
	nothingInIt := b.submit("piet", githubtest.Review{User: "sam", State: "CHANGES_REQUESTED", Comments: inline(lessonD)})
	entered, leave := make(chan struct{}), make(chan struct{})
	b.github.Fail(githubtest.Fault{Route: putContents, Do: func(*http.Request) {
		close(entered)
		<-leave
	}})
	guids := []string{b.send(events[0])}
	<-entered
	for _, event := range append(events[1:], nothingInIt) {
		guids = append(guids, b.send(event))
	}
	close(leave)
	for i, guid := range guids {
		want := "learned"
		if i == len(guids)-1 {
			want = "nothing"
		}
		if got := b.wait(guid); got.Outcome.Result != want || got.Attempts != 1 {
			t.Errorf("review %d: %+v\n%s", i+1, got, b.log)
		}
	}
	wantLessons(t, b.lessons(), lessonA+" (PR #4, "+today()+", changes-requested, earned 2x)", lessonC, lessonD)
	commits := b.repo.Commits(config.DefaultStore)
	if len(commits) != 2 {
		t.Fatalf("%d commits, want 2", len(commits))
	}
	message := commits[0].Message
	if subject, _, _ := strings.Cut(message, "\n"); subject != "lessons: 2 appended, 1 refreshed (3 pull requests) [skip ci]" {
		t.Errorf("subject %q", subject)
	}
	if entries := ledger.Parse(message); len(entries) != 3 || entries[2].Refreshed != 1 || entries[0].Total != 3 {
		t.Errorf("entries %+v", entries)
	}
}

// commit.batch allows one commit in a period, and loses nothing.
func TestABatchWaits(t *testing.T) {
	t.Parallel()
	now, pass := hours()
	b := newBenchWith(t, benchOptions{now: now})
	b.repo.Put(config.Path, "commit:\n  batch: 10m\n", "configure")
	b.deliver(b.review("piet", "mara", "", lessonA))
	guids := []string{b.send(b.review("piet", "mara", "", lessonC)), b.send(b.review("piet", "mara", "", lessonD))}
	var last queue.Delivery
	await(t, "both wait", func() bool {
		for _, guid := range guids {
			last, _, _ = b.queue.Delivery(t.Context(), guid)
			if !last.NotBefore.After(now().Add(time.Minute)) {
				return false
			}
		}
		return true
	})
	if last.Attempts != 0 || last.State != queue.Waiting {
		t.Errorf("waiting: %+v", last)
	}
	pass(10 * time.Minute)
	if err := b.queue.Resume(t.Context(), 1); err != nil { // the queue's own clock is not set forward
		t.Fatal(err)
	}
	for _, guid := range guids {
		if got := b.wait(guid); got.Outcome.Result != "learned" {
			t.Errorf("outcome %+v", got)
		}
	}
	if commits := b.repo.Commits(config.DefaultStore); len(commits) != 2 {
		t.Errorf("%d commits, want 2", len(commits))
	}
	wantLessons(t, b.lessons(), lessonA, lessonC, lessonD)
}

// A crash after the shared commit teaches none of its reviews again.
func TestASharedCommitIsDoneForAll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var guids []string
	entered, leave := make(chan struct{}), make(chan struct{})
	b.github.Fail(githubtest.Fault{Route: putContents, Do: func(*http.Request) {
		close(entered)
		<-leave
	}})
	guids = append(guids, b.send(b.review("piet", "mara", "", lessonA)))
	<-entered
	b.github.Fail(githubtest.Fault{Route: putContents, After: true, Reset: true}) // the shared commit's answer is lost
	for _, s := range []string{lessonC, lessonD} {
		guids = append(guids, b.send(b.review("piet", "mara", "", s)))
	}
	close(leave)
	for _, guid := range guids {
		if got := b.wait(guid); got.State != queue.Done {
			t.Errorf("%+v", got)
		}
	}
	wantLessons(t, b.lessons(), lessonA, lessonC, lessonD)
	if commits := b.repo.Commits(config.DefaultStore); len(commits) != 2 {
		t.Errorf("%s", fmt.Sprint(commits))
	}
}
