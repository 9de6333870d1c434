package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// repository is one repository as its installation sees it.
type repository struct {
	client      *github.Client
	id          int64
	owner, name string
}

func (a *App) repository(in queue.Intent) (repository, error) {
	owner, name, ok := strings.Cut(in.FullName, "/")
	if !ok {
		return repository{}, queue.Permanent(fmt.Errorf("%q is not owner/name", in.FullName))
	}
	client, err := a.clients.installation(in.Installation)
	return repository{client: client, id: in.Repository, owner: owner, name: name}, err
}

// mayWrite asks the permission endpoint: author_association lies for private members
// (github.md 1.4). GitHub folds maintain into write there, and triage into read.
func (r repository) mayWrite(ctx context.Context, login string) (bool, error) {
	if login == "" {
		return false, nil
	}
	level, response, err := r.client.Repositories.GetPermissionLevel(ctx, r.owner, r.name, login)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	permission := level.GetPermission()
	return permission == "admin" || permission == "write", nil
}

// findings returns the review's body and its inline comments, all pages.
func (r repository) findings(ctx context.Context, pull int, review *github.PullRequestReview) ([]distill.Finding, error) {
	var out []distill.Finding
	if body := review.GetBody(); strings.TrimSpace(body) != "" {
		out = append(out, distill.Finding{Body: body})
	}
	page := github.ListOptions{PerPage: 100}
	for {
		comments, response, err := r.client.PullRequests.ListReviewComments(ctx, r.owner, r.name, pull, review.GetID(), &page)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			out = append(out, distill.Finding{Path: c.GetPath(), Line: c.GetLine(), Body: c.GetBody()})
		}
		if response.NextPage == 0 {
			return out, nil
		}
		page.Page = response.NextPage
	}
}
