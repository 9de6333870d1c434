package githubtest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

func listCommits(c *call) reply {
	head := c.repo.head(c.query("sha"))
	if head == "" {
		if len(c.repo.refs) == 0 {
			return emptyRepository()
		}
		return notFound()
	}
	since, _ := time.Parse(time.RFC3339, c.query("since"))
	until, err := time.Parse(time.RFC3339, c.query("until"))
	author := c.query("author")
	all := slices.DeleteFunc(c.repo.objects.history(head, strings.Trim(c.query("path"), "/")), func(k *commit) bool {
		when := k.committer.when
		return when.Before(since) || (err == nil && when.After(until)) ||
			(author != "" && !strings.EqualFold(author, k.author.login) && author != k.author.email)
	})
	return list(c, all, c.repo.commitObject)
}

func emptyRepository() reply { return failure(http.StatusConflict, "Git Repository is empty.") }

func getCommit(c *call) reply {
	ref := c.PathValue("ref")
	k := c.repo.objects.commits[c.repo.head(ref)]
	if k == nil {
		if len(c.repo.refs) == 0 {
			return emptyRepository()
		}
		return invalid("No commit found for SHA: " + ref)
	}
	o := c.repo.commitObject(k)
	before := ""
	if len(k.parents) > 0 {
		before = k.parents[0]
	}
	files := c.repo.diff(before, k.sha)
	part, header := page(c, files)
	additions, deletions := 0, 0
	for _, f := range files {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	o["stats"] = object{"additions": additions, "deletions": deletions, "total": additions + deletions}
	o["files"] = each(part, func(f fileChange) object { return c.repo.changeObject(f, k.sha) })
	return reply{status: http.StatusOK, header: header, body: o}
}

// compare takes "base...head", each anything that names a commit.
func compare(c *call) reply {
	r := c.repo
	from, to, _ := strings.Cut(c.PathValue("basehead"), "...")
	base, head := r.objects.commits[r.head(from)], r.objects.commits[r.head(to)]
	if base == nil || head == nil {
		return notFound()
	}
	shared := r.objects.mergeBase(base.sha, head.sha)
	if shared == nil {
		return failure(http.StatusNotFound, "No common ancestor between "+from+" and "+to+".")
	}
	ahead, behind := r.objects.between(base.sha, head.sha), r.objects.between(head.sha, base.sha)
	status := "identical"
	switch {
	case len(ahead) > 0 && len(behind) > 0:
		status = "diverged"
	case len(ahead) > 0:
		status = "ahead"
	case len(behind) > 0:
		status = "behind"
	}
	part, header := page(c, ahead)
	name := from + "..." + to
	return reply{status: http.StatusOK, header: header, body: object{
		"url":               r.apiURL("/compare/%s", name),
		"html_url":          r.webURL("/compare/%s", name),
		"permalink_url":     r.webURL("/compare/%s...%s", base.sha, head.sha),
		"diff_url":          r.webURL("/compare/%s.diff", name),
		"patch_url":         r.webURL("/compare/%s.patch", name),
		"base_commit":       r.commitObject(base),
		"merge_base_commit": r.commitObject(shared),
		"status":            status,
		"ahead_by":          len(ahead),
		"behind_by":         len(behind),
		"total_commits":     len(ahead),
		"commits":           each(part, r.commitObject),
		"files":             each(r.diff(shared.sha, head.sha), func(f fileChange) object { return r.changeObject(f, head.sha) }),
	}}
}
