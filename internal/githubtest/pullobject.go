package githubtest

import (
	"maps"
	"strings"
)

// simplePull is a pull request as lists and review webhooks show it.
func (r *Repository) simplePull(p *pull) object {
	r.follow(p)
	self, web := r.apiURL("/pulls/%d", p.Number), r.webURL("/pull/%d", p.Number)
	issue := r.apiURL("/issues/%d", p.Number)
	links := map[string]string{
		"self": self, "html": web, "issue": issue, "comments": issue + "/comments",
		"review_comments": self + "/comments", "review_comment": r.apiURL("/pulls/comments{/number}"),
		"commits": self + "/commits", "statuses": r.apiURL("/statuses/%s", p.HeadSHA),
	}
	hrefs := object{}
	for name, href := range links {
		hrefs[name] = object{"href": href}
	}
	return object{
		"url":                 self,
		"id":                  p.id,
		"node_id":             nodeID("PR", p.id),
		"html_url":            web,
		"diff_url":            web + ".diff",
		"patch_url":           web + ".patch",
		"issue_url":           issue,
		"commits_url":         links["commits"],
		"review_comments_url": links["review_comments"],
		"review_comment_url":  links["review_comment"],
		"comments_url":        links["comments"],
		"statuses_url":        links["statuses"],
		"number":              p.Number,
		"state":               p.State,
		"locked":              false,
		"active_lock_reason":  nil,
		"title":               p.Title,
		"user":                r.s.userObject(p.Author),
		"body":                stringOrNull(p.Body),
		"labels":              []object{},
		"milestone":           nil,
		"assignee":            nil,
		"assignees":           []object{},
		"requested_reviewers": []object{},
		"requested_teams":     []object{},
		"draft":               p.Draft,
		"created_at":          stamp(p.created),
		"updated_at":          stamp(p.updated),
		"closed_at":           stampOrNull(p.closed),
		"merged_at":           stampOrNull(p.MergedAt),
		"merge_commit_sha":    stringOrNull(p.mergeCommit),
		"author_association":  association,
		"auto_merge":          nil,
		"head":                r.headObject(p),
		"base":                r.refObject(p.Base, p.baseSHA),
		"_links":              hrefs,
	}
}

// association is what an App's token is told of members of a private
// organisation, whatever they may do: no decision may rest on it.
const association = "CONTRIBUTOR"

func (r *Repository) refObject(branch, sha string) object {
	return object{
		"label": r.owner + ":" + branch, "ref": branch, "sha": sha,
		"user": r.s.userObject(r.owner), "repo": r.s.repositoryObject(r),
	}
}

func (r *Repository) headObject(p *pull) object {
	if p.Fork == "" {
		return r.refObject(p.Head, p.HeadSHA)
	}
	fork := *r
	fork.id = p.forkID
	fork.owner, fork.name, _ = strings.Cut(p.Fork, "/")
	o := fork.refObject(p.Head, p.HeadSHA)
	o["repo"].(object)["fork"] = true
	return o
}

// fullPull adds what only a single pull request shows.
func (r *Repository) fullPull(p *pull) object {
	o := r.simplePull(p)
	files := r.diff(r.forkPoint(p), p.HeadSHA)
	additions, deletions := 0, 0
	for _, f := range files {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	open := p.State == "open"
	mergeable := map[bool]any{true: true, false: nil}[open]
	maps.Copy(o, object{
		"merged":                !p.MergedAt.IsZero(),
		"mergeable":             mergeable,
		"rebaseable":            mergeable,
		"mergeable_state":       map[bool]string{true: "clean", false: "unknown"}[open],
		"merged_by":             r.s.userObject(p.mergedBy),
		"comments":              len(r.issues[p.Number].comments),
		"review_comments":       len(p.comments),
		"maintainer_can_modify": p.Fork != "",
		"commits":               len(r.objects.between(p.baseSHA, p.HeadSHA)),
		"additions":             additions,
		"deletions":             deletions,
		"changed_files":         len(files),
	})
	return o
}
