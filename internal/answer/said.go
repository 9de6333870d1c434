package answer

import (
	"context"
	"net/http"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Said names where somebody said something on a pull request.
type Said struct {
	Place string // ledger.InComment, ledger.InRemark or ledger.InReview
	Pull  int    // the pull request's number
	ID    int64  // of the comment or the review
}

func (s Said) pull() lesson.PullRequest { return lesson.PullRequest{Number: s.Pull} }

// words are what was said, as it is now.
type words struct {
	user    *github.User
	body    string
	at      time.Time
	changed time.Time // last; as at where GitHub does not tell, as for reviews
	replyTo int64     // the inline comment that it replies to; 0 for none
}

// read reads the words, or returns the reason why there are none.
func (d Desk) read(ctx context.Context, said Said) (w words, gone string, err error) {
	var response *github.Response
	switch said.Place {
	case ledger.InRemark:
		var c *github.PullRequestComment
		c, response, err = d.Repo.Client.PullRequests.GetComment(ctx, d.Repo.Owner, d.Repo.Name, said.ID)
		w = words{c.GetUser(), c.GetBody(), c.GetCreatedAt().Time, c.GetUpdatedAt().Time, c.GetInReplyTo()}
	case ledger.InReview:
		var r *github.PullRequestReview
		r, response, err = d.Repo.Client.PullRequests.GetReview(ctx, d.Repo.Owner, d.Repo.Name, said.Pull, said.ID)
		w = words{user: r.GetUser(), body: r.GetBody(), at: r.GetSubmittedAt().Time, changed: r.GetSubmittedAt().Time}
	default:
		var c *github.IssueComment
		c, response, err = d.Repo.Client.Issues.GetComment(ctx, d.Repo.Owner, d.Repo.Name, said.ID)
		w = words{user: c.GetUser(), body: c.GetBody(), at: c.GetCreatedAt().Time, changed: c.GetUpdatedAt().Time}
	}
	if response != nil && response.StatusCode == http.StatusNotFound {
		return words{}, "the comment is gone, or may not be seen", nil
	}
	return w, "", err
}

// acknowledge shows that a command was seen.
func (d Desk) acknowledge(ctx context.Context, said Said) { d.addReaction(ctx, said, "eyes") }

// react shows what became of a command.
func (d Desk) react(ctx context.Context, said Said, done bool) {
	if done {
		d.addReaction(ctx, said, "rocket")
		return
	}
	d.addReaction(ctx, said, "confused")
}

// addReaction is a courtesy: what fails here holds up nothing. A review's body takes no reaction
// by the REST API.
func (d Desk) addReaction(ctx context.Context, said Said, content string) {
	var err error
	switch said.Place {
	case ledger.InComment:
		_, _, err = d.Repo.Client.Reactions.CreateIssueCommentReaction(ctx, d.Repo.Owner, d.Repo.Name, said.ID, content)
	case ledger.InRemark:
		_, _, err = d.Repo.Client.Reactions.CreatePullRequestCommentReaction(ctx, d.Repo.Owner, d.Repo.Name, said.ID, content)
	}
	if err != nil {
		d.Warn(err)
	}
}
