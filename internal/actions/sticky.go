package actions

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/review"
)

// marker begins the comment that the product keeps up to date. It is not shown.
const marker = "<!-- agent-lessons: metrics -->"

// workflowLogin writes what a workflow's own token writes.
const workflowLogin = "github-actions[bot]"

// sticky is the one comment of a pull request that is updated in place.
type sticky struct {
	repo review.Repository
	pull int
}

// find returns our comments, the oldest first. Anyone may write the marker: the author decides.
func (s sticky) find(ctx context.Context) ([]*github.IssueComment, error) {
	var marked []*github.IssueComment
	page := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		comments, response, err := s.repo.Client.Issues.ListComments(ctx, s.repo.Owner, s.repo.Name, s.pull, page)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			if strings.HasPrefix(c.GetBody(), marker) {
				marked = append(marked, c)
			}
		}
		if response.NextPage == 0 {
			return s.ours(ctx, marked), nil
		}
		page.Page = response.NextPage
	}
}

// ours keeps the comments of the token's own login. It is asked for only where someone else than
// the workflow's token wrote the marker.
func (s sticky) ours(ctx context.Context, marked []*github.IssueComment) []*github.IssueComment {
	self := ""
	var out []*github.IssueComment
	for _, c := range marked {
		login := c.GetUser().GetLogin()
		if login != workflowLogin && self == "" {
			self = s.self(ctx)
		}
		if login == workflowLogin || strings.EqualFold(login, self) {
			out = append(out, c)
		}
	}
	return out
}

// self asks GraphQL, which answers every kind of token; REST has no such question for an
// installation's. Without an answer it is the workflow's token.
func (s sticky) self(ctx context.Context) string {
	request, err := s.repo.Client.NewRequest(http.MethodPost, graphQL(s.repo.Client), map[string]string{"query": "{viewer{login}}"})
	if err != nil {
		return workflowLogin
	}
	var answer struct {
		Data struct{ Viewer struct{ Login string } }
	}
	if _, err := s.repo.Client.Do(ctx, request, &answer); err != nil || answer.Data.Viewer.Login == "" {
		return workflowLogin
	}
	return answer.Data.Viewer.Login
}

// graphQL is beside the REST API: /graphql on GitHub, /api/graphql for /api/v3 on an Enterprise Server.
func graphQL(client *github.Client) string {
	address := *client.BaseURL
	address.Path = strings.TrimSuffix(strings.TrimSuffix(address.Path, "/"), "/v3") + "/graphql"
	return address.String()
}

// write updates the oldest comment of ours and removes the others, or creates one. Two runs may
// create one each at the same moment: the oldest stays.
func (s sticky) write(ctx context.Context, existing []*github.IssueComment, body string) error {
	if len(existing) == 0 {
		created, _, err := s.repo.Client.Issues.CreateComment(ctx, s.repo.Owner, s.repo.Name, s.pull, &github.IssueComment{Body: &body})
		if err != nil {
			return err
		}
		if existing, err = s.find(ctx); err != nil || len(existing) == 0 || existing[0].GetID() == created.GetID() {
			return err
		}
	}
	keep := existing[0]
	if keep.GetBody() != body {
		if _, _, err := s.repo.Client.Issues.EditComment(ctx, s.repo.Owner, s.repo.Name, keep.GetID(), &github.IssueComment{Body: &body}); err != nil {
			return err
		}
	}
	for _, extra := range existing[1:] {
		if _, err := s.repo.Client.Issues.DeleteComment(ctx, s.repo.Owner, s.repo.Name, extra.GetID()); err != nil {
			return err
		}
	}
	return nil
}

// readOnly reports whether the token may not do what was asked: that of a pull request from a
// fork or by Dependabot, or of a workflow that does not grant the permission.
func readOnly(err error) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == http.StatusForbidden &&
		strings.Contains(answer.Message, "Resource not accessible by")
}
