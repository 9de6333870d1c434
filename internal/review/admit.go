package review

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Get reads a review as it is now. Where it has nothing to teach any more it returns the reason.
func (r Repository) Get(ctx context.Context, pull int, id int64) (review *github.PullRequestReview, reason string, err error) {
	review, response, err := r.Client.PullRequests.GetReview(ctx, r.Owner, r.Name, pull, id)
	switch {
	case response != nil && response.StatusCode == http.StatusNotFound:
		return nil, "the review is gone, or the App may not see it", nil
	case err != nil:
		return nil, "", err
	case !strings.EqualFold(review.GetState(), "CHANGES_REQUESTED") && !commentOnly(review):
		return review, "the review no longer requests changes: it is " + strings.ToLower(review.GetState()) + " now", nil
	}
	return review, "", nil
}

// commentOnly reports whether the review neither approves nor requests changes.
func commentOnly(review *github.PullRequestReview) bool {
	return strings.EqualFold(review.GetState(), "COMMENTED")
}

// Concerns reports whether the configuration lets a review of this state by such a reviewer teach
// at all; Admit decides about the reviewer himself.
func Concerns(cfg config.Config, review *github.PullRequestReview) bool {
	if review.GetUser().GetType() == "Bot" && !cfg.NamesBot(review.GetUser().GetLogin()) {
		return false
	}
	if commentOnly(review) {
		return review.GetUser().GetType() == "Bot" || cfg.Reviewers.Comments
	}
	return strings.EqualFold(review.GetState(), "CHANGES_REQUESTED")
}

// Admit decides whether the reviewer may teach on a pull request (design decision 7): people with
// write permission may, and bots that the configuration names, where all its writers have write
// permission (see [Writers]). It returns the reason when not, "" to admit.
func (r Repository) Admit(ctx context.Context, cfg config.Config, review *github.PullRequestReview, writers []string) (reason string, err error) {
	reviewer := review.GetUser().GetLogin()
	if reviewer == "" {
		return "the reviewer's account is gone", nil
	}
	if !cfg.Teaches(lesson.ChangesRequested) {
		return fmt.Sprintf("the configuration leaves the channel %s out", lesson.ChangesRequested), nil
	}
	bot := review.GetUser().GetType() == "Bot"
	switch {
	case bot && !cfg.NamesBot(reviewer):
		return reviewer + " is a bot that the configuration does not name under reviewers.bots", nil
	case !bot && commentOnly(review) && !cfg.Reviewers.Comments:
		return "the review only comments, and the configuration does not say reviewers.comments: true", nil
	case bot:
		return distrust(ctx, writers, "whom the bot may quote", r.MayWrite)
	}
	may, err := r.MayWrite(ctx, reviewer)
	if err != nil || may {
		return "", err
	}
	return fmt.Sprintf("the reviewer %s has no write permission", reviewer), nil
}
