package githubtest

import (
	"net/http"
	"slices"
	"strings"
)

// createPull opens a pull request of a branch of the repository itself.
func createPull(c *call) reply {
	var in struct {
		Title, Head, Base, Body string
		Draft                   bool
	}
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r := c.repo
	head := strings.TrimPrefix(in.Head, r.owner+":")
	tip, base := r.refs["refs/heads/"+head], r.refs["refs/heads/"+in.Base]
	same := func(p *pull) bool { return p.State == "open" && p.Fork == "" && p.Head == head && p.Base == in.Base }
	switch {
	case tip == "":
		return invalidField("PullRequest", "head", "invalid", "")
	case base == "":
		return invalidField("PullRequest", "base", "invalid", "")
	case slices.ContainsFunc(r.sortedPulls(), same):
		return invalidField("PullRequest", "", "custom", "A pull request already exists for "+r.owner+":"+head+".")
	case len(r.objects.between(base, tip)) == 0:
		return invalidField("PullRequest", "", "custom", "No commits between "+in.Base+" and "+head)
	}
	p := r.openPull(PullRequest{
		Title: in.Title, Body: in.Body, Author: c.token.login, Head: head, Base: in.Base, Draft: in.Draft,
	})
	return created(r.fullPull(p))
}

// updatePull changes what is given, and closes or opens again.
func updatePull(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	var in struct{ Title, Body, State, Base *string }
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	if in.State != nil && *in.State == "open" && !p.MergedAt.IsZero() {
		return invalidField("PullRequest", "state", "invalid", "state cannot be changed. The pull request was merged.")
	}
	set(&p.Title, in.Title)
	set(&p.Body, in.Body)
	set(&p.Base, in.Base)
	p.updated = c.s.now()
	if in.State != nil && *in.State != p.State {
		if *in.State == "closed" {
			c.repo.closePull(p)
		} else {
			c.repo.reopen(p)
		}
	}
	return ok(c.repo.fullPull(p))
}

func listPullCommits(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	return list(c, c.repo.objects.between(p.baseSHA, c.repo.follow(p)), c.repo.commitObject)
}

func listPullFiles(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	head := c.repo.follow(p)
	return list(c, c.repo.diff(c.repo.forkPoint(p), head), func(f fileChange) object { return c.repo.changeObject(f, head) })
}

// listCommitPulls lists the pull requests of a commit; those of forks are not
// found by it.
func listCommitPulls(c *call) reply {
	sha := c.repo.head(c.PathValue("commit_sha"))
	if sha == "" {
		return failure(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.PathValue("commit_sha"))
	}
	all := slices.DeleteFunc(c.repo.sortedPulls(), func(p *pull) bool {
		inHead := slices.ContainsFunc(c.repo.objects.between(p.baseSHA, c.repo.follow(p)), func(k *commit) bool { return k.sha == sha })
		return p.Fork != "" || (!inHead && p.mergeCommit != sha)
	})
	return list(c, all, c.repo.simplePull)
}
