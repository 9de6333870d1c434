package gittree

import (
	"context"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

func TestGitHubTellsThePast(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	stand := githubtest.New(githubtest.Options{Now: func() time.Time { return at }})
	contract.Check(t, stand)
	server := httptest.NewServer(stand)
	t.Cleanup(server.Close)
	stand.AddInstallation(1, "acme")
	repo := stand.AddRepository(1, "acme/api", map[string]string{"api/schema.graphql": "type A\n", "web/old.ts": "x\n", "Makefile": "all:\n"})
	stand.AddToken("token", repo, map[string]string{"contents": "read"})
	at = at.AddDate(0, 1, 0)
	repo.Remove("web/old.ts", "remove")

	client := github.NewClient(nil).WithAuthToken("token")
	client.BaseURL, _ = url.Parse(server.URL + "/")
	g := GitHub{Client: client, Owner: "acme", Repo: "api"}
	got, err := g.Past(context.Background(), []string{"api/schema.graphql", "schema.graphql", "api", "web/old.ts", "web", "and/or", "gone.ts"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]lesson.Past{
		"api/schema.graphql": {Here: true}, "schema.graphql": {Here: true}, "api": {Here: true},
		"web/old.ts": {Deleted: date("2026-07-01")},
		"web":        {Unknown: true}, "gone.ts": {Unknown: true}, // bare names cannot be asked for
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(lesson.Date{})); diff != "" {
		t.Errorf("past (-want +got):\n%s", diff)
	}

	stand.Fail(githubtest.Fault{Route: "GET /repos/{owner}/{repo}/git/trees/{tree_sha}", Answer: &githubtest.Answer{
		Status: 200, Body: `{"sha":"0123456789012345678901234567890123456789","url":"x","truncated":true,"tree":[]}`}})
	got, err = g.Past(context.Background(), []string{"web/old.ts"})
	if err != nil || !got["web/old.ts"].Unknown {
		t.Errorf("of a cut-off list: %v, %v", got, err)
	}
}
