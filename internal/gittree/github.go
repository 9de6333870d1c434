package gittree

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"
	ignore "github.com/sabhiram/go-gitignore"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// GitHub is a branch of a repository behind GitHub's API.
type GitHub struct {
	Client      *github.Client
	Owner, Repo string
	Branch      string // "" is the default branch
}

// Past tells what became of names on the branch: one request for its files, and for each path that
// is not among them one for the newest commit that touched it, and one for what that commit did.
// Where the API cannot tell (a bare name, a tree too large to be listed) the name is unknown.
// Ignored names are no evidence: they are left out.
func (g GitHub) Past(ctx context.Context, names []string) (map[string]lesson.Past, error) {
	if len(names) == 0 {
		return nil, nil
	}
	files, whole, err := g.files(ctx)
	if err != nil {
		return nil, err
	}
	return past(names, files, func(name string) (loss, error) {
		if !whole {
			return loss{unknown: true}, nil
		}
		l, err := g.lost(ctx, name)
		if err != nil || l.date.IsZero() || l.renamed != "" {
			return l, err
		}
		if ignored, err := g.ignores(ctx, name, files); err != nil || ignored {
			return loss{}, err
		}
		return l, nil
	})
}

// files lists the paths on the branch, submodules included; whole is false where there are more,
// or where there is no commit.
func (g GitHub) files(ctx context.Context) (files []string, whole bool, err error) {
	ref := g.Branch
	if ref == "" {
		ref = "HEAD"
	}
	tree, response, err := g.Client.Git.GetTree(ctx, g.Owner, g.Repo, ref, true)
	if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	for _, e := range tree.Entries {
		if e.GetType() != "tree" {
			files = append(files, e.GetPath())
		}
	}
	return files, !tree.GetTruncated(), nil
}

// ignores reports whether the repository's .gitignore files, from the path's folder upward, ignore
// the path. The nearest that speaks of it decides.
func (g GitHub) ignores(ctx context.Context, name string, files []string) (bool, error) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		rules := path.Join(dir, ".gitignore")
		if slices.Contains(files, rules) {
			file, _, _, err := g.Client.Repositories.GetContents(ctx, g.Owner, g.Repo, rules, &github.RepositoryContentGetOptions{Ref: g.Branch})
			if err != nil {
				return false, err
			}
			text, err := file.GetContent()
			if err != nil {
				return false, err
			}
			relative := strings.TrimPrefix(name, dir+"/")
			if matched, rule := ignore.CompileIgnoreLines(strings.Split(text, "\n")...).MatchesPathHow(relative); rule != nil {
				return matched, nil
			}
		}
		if dir == "." {
			return false, nil
		}
	}
}

// lost asks for the newest commit that touched a path which the branch does not have: that is the
// one that took it away. Only paths can be asked for, so nothing is known of a bare name.
func (g GitHub) lost(ctx context.Context, name string) (loss, error) {
	if !strings.Contains(name, "/") {
		return loss{unknown: true}, nil
	}
	commits, _, err := g.Client.Repositories.ListCommits(ctx, g.Owner, g.Repo, &github.CommitsListOptions{
		SHA: g.Branch, Path: name, ListOptions: github.ListOptions{PerPage: 1},
	})
	if err != nil || len(commits) == 0 {
		return loss{}, err
	}
	commit, _, err := g.Client.Repositories.GetCommit(ctx, g.Owner, g.Repo, commits[0].GetSHA(), &github.ListOptions{PerPage: 100})
	if err != nil {
		return loss{}, err
	}
	return lostIn(name, commit), nil
}

// lostIn reads from a commit whether it deleted or renamed the path.
func lostIn(name string, commit *github.RepositoryCommit) loss {
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
	if l.renamed == "" && !gone { // it is beyond the files that the answer holds
		return loss{unknown: true}
	}
	return l
}
