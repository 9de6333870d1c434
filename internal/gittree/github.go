package gittree

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// GitHub is a branch of a repository behind GitHub's API.
type GitHub struct {
	Client      *github.Client
	Owner, Repo string
	Branch      string // "" is the default branch
}

// Past tells what became of names on the branch, by one request for its files and two for each
// name that is none of them.
func (g GitHub) Past(ctx context.Context, names []string) (map[string]lesson.Past, error) {
	if len(names) == 0 {
		return nil, nil
	}
	files, whole, err := g.files(ctx)
	if err != nil {
		return nil, err
	}
	return past(names, files, func(name string) (loss, error) {
		if !whole { // what is not in the part may be in the rest
			return loss{unknown: true}, nil
		}
		return g.lost(ctx, name)
	})
}

// files lists the paths on the branch, submodules included, and whether these are all: GitHub cuts
// off a list of more than 100,000.
func (g GitHub) files(ctx context.Context) (files []string, whole bool, err error) {
	branch := g.Branch
	if branch == "" {
		repo, _, err := g.Client.Repositories.Get(ctx, g.Owner, g.Repo)
		if err != nil {
			return nil, false, err
		}
		branch = repo.GetDefaultBranch()
	}
	tree, response, err := g.Client.Git.GetTree(ctx, g.Owner, g.Repo, branch, true)
	switch {
	case response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict):
		return nil, false, nil // no such branch, or an empty repository
	case err != nil:
		return nil, false, err
	}
	for _, e := range tree.Entries {
		if e.GetType() != "tree" {
			files = append(files, e.GetPath())
		}
	}
	return files, !tree.GetTruncated(), nil
}

// lost asks for the newest commit that touched a path which the branch does not have: that is the
// one that took it away. Only paths can be asked for, so nothing is known of a bare name.
func (g GitHub) lost(ctx context.Context, name string) (loss, error) {
	if !strings.Contains(name, "/") {
		return loss{unknown: true}, nil
	}
	commits, response, err := g.Client.Repositories.ListCommits(ctx, g.Owner, g.Repo, &github.CommitsListOptions{
		SHA: g.Branch, Path: name, ListOptions: github.ListOptions{PerPage: 1},
	})
	switch {
	case response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict):
		return loss{unknown: true}, nil // no such branch, or an empty repository
	case err != nil:
		return loss{}, err
	case len(commits) == 0:
		return loss{}, nil
	}
	return g.lostIn(ctx, name, commits[0].GetSHA())
}

// lostIn reads from the commit whether it deleted or renamed the path.
func (g GitHub) lostIn(ctx context.Context, name, sha string) (loss, error) {
	commit, _, err := g.Client.Repositories.GetCommit(ctx, g.Owner, g.Repo, sha, &github.ListOptions{PerPage: 100})
	if err != nil {
		return loss{}, err
	}
	var renames [][2]string
	gone := false
	for _, f := range commit.Files {
		switch {
		case f.GetStatus() == "renamed":
			renames = append(renames, [2]string{f.GetPreviousFilename(), f.GetFilename()})
		case f.GetStatus() == "removed" && (f.GetFilename() == name || strings.HasPrefix(f.GetFilename(), name+"/")):
			gone = true
		}
	}
	l := loss{date: lesson.DateOf(commit.GetCommit().GetCommitter().GetDate().Time), renamed: target(name, renames)}
	if l.renamed == "" && !gone { // beyond the files that the answer holds
		return loss{unknown: true}, nil
	}
	return l, nil
}
