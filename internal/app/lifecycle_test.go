package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// tell delivers a webhook that leads to no intent.
func (b *bench) tell(event githubtest.Event) {
	b.t.Helper()
	if delivery, err := b.github.Deliver(context.Background(), event); err != nil || !delivery.OK() {
		b.t.Fatalf("the App answered %d %s, %v", delivery.StatusCode, delivery.Body, err)
	}
}

// parked waits until a delivery's repository waits for a person.
func (b *bench) parked(guid string) queue.Delivery {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		record, _, err := b.queue.Delivery(context.Background(), guid)
		if err != nil || record.State != queue.Waiting || time.Now().After(deadline) {
			b.t.Fatalf("it does not wait: %+v, %v\n%s", record, err, b.log)
		}
		if record.NotBefore.After(time.Now().Add(time.Hour)) {
			return record
		}
	}
}

// What only an owner can change parks the repository's work, and it goes on when they did.
func TestParkedWorkGoesOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trouble func(b *bench)
		reason  string
		mend    func(b *bench) githubtest.Event
	}{
		"a suspended installation": {
			func(b *bench) { b.github.Suspend(1) }, "suspended",
			func(b *bench) githubtest.Event {
				b.github.Unsuspend(1)
				return b.github.InstallationEvent("unsuspend", 1, "noor")
			},
		},
		"a permission that was not granted": {
			func(b *bench) {
				b.github.SetPermissions(1, map[string]string{"metadata": "read", "pull_requests": "read", "contents": "read"})
			}, "not accessible",
			func(b *bench) githubtest.Event {
				b.github.SetPermissions(1, map[string]string{"metadata": "read", "pull_requests": "write", "contents": "write"})
				return b.github.InstallationEvent("new_permissions_accepted", 1, "noor")
			},
		},
		"an archived repository": {
			func(b *bench) { b.repo.Archive() }, "archived",
			func(b *bench) githubtest.Event {
				b.repo.Unarchive()
				return b.repo.RepositoryEvent("unarchived", "", "noor")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			event := b.review("piet", "mara", "", lessonA)
			c.trouble(b)
			delivery, err := b.github.Deliver(context.Background(), event)
			if err != nil || !delivery.OK() {
				t.Fatal(delivery.StatusCode, err)
			}
			if got := b.parked(delivery.GUID); !strings.Contains(got.Outcome.Reason, c.reason) || got.Attempts != 0 {
				t.Errorf("parked: %+v", got)
			}
			b.tell(c.mend(b))
			if got := b.wait(delivery.GUID); got.Outcome.Result != "learned" || got.Attempts != 1 {
				t.Errorf("in the end: %+v\n%s", got, b.log)
			}
		})
	}
}

// The end of an installation calls nobody: its token is dead.
func TestAnUninstalledAppGivesUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	event := b.review("piet", "mara", "", lessonA)
	b.github.Suspend(1)
	delivery, err := b.github.Deliver(context.Background(), event)
	if err != nil {
		t.Fatal(err)
	}
	b.parked(delivery.GUID)
	gone := b.github.InstallationEvent("deleted", 1, "noor")
	b.github.Uninstall(1)
	b.github.ResetRequests()
	b.tell(gone)
	if got := b.wait(delivery.GUID); got.State != queue.GaveUp || got.Outcome.Reason != "the App was uninstalled" {
		t.Errorf("in the end: %+v", got)
	}
	if asked := b.github.Requests(); len(asked) != 0 {
		t.Errorf("asked %v", asked)
	}
}

// Work follows its repository to another name and another owner.
func TestWorkFollowsItsRepository(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(b *bench) githubtest.Event{
		"renamed": func(b *bench) githubtest.Event {
			b.repo.Rename("acme/other")
			return b.repo.RepositoryEvent("renamed", "api", "noor")
		},
		"another default branch": func(b *bench) githubtest.Event {
			b.repo.Push("trunk", "noor", "begin", map[string]string{"README.md": "# trunk\n"})
			b.repo.SetDefaultBranch("trunk")
			return b.repo.RepositoryEvent("edited", "main", "noor")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			event := b.review("piet", "mara", "", lessonA)
			b.repo.Archive()
			delivery, err := b.github.Deliver(context.Background(), event)
			if err != nil {
				t.Fatal(err)
			}
			b.parked(delivery.GUID)
			b.repo.Unarchive()
			b.tell(move(b))
			if got := b.wait(delivery.GUID); got.Outcome.Result != "learned" || len(b.lessons()) != 1 {
				t.Errorf("in the end: %+v\n%s", got, b.log)
			}
		})
	}
}

// Without the event (it is sent to the new owner alone), an old name is followed by its redirect,
// and writes stay writes.
func TestARenamedRepositoryIsFoundByItsRedirect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	event := b.review("piet", "mara", "", lessonA)
	b.repo.Rename("acme/other")
	if got := b.deliver(event); got.Outcome.Result != "learned" || len(b.lessons()) != 1 {
		t.Errorf("in the end: %+v\n%s", got, b.log)
	}
}
