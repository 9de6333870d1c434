package actions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
)

const (
	old   = "Ask mara before the release, since only she knows the customers' calendars. (PR #1, 2026-08-01, changes-requested)"
	fresh = "Keep `web/old.ts` free of timers, since the tests run without a clock there. (PR #2, 2026-11-20, changes-requested)"
	note  = "Never deploy on a Friday."
)

func TestASweepCommits(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, map[string]string{"web/old.ts": "x\n", config.DefaultStore: "- " + old + "\n- " + fresh + "\n- " + note + "\n"})
	s.clock = s.clock.AddDate(0, 0, -2)
	s.repo.Remove("web/old.ts", "remove")
	s.clock = today
	s.mustRun(schedule())
	want := []string{
		"- " + strings.Replace(old, ")", "; expired 2026-11-30)", 1),
		"- " + strings.Replace(fresh, ")", "; stale 2026-11-30)", 1),
		"- " + note,
	}
	if diff := cmp.Diff(want, s.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, s.log.String())
	}
	if got := s.outputs(); got["retired"] != "2" || got["active"] != "1" || got["changed"] != "true" {
		t.Errorf("outputs %v", got)
	}
	if commits := s.repo.Commits(config.DefaultStore); len(commits) != 2 || !strings.HasPrefix(commits[0].Message, "lessons: 1 stale, 1 expired (sweep)") {
		t.Errorf("commits %+v", commits)
	}
	s.mustRun(schedule())
	if got := s.outputs(); got["changed"] != "false" || !strings.Contains(s.log.String(), "Nothing to sweep.") {
		t.Errorf("the second sweep: %v\n%s", got, s.log.String())
	}
}

func TestASweepThatMayOnlyRead(t *testing.T) {
	t.Parallel()
	s := newStage(t, readWith, map[string]string{config.DefaultStore: "- " + old + "\n"})
	s.mustRun(schedule())
	if got := s.lessons(); got[0] != "- "+old || !strings.Contains(s.log.String(), "the sweep is left to the next scheduled run") {
		t.Errorf("lessons %q\n%s", got, s.log.String())
	}
}
