package githubtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"
)

func TestConversation(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, _ := w.reviewed()
	w.repo.AddComment(number, "ada", "/lesson Close what you open.")
	body := func(s string) *github.IssueComment { return &github.IssueComment{Body: &s} }

	mine, _, err := w.inst.Issues.CreateComment(ctx, "acme", "api", number, body("first"))
	check(t, err)
	_, _, err = w.inst.Issues.EditComment(ctx, "acme", "api", mine.GetID(), body("second"))
	check(t, err)
	again, _, err := w.inst.Issues.GetComment(ctx, "acme", "api", mine.GetID())
	check(t, err)
	if again.GetBody() != "second" || again.GetUser().GetLogin() != "agent-lessons[bot]" {
		t.Errorf("comment %v", again)
	}
	all, _, err := w.inst.Issues.ListComments(ctx, "acme", "api", number, nil)
	check(t, err)
	if len(all) != 2 || all[0].GetUser().GetLogin() != "ada" {
		t.Errorf("comments %v", all)
	}
	_, err = w.inst.Issues.DeleteComment(ctx, "acme", "api", mine.GetID())
	check(t, err)
	if left := w.repo.Comments(number); len(left) != 1 {
		t.Errorf("comments left: %v", left)
	}

	_, _, err = w.inst.Issues.CreateComment(ctx, "acme", "api", number, body(strings.Repeat("x", 65537)))
	if code, message := status(err); code != 422 || message != "Validation Failed" {
		t.Errorf("too long: %d %q", code, message)
	}
}

// The product's permission on pull requests is none on plain issues.
func TestConversationOfAPlainIssue(t *testing.T) {
	w := newWorld(t, nil)
	number := w.repo.OpenIssue("ada", "A question", "")
	w.repo.AddComment(number, "ada", "Anyone?")
	_, _, err := w.inst.Issues.ListComments(ctx, "acme", "api", number, nil)
	check(t, err)
	if _, _, err := w.inst.Issues.CreateComment(ctx, "acme", "api", number, &github.IssueComment{Body: github.String("x")}); !is(err, 403) {
		t.Errorf("writing: %v", err)
	}
}

func TestReactions(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, review := w.reviewed()
	comment := w.repo.AddComment(number, "ada", "/lesson x")
	line := w.repo.ReviewComments(number, review)[0].ID
	for _, want := range []int{201, 200} {
		_, resp, err := w.inst.Reactions.CreateIssueCommentReaction(ctx, "acme", "api", comment, "eyes")
		check(t, err)
		if resp.StatusCode != want {
			t.Errorf("answered %d, want %d", resp.StatusCode, want)
		}
	}
	_, _, err := w.inst.Reactions.CreatePullRequestCommentReaction(ctx, "acme", "api", line, "rocket")
	check(t, err)
	one, _, err := w.inst.PullRequests.GetComment(ctx, "acme", "api", line)
	check(t, err)
	if one.GetReactions().GetRocket() != 1 {
		t.Errorf("comment %v", one)
	}
	got := [][]string{w.repo.Reactions(comment), w.repo.Reactions(line)}
	if diff := cmp.Diff([][]string{{"eyes"}, {"rocket"}}, got); diff != "" {
		t.Error(diff)
	}
}

// Only the timeline knows what verdict a dismissed review had.
func TestTimeline(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, review := w.reviewed()
	w.now = w.now.Add(time.Minute)
	w.repo.AddComment(number, "ada", "Why?")
	w.now = w.now.Add(time.Minute)
	w.repo.Dismiss(number, review, "linus", "Not so.", "")
	// go-github's own type leaves out the dismissed review.
	var events []struct {
		Event           string
		Actor           struct{ Login string }
		DismissedReview struct {
			State    string
			ReviewID int64 `json:"review_id"`
		} `json:"dismissed_review"`
	}
	req, err := w.inst.NewRequest("GET", fmt.Sprintf("repos/acme/api/issues/%d/timeline", number), nil)
	check(t, err)
	_, err = w.inst.Do(ctx, req, &events)
	check(t, err)
	kinds := make([]string, 0, len(events))
	for _, e := range events {
		kinds = append(kinds, e.Event)
	}
	if diff := cmp.Diff([]string{"committed", "reviewed", "commented", "review_dismissed"}, kinds); diff != "" {
		t.Fatal(diff)
	}
	if d := events[3]; d.Actor.Login != "linus" || d.DismissedReview.State != "changes_requested" || d.DismissedReview.ReviewID != review {
		t.Errorf("dismissal %v", d)
	}
}
