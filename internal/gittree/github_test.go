package gittree

import (
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// standIn is a repository of the stand-in GitHub whose clock tests set.
func standIn(t *testing.T, day *string, files map[string]string) (*githubtest.Server, *githubtest.Repository, GitHub) {
	t.Helper()
	server := githubtest.New(githubtest.Options{Now: func() time.Time {
		at, err := time.Parse(time.DateOnly, *day)
		if err != nil {
			t.Error(err)
		}
		return at.Add(12 * time.Hour)
	}})
	contract.Check(t, server)
	api := httptest.NewServer(server)
	t.Cleanup(api.Close)
	server.AddInstallation(1, "acme")
	repo := server.AddRepository(1, "acme/api", files)
	server.AddToken("token", repo, map[string]string{"contents": "read", "metadata": "read"})
	client := github.NewClient(nil).WithAuthToken("token")
	client.BaseURL, _ = url.Parse(api.URL + "/")
	return server, repo, GitHub{Client: client, Owner: "acme", Repo: "api"}
}

func TestPastByTheAPI(t *testing.T) {
	t.Parallel()
	day := "2026-01-02"
	server, repo, tree := standIn(t, &day, map[string]string{
		"a/c.go": "x", "a/b/d.go": "x", "e.md": "x", "logs/run.json": "x", "conf/local.yml": "x", "conf/kept.yml": "x",
		".gitignore": "logs/\n", "conf/.gitignore": "*.yml\n!kept.yml\n",
	})
	day = "2026-02-03"
	for _, path := range []string{"a/b/d.go", "logs/run.json", "conf/local.yml", "conf/kept.yml"} {
		repo.Remove(path, "remove "+path)
	}
	server.ResetRequests()
	check(t, tree, map[string]lesson.Past{
		"a/c.go": here, "c.go": here, "e.md": here,
		"a/b/d.go": deleted("2026-02-03"), "a/b": deleted("2026-02-03"), "net/http": never, "gone.md": unknown,
		"logs/run.json": never, "conf/local.yml": never, "conf/kept.yml": deleted("2026-02-03"),
	})
}

// Issue 3: where the clone is too shallow, one request finds the commit that took the file away.
func TestAShallowCloneAsksTheAPI(t *testing.T) {
	t.Parallel()
	day := "2026-01-02"
	_, repo, remote := standIn(t, &day, map[string]string{"a/c.go": "x", "e.md": "x"})
	day = "2026-02-03"
	repo.Remove("a/c.go", "remove it")

	origin := newClone(t).commit("2026-01-02", map[string]string{"e.md": "x"}).commit("2026-03-01", map[string]string{"e.md": "y"})
	shallow := t.TempDir() + "/shallow"
	origin.git("clone", "--quiet", "--depth=1", "file://"+origin.dir, shallow)
	check(t, Checkout{Dir: shallow, Remote: &remote}, map[string]lesson.Past{
		"a/c.go": deleted("2026-02-03"), "net/http": never, "gone.md": unknown, "e.md": here,
	})
}

func TestPastOfAnEmptyRepository(t *testing.T) {
	t.Parallel()
	day := "2026-01-02"
	_, _, tree := standIn(t, &day, nil)
	check(t, tree, map[string]lesson.Past{"a/c.go": unknown})
}

func TestLostIn(t *testing.T) {
	t.Parallel()
	file := func(status, was, is string) *github.CommitFile {
		return &github.CommitFile{Status: &status, PreviousFilename: &was, Filename: &is}
	}
	commit := &github.RepositoryCommit{
		Commit: &github.Commit{Committer: &github.CommitAuthor{Date: &github.Timestamp{Time: time.Date(2026, 2, 3, 23, 0, 0, 0, time.UTC)}}},
		Files: []*github.CommitFile{
			file("removed", "", "a/gone.go"), file("renamed", "a/old.go", "b/new.go"),
			file("renamed", "x/y/1.go", "x/z/1.go"), file("renamed", "x/y/2.go", "x/z/2.go"), file("modified", "", "e.md"),
		},
	}
	for name, want := range map[string]loss{
		"a/gone.go": {date: date("2026-02-03")},
		"a/old.go":  {date: date("2026-02-03"), renamed: "b/new.go"},
		"x/y":       {date: date("2026-02-03"), renamed: "x/z"},
		"a/far.go":  {unknown: true}, // in a commit of more files than one answer holds
	} {
		if got := lostIn(name, commit); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
