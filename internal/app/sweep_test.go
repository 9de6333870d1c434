package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// sweepAll plans the sweeps of a period and waits for one repository's.
func (b *bench) sweepAll(began time.Time) queue.Delivery {
	b.t.Helper()
	if err := b.app.planSweeps(context.Background(), began); err != nil {
		b.t.Fatal(err)
	}
	return b.wait(fmt.Sprintf("sweep %s %d", began.Format(time.RFC3339), b.repo.ID()))
}

func TestTheAppSweeps(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.github.AddInstallation(2, "dormant")
	b.github.Suspend(2)
	archived := b.github.AddRepository(1, "acme/old", map[string]string{config.DefaultStore: "- Old. (PR #1, 2020-01-01, ci-fix)\n"})
	archived.Archive()
	b.repo.Put("scripts/shots.sh", "#!/bin/sh\n", "add shots")
	b.repo.Put(config.DefaultStore, strings.Join([]string{
		"- Long ago. (PR #1, 2020-01-01, ci-fix)",
		"- Mind `scripts/shots.sh` always. (PR #2, " + yesterday() + ", ci-fix)",
		"- Mind `README.md` always. (PR #2, " + yesterday() + ", founder-note)",
		"- Mind `scripts/shots.sh`: a person's line.",
	}, "\n")+"\n", "lessons")
	b.repo.Remove("scripts/shots.sh", "drop shots")

	began := time.Now().UTC().Truncate(time.Hour)
	got := b.sweepAll(began)
	if got.Outcome.Result != "swept" || !strings.Contains(got.Outcome.Reason, "scripts/shots.sh was deleted on "+today()) {
		t.Errorf("outcome %+v\n%s", got.Outcome, b.log)
	}
	want := []string{
		"- Long ago. (PR #1, 2020-01-01, ci-fix; expired " + today() + ")",
		"- Mind `scripts/shots.sh` always. (PR #2, " + yesterday() + ", ci-fix; stale " + today() + ")",
		"- Mind `README.md` always. (PR #2, " + yesterday() + ", founder-note)",
		"- Mind `scripts/shots.sh`: a person's line.",
	}
	if diff := cmp.Diff(want, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
	}
	if commit := b.repo.Commits(config.DefaultStore)[0]; !strings.HasPrefix(commit.Message, "lessons: 1 stale, 1 expired (sweep) [skip ci]\n") {
		t.Errorf("message %q", commit.Message)
	}

	before := len(b.repo.Commits(""))
	b.sweepAll(began) // a replica, or the same one after a restart
	if again := b.sweepAll(began.Add(time.Hour)); again.Outcome.Reason != "nothing to sweep" {
		t.Errorf("outcome %+v", again.Outcome)
	}
	if after := len(b.repo.Commits("")); after != before {
		t.Errorf("%d more commits", after-before)
	}
	if content, _ := archived.File(config.DefaultStore); strings.Contains(content, "expired") {
		t.Error("an archived repository was swept")
	}
}

func yesterday() string { return time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly) }

// The schedule begins with the present period and ends with its context.
func TestTheSchedule(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); b.app.SweepEvery(ctx, 24*time.Hour) }()
	guid := fmt.Sprintf("sweep %sT00:00:00Z %d", today(), b.repo.ID())
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, known, err := b.queue.Delivery(ctx, guid); err != nil || time.Now().After(deadline) {
			t.Fatalf("not planned: %v", err)
		} else if known {
			break
		}
	}
	if got := b.wait(guid); got.Outcome.Reason != "nothing to sweep" {
		t.Errorf("outcome %+v", got)
	}
	cancel()
	<-over
}
