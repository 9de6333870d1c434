package githubtest_test

import (
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// A standing pull request on a branch of the product's own.
func TestStandingPull(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	ask := &github.NewPullRequest{Title: github.String("Lessons"), Head: github.String("agent-lessons"), Base: github.String("main")}
	create := func() (*github.PullRequest, error) {
		pr, _, err := w.inst.PullRequests.Create(ctx, "acme", "api", ask)
		return pr, err
	}
	if _, err := create(); !is(err, 422) {
		t.Errorf("no such branch: %v", err)
	}
	sha := w.repo.Push("agent-lessons", "agent-lessons[bot]", "Learn", map[string]string{lessons: "one\n"})
	pr, err := create()
	check(t, err)
	if pr.GetUser().GetLogin() != "agent-lessons[bot]" || pr.GetHead().GetSHA() != sha || pr.GetChangedFiles() != 1 {
		t.Errorf("pull request %v", pr)
	}
	if _, err := create(); !is(err, 422) {
		t.Errorf("twice: %v", err)
	}

	number := pr.GetNumber()
	commits, _, err := w.inst.PullRequests.ListCommits(ctx, "acme", "api", number, nil)
	check(t, err)
	files, _, err := w.inst.PullRequests.ListFiles(ctx, "acme", "api", number, nil)
	check(t, err)
	if len(commits) != 1 || len(files) != 1 || files[0].GetFilename() != lessons {
		t.Errorf("commits %v, files %v", commits, files)
	}
	found, _, err := w.inst.PullRequests.ListPullRequestsWithCommit(ctx, "acme", "api", sha, nil)
	check(t, err)
	if len(found) != 1 || found[0].GetNumber() != number {
		t.Errorf("by commit: %v", found)
	}

	edit := func(p *github.PullRequest) *github.PullRequest {
		pr, _, err := w.inst.PullRequests.Edit(ctx, "acme", "api", number, p)
		check(t, err)
		return pr
	}
	if got := edit(&github.PullRequest{Title: github.String("Two lessons"), State: github.String("closed")}); got.GetTitle() != "Two lessons" || got.GetState() != "closed" || got.GetMerged() {
		t.Errorf("edited %v", got)
	}
	if got := edit(&github.PullRequest{State: github.String("open")}); got.GetState() != "open" || got.ClosedAt != nil {
		t.Errorf("reopened %v", got)
	}
}

func TestCommentsOfAllReviews(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, _ := w.reviewed()
	w.repo.AddReview(number, githubtest.Review{
		User: "ada", State: "COMMENTED", Comments: []githubtest.ReviewComment{{Path: "cache.go", Line: 1, Body: "Why?"}},
	})
	all, _, err := w.inst.PullRequests.ListComments(ctx, "acme", "api", number, nil)
	check(t, err)
	if len(all) != 3 || all[0].GetLine() != 3 || all[2].GetUser().GetLogin() != "ada" {
		t.Errorf("comments %v", all)
	}
}
