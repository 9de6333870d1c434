package review

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/verdict"
)

// Merge is what a pull request was merged over.
type Merge struct {
	PR   lesson.PullRequest
	Date lesson.Date     // the UTC day of the merge
	Over []ledger.Source // the reviews whose evidence is to be taken back
	Why  []string        // what became of each request for changes, spared ones included
}

// MergedOver reads all reviews of a merged pull request, and decides which of them it was merged
// over. A reviewer may teach who has the right now, or has taught by that review: taught tells
// so, since a right can be lost before the merge.
func (r Repository) MergedOver(ctx context.Context, cfg config.Config, pull *github.PullRequest, taught func(ledger.Source) (bool, error)) (Merge, error) {
	m := Merge{PR: lesson.PullRequest{Number: pull.GetNumber()}, Date: lesson.DateOf(pull.GetMergedAt().Time)}
	given, err := r.Reviews(ctx, pull.GetNumber())
	if err != nil {
		return m, err
	}
	dismissals, err := r.dismissals(ctx, pull.GetNumber(), given)
	if err != nil {
		return m, err
	}
	reviews := make([]verdict.Review, 0, len(given))
	for _, g := range given {
		v := verdict.Review{
			ID: g.GetID(), Reviewer: g.GetUser().GetLogin(), State: g.GetState(),
			Submitted: g.GetSubmittedAt().Time, Commit: g.GetCommitID(), Dismissal: dismissals[g.GetID()],
		}
		if v.State == verdict.ChangesRequested || v.State == verdict.Dismissed {
			if v.MayTeach, err = r.mayTeach(ctx, cfg, pull, g, taught); err != nil {
				return m, err
			}
		}
		reviews = append(reviews, v)
	}
	rulings := verdict.Rule(verdict.Pull{MergedAt: pull.GetMergedAt().Time, Head: pull.GetHead().GetSHA()}, reviews)
	return m, r.take(ctx, &m, rulings)
}

// mayTeach decides as for learning, but for a right that the reviewer had and has lost since.
func (r Repository) mayTeach(ctx context.Context, cfg config.Config, pull *github.PullRequest, given *github.PullRequestReview, taught func(ledger.Source) (bool, error)) (bool, error) {
	did, err := taught(ledger.Review(lesson.PullRequest{Number: pull.GetNumber()}, given.GetID()))
	if err != nil || did {
		return did, err
	}
	reason, err := r.Admit(ctx, cfg, given, WritersOf(pull))
	return reason == "", err
}

// take enters the rulings. A review that was acted on all the same is spared; the comments that
// tell so are asked for only where a review was merged over.
func (r Repository) take(ctx context.Context, m *Merge, rulings []verdict.Ruling) error {
	var comments map[int64][]verdict.Comment
	for _, ruling := range rulings {
		source := ledger.Review(m.PR, ruling.Review.ID)
		if ruling.Over && comments == nil {
			var err error
			if comments, err = r.comments(ctx, m.PR.Number); err != nil {
				return err
			}
		}
		switch {
		case !ruling.Over:
			m.Why = append(m.Why, fmt.Sprintf("Review %d is spared: %s.", source.ID, ruling.Why))
		case verdict.Addressed(comments[source.ID]):
			m.Why = append(m.Why, fmt.Sprintf("Review %d is spared: %s, but the code under each of its comments had changed.", source.ID, ruling.Why))
		default:
			m.Over = append(m.Over, source)
			m.Why = append(m.Why, fmt.Sprintf("Review %d was merged over: %s.", source.ID, ruling.Why))
		}
	}
	return nil
}

// comments returns the inline comments of a pull request by their reviews. The list of a single
// review would not tell which comments are on whole files.
func (r Repository) comments(ctx context.Context, pull int) (map[int64][]verdict.Comment, error) {
	list, err := all(func(page *github.ListOptions) ([]*github.PullRequestComment, *github.Response, error) {
		return r.Client.PullRequests.ListComments(ctx, r.Owner, r.Name, pull, &github.PullRequestListCommentsOptions{ListOptions: *page})
	})
	if err != nil {
		return nil, err
	}
	out := map[int64][]verdict.Comment{}
	for _, c := range list {
		line := c.GetSubjectType() != "file" && c.OriginalPosition != nil
		id := c.GetPullRequestReviewID()
		out[id] = append(out[id], verdict.Comment{Line: line, Outdated: line && c.Position == nil})
	}
	return out, nil
}

// Reviews lists all reviews of a pull request, oldest first.
func (r Repository) Reviews(ctx context.Context, pull int) ([]*github.PullRequestReview, error) {
	return all(func(page *github.ListOptions) ([]*github.PullRequestReview, *github.Response, error) {
		return r.Client.PullRequests.ListReviews(ctx, r.Owner, r.Name, pull, page)
	})
}

// dismissals returns by review how it was dismissed, which only the timeline tells. It asks for
// that where a review is dismissed, and not otherwise.
func (r Repository) dismissals(ctx context.Context, pull int, reviews []*github.PullRequestReview) (map[int64]*verdict.Dismissal, error) {
	out := map[int64]*verdict.Dismissal{}
	for _, given := range reviews {
		if given.GetState() == verdict.Dismissed {
			return out, r.readDismissals(ctx, pull, out)
		}
	}
	return out, nil
}

// dismissed is the event of the timeline that tells of a dismissal; go-github has no field for it.
type dismissed struct {
	Event     string           `json:"event"`
	Actor     *github.User     `json:"actor"`
	CreatedAt github.Timestamp `json:"created_at"`
	Review    struct {
		ID    int64  `json:"review_id"`
		State string `json:"state"`
	} `json:"dismissed_review"`
}

func (r Repository) readDismissals(ctx context.Context, pull int, into map[int64]*verdict.Dismissal) error {
	events, err := all(func(page *github.ListOptions) ([]dismissed, *github.Response, error) {
		request, err := r.Client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/issues/%d/timeline?per_page=%d&page=%d",
			url.PathEscape(r.Owner), url.PathEscape(r.Name), pull, page.PerPage, max(page.Page, 1)), nil)
		if err != nil {
			return nil, nil, err
		}
		var part []dismissed
		response, err := r.Client.Do(ctx, request, &part)
		return part, response, err
	})
	if err != nil {
		return fmt.Errorf("read who dismissed a review: %w", err)
	}
	for _, e := range events {
		if e.Event == "review_dismissed" {
			into[e.Review.ID] = &verdict.Dismissal{By: e.Actor.GetLogin(), At: e.CreatedAt.Time, Was: e.Review.State}
		}
	}
	return nil
}

// all reads a list to its last page.
func all[T any](read func(*github.ListOptions) ([]T, *github.Response, error)) ([]T, error) {
	var out []T
	page := &github.ListOptions{PerPage: 100}
	for {
		part, response, err := read(page)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
		if response.NextPage == 0 {
			return out, nil
		}
		page.Page = response.NextPage
	}
}
