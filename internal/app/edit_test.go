package app

import (
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// edit pushes a file as a person, and returns the event that tells of it.
func (b *bench) edit(path, content string) githubtest.Event {
	before := b.repo.Head("main")
	b.repo.Push("main", "piet", "by hand", map[string]string{path: content})
	return b.repo.PushEvent("main", before, "piet")
}

// A mangled trailer is told once, on the commit that brought it, and left alone.
func TestAMangledTrailerIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	mangled := "- Close the reader before the file. (PR #1, 2026-01-01, oracle)\n"
	got := b.deliver(b.edit(config.DefaultStore, "# Lessons\n\n"+mangled))
	if got.Outcome.Result != "told" {
		t.Fatalf("%+v\n%s", got.Outcome, b.log)
	}
	checks := b.repo.CheckRuns(b.repo.Head("main"))
	if len(checks) != 1 || len(checks[0].Annotations) != 1 || checks[0].Annotations[0].StartLine != 3 || !strings.Contains(checks[0].Annotations[0].Message, "oracle") || checks[0].Conclusion != "neutral" {
		t.Errorf("check runs %+v", checks)
	}
	again := b.deliver(b.edit(config.DefaultStore, "# Lessons\n\nMore.\n\n"+mangled))
	if again.Outcome.Result != "nothing" || len(b.repo.CheckRuns(b.repo.Head("main"))) != 0 {
		t.Errorf("told again: %+v", again.Outcome)
	}
	if content, _ := b.repo.File(config.DefaultStore); content != "# Lessons\n\nMore.\n\n"+mangled {
		t.Errorf("the file was changed:\n%s", content)
	}
}

// A bullet that a person deleted does not come back from the same review; another review may bring it.
func TestADeletedBulletStaysDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	review := b.review("piet", "mara", "", lessonA)
	b.deliver(review)
	b.deliver(b.edit(config.DefaultStore, "# Lessons\n"))
	b.deliver(review)
	wantLessons(t, b.lessons())
	b.deliver(b.review("piet", "noor", "", lessonA))
	wantLessons(t, b.lessons(), lessonA)
}

// Pushes that do not touch the file, our own, and those to other branches cost nothing.
func TestOtherPushesCostNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	before := b.repo.Commits("")[1].SHA
	own := b.repo.PushEvent("main", before, "agent-lessons[bot]")
	b.github.ResetRequests()
	b.tell(own)
	b.tell(b.edit("main.go", "package main\n"))
	b.repo.Push("topic", "piet", "elsewhere", map[string]string{config.DefaultStore: "- x (PR #1, 2026-01-01, oracle)\n"})
	b.tell(b.repo.PushEvent("topic", "", "piet"))
	if asked := b.github.Requests(); len(asked) != 0 {
		t.Errorf("asked %v", asked)
	}
}
