package store

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
)

// GitHub is a lessons file behind the contents API: one GET to read, one PUT to write, guarded
// by the blob's sha (design decision 3).
type GitHub struct {
	Client      *github.Client
	Owner, Repo string
	Branch      string // "" is the default branch
	Path        string
	Documents   Documents
}

// Read returns the file, a missing one (or an empty repository) as a Snapshot that does not exist.
func (g GitHub) Read(ctx context.Context) (Snapshot, error) {
	file, dir, res, err := g.Client.Repositories.GetContents(ctx, g.Owner, g.Repo, g.Path, &github.RepositoryContentGetOptions{Ref: g.Branch})
	if err != nil {
		if res != nil && res.StatusCode == http.StatusNotFound {
			return Snapshot{}, nil
		}
		return Snapshot{}, err
	}
	if dir != nil || file == nil {
		return Snapshot{}, &RefusedError{g.Path, "it is a directory"}
	}
	switch kind := file.GetType(); {
	case kind != "file":
		return Snapshot{}, &RefusedError{g.Path, "it is a " + kind + ", not a file"}
	case file.GetSize() >= MaxBytes || file.GetEncoding() == "none":
		return Snapshot{}, tooLarge(g.Path)
	}
	content, err := decode(file)
	if err != nil {
		return Snapshot{}, err
	}
	if err := checkContent(g.Path, content); err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Content: content, Exists: true, Version: file.GetSHA()}, nil
}

// decode returns the exact bytes: go-github's GetContent loses nothing, but only for base64 that
// it can read without line ends.
func decode(file *github.RepositoryContent) ([]byte, error) {
	if file.Content == nil {
		return nil, nil
	}
	return base64.StdEncoding.DecodeString(strings.ReplaceAll(*file.Content, "\n", ""))
}

// Write commits content in place of the snapshot, and the documents in step with it. It returns
// ErrConflict when the file changed, and a *RuleError when the branch forbids the direct write.
// Author and committer stay unset, so that GitHub signs the commit as the App's.
func (g GitHub) Write(ctx context.Context, was Snapshot, content []byte, message string) (Commit, error) {
	switch {
	case len(content) >= MaxBytes:
		return Commit{}, tooLarge(g.Path)
	case len(g.Documents.Paths) > 0:
		return g.writeTogether(ctx, was, content, message)
	}
	return g.put(ctx, was, content, message)
}

// put commits the one file.
func (g GitHub) put(ctx context.Context, was Snapshot, content []byte, message string) (Commit, error) {
	options := &github.RepositoryContentFileOptions{Message: &message, Content: content}
	if was.Exists {
		options.SHA = &was.Version
	}
	if g.Branch != "" {
		options.Branch = &g.Branch
	}
	response, _, err := g.Client.Repositories.CreateFile(ctx, g.Owner, g.Repo, g.Path, options)
	if err != nil {
		return Commit{}, g.classify(err)
	}
	return Commit{SHA: response.GetSHA(), URL: response.GetHTMLURL()}, nil
}

// classify tells a lost race from a rule: both answer 409 or 422, so the text decides.
func (g GitHub) classify(err error) error {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) || answer.Response == nil {
		return err
	}
	message := answer.Message
	switch answer.Response.StatusCode {
	case http.StatusConflict, http.StatusUnprocessableEntity:
	default:
		return err
	}
	switch {
	case strings.Contains(strings.ToLower(message), "secret"): // of no use on another branch either
		return &RefusedError{g.Path, "GitHub's push protection sees a secret in it, and is not bypassed: " + message}
	case mentionsRule(message):
		return &RuleError{Branch: g.Branch, Message: message}
	case strings.Contains(message, "does not match"),
		strings.Contains(message, "but expected"),
		strings.Contains(message, `"sha" wasn't supplied`),
		strings.Contains(message, "fast forward"),
		strings.Contains(message, "Reference already exists"),
		strings.Contains(message, "Reference does not exist"):
		return ErrConflict
	}
	return err
}

// mentionsRule recognises the wordings of classic protection, rulesets, merge queue and push
// protection.
func mentionsRule(message string) bool {
	m := strings.ToLower(message)
	for _, words := range []string{
		"rule violation", "protected branch", "must be made through", "required status check",
		"push declined", "review is required", "cannot force-push",
		"reference update failed",
	} {
		if strings.Contains(m, words) {
			return true
		}
	}
	return false
}

// Messages returns the messages of the commits that touched the file, newest first: all of them,
// or the newest page alone when recent is set.
func (g GitHub) Messages(ctx context.Context, recent bool) ([]string, error) {
	commits, err := g.Commits(ctx, recent)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range commits {
		out = append(out, c.Message)
	}
	return out, nil
}

// Commits returns the commits of Messages.
func (g GitHub) Commits(ctx context.Context, recent bool) ([]ledger.Commit, error) {
	options := &github.CommitsListOptions{SHA: g.Branch, Path: g.Path, ListOptions: github.ListOptions{PerPage: 100}}
	var out []ledger.Commit
	for {
		commits, res, err := g.Client.Repositories.ListCommits(ctx, g.Owner, g.Repo, options)
		if err != nil {
			if res != nil && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusConflict) {
				return nil, nil // no such branch yet, or an empty repository
			}
			return nil, err
		}
		for _, c := range commits {
			out = append(out, ledger.Commit{
				SHA: c.GetSHA(), Author: cmp.Or(c.GetAuthor().GetLogin(), c.GetCommit().GetAuthor().GetName()),
				At: c.GetCommit().GetCommitter().GetDate().Time, Message: c.GetCommit().GetMessage(),
			})
		}
		if recent || res.NextPage == 0 {
			return out, nil
		}
		options.Page = res.NextPage
	}
}
