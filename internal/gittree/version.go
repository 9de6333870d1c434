package gittree

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
)

// Version returns a file as a commit left it; nil where the commit has none, or a shallow clone lacks
// the commit.
func (c Checkout) Version(ctx context.Context, sha, name string) ([]byte, error) {
	out, err := c.git(ctx, nil, "ls-tree", "-z", "--full-tree", sha, "--", name)
	if failed := (*gitError)(nil); errors.As(err, &failed) {
		return nil, nil
	}
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return c.git(ctx, nil, "cat-file", "blob", sha+":"+name)
}

// Commits returns the commits that touched a file on the branch, newest first, those committed before
// since left out: one request for each hundred. An empty repository has none.
func (g GitHub) Commits(ctx context.Context, name string, since time.Time) ([]ledger.Commit, error) {
	options := &github.CommitsListOptions{SHA: g.Branch, Path: name, Since: since, ListOptions: github.ListOptions{PerPage: 100}}
	var commits []ledger.Commit
	for {
		page, response, err := g.Client.Repositories.ListCommits(ctx, g.Owner, g.Repo, options)
		if err != nil {
			if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict) {
				return nil, nil // no such branch yet, or an empty repository
			}
			return nil, err
		}
		for _, c := range page {
			parent := ""
			if len(c.Parents) > 0 {
				parent = c.Parents[0].GetSHA()
			}
			commits = append(commits, ledger.Commit{
				SHA: c.GetSHA(), Parent: parent, Author: c.GetAuthor().GetLogin(), At: c.GetCommit().GetCommitter().GetDate().Time, Message: c.GetCommit().GetMessage(),
			})
		}
		if response.NextPage == 0 {
			return commits, nil
		}
		options.Page = response.NextPage
	}
}

// Version returns a file as a commit left it; nil where the commit has none.
func (g GitHub) Version(ctx context.Context, sha, name string) ([]byte, error) {
	file, _, response, err := g.Client.Repositories.GetContents(ctx, g.Owner, g.Repo, name, &github.RepositoryContentGetOptions{Ref: sha})
	if response != nil && response.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	if err != nil || file == nil { // a directory is no file
		return nil, err
	}
	text, err := file.GetContent()
	return []byte(text), err
}
