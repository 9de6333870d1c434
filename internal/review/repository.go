// Package review reads from GitHub what learning from a review takes: the review with its
// comments, its reviewer's right to teach, and the repository's configuration. The App and the
// Action share it, so that both admit the same. It writes nothing.
package review

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/command"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/docsync"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Repository is one repository as the token behind Client sees it.
type Repository struct {
	Client      *github.Client
	Owner, Name string
}

// FullName returns "owner/name".
func (r Repository) FullName() string { return r.Owner + "/" + r.Name }

// Store returns the repository's lessons file as the configuration places it, and the documents
// that the configuration keeps in step with it. Today decides whether a person's refusal of the
// standing pull request still holds.
func (r Repository) Store(cfg config.Config, today time.Time) *store.Remote {
	file := store.GitHub{
		Client: r.Client, Owner: r.Owner, Repo: r.Name, Branch: cfg.Branch, Path: cfg.Path,
		Documents: store.Documents{Paths: cfg.SyncDocs, Render: docsync.Renderer(cfg.Window)},
	}
	remote := &store.Remote{GitHub: file, Proposes: cfg.Commit.Mode == config.PullRequest}
	if cfg.Commit.Mode != config.Direct {
		remote.Proposal = &store.Proposal{GitHub: file, Cap: cfg.Cap, Describe: report.Pending, Today: today}
	}
	return remote
}

// MayWrite asks the permission endpoint: author_association lies for private members
// (github.md 1.4). GitHub folds maintain into write there, and triage into read.
func (r Repository) MayWrite(ctx context.Context, login string) (bool, error) {
	if login == "" {
		return false, nil
	}
	level, response, err := r.Client.Repositories.GetPermissionLevel(ctx, r.Owner, r.Name, login)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	permission := level.GetPermission()
	return permission == "admin" || permission == "write", nil
}

// Findings returns the review's body and its inline comments, all pages, without commands: found is
// what may teach. Of a review by a person that only comments that is what asks for a change, since most
// such comments are talk (issue 4); the rest is left.
func (r Repository) Findings(ctx context.Context, pull int, review *github.PullRequestReview) (found, left []distill.Finding, err error) {
	found = []distill.Finding{{Body: command.Without(review.GetBody())}}
	page := github.ListOptions{PerPage: 100}
	for {
		comments, response, err := r.Client.PullRequests.ListReviewComments(ctx, r.Owner, r.Name, pull, review.GetID(), &page)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range comments {
			found = append(found, distill.Finding{Path: c.GetPath(), Line: c.GetLine(), Body: command.Without(c.GetBody())})
		}
		if response.NextPage == 0 {
			break
		}
		page.Page = response.NextPage
	}
	found = slices.DeleteFunc(found, func(f distill.Finding) bool { return strings.TrimSpace(f.Body) == "" })
	if !commentOnly(review) || review.GetUser().GetType() == "Bot" {
		return found, nil, nil
	}
	return asking(ctx, found)
}

func asking(ctx context.Context, all []distill.Finding) (found, left []distill.Finding, err error) {
	for _, f := range all {
		asks, err := distill.Asks(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		if asks {
			found = append(found, f)
		} else {
			left = append(left, f)
		}
	}
	return found, left, nil
}
