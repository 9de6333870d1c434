package githubtest_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// reviewed opens a pull request and has it reviewed with two comments.
func (w *world) reviewed() (number int, review int64) {
	number = w.repo.OpenPull(githubtest.PullRequest{
		Title: "Add a cache", Author: "ada", Head: "cache",
		Files: map[string]string{"cache.go": "package cache\n\nvar m = map[string]string{}\n"},
	})
	w.repo.SetPermission("grace", "write", "maintain")
	review = w.repo.AddReview(number, githubtest.Review{
		User: "grace", State: "CHANGES_REQUESTED", Body: "Please guard the map.",
		Comments: []githubtest.ReviewComment{
			{Path: "cache.go", Line: 3, Body: "Guard maps that goroutines share with a mutex."},
			{Path: "cache.go", Body: "Name the package after what it provides."},
		},
	})
	return number, review
}

func TestReviewAndItsComments(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, id := w.reviewed()
	w.repo.OutdateComments(number, id)

	review, _, err := w.inst.PullRequests.GetReview(ctx, "acme", "api", number, id)
	check(t, err)
	if review.GetState() != "CHANGES_REQUESTED" || review.GetUser().GetLogin() != "grace" || !review.GetSubmittedAt().Time.Equal(opened) {
		t.Errorf("review %v", review)
	}
	comments, _, err := w.inst.PullRequests.ListReviewComments(ctx, "acme", "api", number, id, nil)
	check(t, err)
	if len(comments) != 2 {
		t.Fatalf("%d comments", len(comments))
	}
	if c := comments[0]; c.Position != nil || c.OriginalPosition == nil {
		t.Errorf("a comment whose lines changed has no position: %v", c)
	}
	if c := comments[1]; c.Position == nil {
		t.Errorf("a comment on a file is never outdated: %v", c)
	}

	w.repo.DeleteReview(number, id)
	if _, _, err := w.inst.PullRequests.GetReview(ctx, "acme", "api", number, id); !is(err, 404) {
		t.Errorf("deleted review: %v", err)
	}
}

// A dismissal rewrites the state in place.
func TestDismissedReview(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, id := w.reviewed()
	w.repo.Dismiss(number, id, "linus", "Not so.", "")
	reviews, _, err := w.inst.PullRequests.ListReviews(ctx, "acme", "api", number, nil)
	check(t, err)
	if len(reviews) != 1 || reviews[0].GetState() != "DISMISSED" {
		t.Errorf("reviews %v", reviews)
	}
}

func TestMerge(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, _ := w.reviewed()
	w.now = w.now.Add(time.Hour)
	sha := w.repo.Merge(number, "linus")
	pr, _, err := w.inst.PullRequests.Get(ctx, "acme", "api", number)
	check(t, err)
	if !pr.GetMerged() || pr.GetState() != "closed" || pr.GetMergeCommitSHA() != sha || !pr.GetMergedAt().Time.Equal(w.now) || pr.GetMergedBy().GetLogin() != "linus" {
		t.Errorf("pull request %v", pr)
	}
	if _, there := w.repo.File("cache.go"); !there {
		t.Error("the base lacks the merged file")
	}
	open, _, err := w.inst.PullRequests.List(ctx, "acme", "api", nil)
	check(t, err)
	closed, _, err := w.inst.PullRequests.List(ctx, "acme", "api", &github.PullRequestListOptions{State: "closed"})
	check(t, err)
	if len(open) != 0 || len(closed) != 1 {
		t.Errorf("%d open, %d closed", len(open), len(closed))
	}
}

func TestPullFromAFork(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number := w.repo.OpenPull(githubtest.PullRequest{
		Title: "Fix", Author: "eve", Fork: "eve/api", Head: "main", Files: map[string]string{"x": "y\n"},
	})
	pr, _, err := w.inst.PullRequests.Get(ctx, "acme", "api", number)
	check(t, err)
	head := pr.GetHead()
	if head.GetLabel() != "eve:main" || head.GetRepo().GetID() == w.repo.ID() || !head.GetRepo().GetFork() {
		t.Errorf("head %v", head)
	}
	if pr.GetCommits() != 1 || pr.GetChangedFiles() != 1 {
		t.Errorf("%d commits, %d files", pr.GetCommits(), pr.GetChangedFiles())
	}
}

func TestPermissions(t *testing.T) {
	w := newWorld(t, nil)
	w.repo.SetPermission("grace", "write", "maintain")
	w.repo.OpenPull(githubtest.PullRequest{Title: "x", Author: "eve"})
	got := map[string][2]string{}
	for _, login := range []string{"grace", "eve"} {
		level, _, err := w.inst.Repositories.GetPermissionLevel(ctx, "acme", "api", login)
		check(t, err)
		got[login] = [2]string{level.GetPermission(), level.GetRoleName()}
	}
	want := map[string][2]string{"grace": {"write", "maintain"}, "eve": {"none", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, _, err := w.inst.Repositories.GetPermissionLevel(ctx, "acme", "api", "nobody"); !is(err, 404) {
		t.Errorf("unknown login: %v", err)
	}
}
