package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

// Without a checkout, the commits come from GitHub's API, a hundred a request, and where a message holds
// no row, the two versions of the file. Repository, configuration, two pages, two versions, and one for each week.
func TestStatsByTheAPI(t *testing.T) {
	day := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	server := githubtest.New(githubtest.Options{Now: func() time.Time { return day }})
	contract.Check(t, server)
	api := httptest.NewServer(server)
	defer api.Close()
	server.AddInstallation(1, "acme")
	repo := server.AddRepository(1, "acme/api", map[string]string{"README.md": "x", ".agent-corp/config.yml": "path: docs/lessons.md\n"})
	server.AddToken("token", repo, map[string]string{"contents": "read", "metadata": "read"})
	t.Setenv("GITHUB_TOKEN", "token")

	const snapshot = "- Take a snapshot before compacting the lease file, otherwise a crash loses the history."
	repo.Put("docs/lessons.md", snapshot+" (PR #1, 2026-11-02, ci-fix)\n", "Squashed (#1)")
	day = day.AddDate(0, 0, 7)
	for n := 2; n <= 121; n++ {
		repo.Put("docs/lessons.md", fmt.Sprintf("%s (PR #%d, 2026-11-09, ci-fix, earned %dx)\n", snapshot, n, n),
			fmt.Sprintf("lessons: 1 refreshed (PR #%d)\n\nLessons-Source: ci-fix PR #%d check 7\nLessons-Refreshed: 1\nLessons-Active: 1\nLessons-Total: 1\n", n, n))
	}
	server.ResetRequests()

	for name, c := range map[string]struct {
		args     []string
		code     int
		out, err string
		atMost   int // requests
	}{
		"all": {[]string{"--csv", "acme/api"}, exitDone,
			"acme/api,docs/lessons.md,2026-11-02,1,0,0.0000,1,0,0,,\nacme/api,docs/lessons.md,2026-11-09,0,120,1.0000,1,0,0,,\n", "", 8},
		"since":         {[]string{"--csv", "--since", "2026-11-09", "acme/api"}, exitDone, "evicted,margin_below,margin_above\nacme/api,docs/lessons.md,2026-11-09,0,120,", "", 5},
		"no repository": {[]string{"acme/nothing"}, exitFailed, "", "acme/nothing: ", 1},
	} {
		var out, errs strings.Builder
		server.ResetRequests()
		p := program{ctx: t.Context(), out: &out, err: &errs, today: day}
		if code := p.run(append([]string{"stats", "--api-url", api.URL}, c.args...)); code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, c.code, errs.String())
		}
		if !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.err) {
			t.Errorf("%s: printed %q and %q, want %q and %q", name, out.String(), errs.String(), c.out, c.err)
		}
		if n := len(server.Requests()); n > c.atMost {
			t.Errorf("%s: %d requests, want at most %d", name, n, c.atMost)
		}
	}
}
