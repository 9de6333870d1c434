package app

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/docsync"
)

// Issue 7: with sync_docs, whatever writes the lessons brings the documents in step in the same
// commit; what is broken about a document is said, and costs no lesson.
func TestEveryWriteKeepsDocumentsInStep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Put(config.Path, "sync_docs: [AGENTS.md, CLAUDE.md]\n", "configure")
	b.repo.Put("AGENTS.md", "# Ours\r\n"+docsync.Begin+"\r\n"+docsync.End, "agents")
	b.repo.Put("CLAUDE.md", "# Ours\n", "claude")

	document := func() string { content, _ := b.repo.File("AGENTS.md"); return content }
	together := func(what string) {
		t.Helper()
		lessons, documents := b.repo.Commits(config.DefaultStore)[0], b.repo.Commits("AGENTS.md")[0]
		if lessons.SHA != documents.SHA || !lessons.Verified || lessons.Author != "agent-lessons[bot]" {
			t.Errorf("%s: the lessons are of %+v, the documents of %+v", what, lessons, documents)
		}
	}
	b.deliver(b.review("piet", "mara", "", lessonA))
	together("learn")
	if got := document(); !strings.HasPrefix(got, "# Ours\r\n"+docsync.Begin+"\r\n") || !strings.HasSuffix(got, "changes-requested)\r\n"+docsync.End) || !strings.Contains(got, lessonA) {
		t.Errorf("learned: %q", got)
	}
	if !strings.Contains(b.log.String(), "CLAUDE.md: it has no line") {
		t.Errorf("the log does not say why CLAUDE.md stays behind:\n%s", b.log)
	}
	b.deliver(b.merge(1))
	together("override")
	if got := document(); strings.Contains(got, lessonA) {
		t.Errorf("overridden: %q", got)
	}
	b.repo.Put(config.DefaultStore, "- Long ago. (PR #1, 2020-01-01, ci-fix)\n- Mind the gap: a person's line.\n", "by hand")
	b.sweepAll(time.Now().UTC().Truncate(time.Hour))
	together("sweep")
	if got := document(); strings.Contains(got, "Long ago") || !strings.Contains(got, "Mind the gap") {
		t.Errorf("swept: %q", got)
	}

	// What a hand put out of step, a sweep that has nothing else to do brings in step.
	b.repo.Put(config.DefaultStore, "- Mind the other gap: a person's line.\n", "by hand")
	swept := b.sweepAll(time.Now().UTC().Truncate(time.Hour).Add(time.Hour))
	if got := document(); swept.Outcome.Reason != "brought in step: AGENTS.md" || !strings.Contains(got, "Mind the other gap") {
		t.Errorf("by hand: %+v, %q", swept.Outcome, got)
	}
	if message := b.repo.Commits("AGENTS.md")[0].Message; message != "lessons: bring documents in step (sweep) [skip ci]" {
		t.Errorf("message %q", message)
	}
	commits := len(b.repo.Commits(""))
	if again := b.sweepAll(time.Now().UTC().Truncate(time.Hour).Add(2 * time.Hour)); again.Outcome.Result != "nothing" || len(b.repo.Commits("")) != commits {
		t.Errorf("again: %+v", again.Outcome)
	}
}
