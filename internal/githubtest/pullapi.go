package githubtest

import (
	"slices"
	"strconv"
	"strings"
)

// pull is the pull request that the path names, nil if there is none.
func (c *call) pull() *pull {
	number, _ := strconv.Atoi(c.PathValue("pull_number"))
	return c.repo.pulls[number]
}

func listPulls(c *call) reply {
	state, head, base := c.query("state"), c.query("head"), c.query("base")
	all := slices.DeleteFunc(c.repo.sortedPulls(), func(p *pull) bool {
		label := c.repo.owner
		if p.Fork != "" {
			label, _, _ = strings.Cut(p.Fork, "/")
		}
		return (state != "all" && p.State != orOpen(state)) ||
			(base != "" && p.Base != base) ||
			(head != "" && head != label+":"+p.Head)
	})
	if c.query("sort") == "updated" {
		slices.SortStableFunc(all, func(a, b *pull) int { return b.updated.Compare(a.updated) })
	}
	if c.query("direction") == "asc" || (c.query("sort") != "" && c.query("sort") != "created" && c.query("direction") == "") {
		slices.Reverse(all)
	}
	return list(c, all, c.repo.simplePull)
}

func getPull(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	return ok(c.repo.fullPull(p))
}

func listReviews(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	return list(c, p.submitted(), c.repo.reviewObject)
}

func getReview(c *call) reply {
	v := c.review()
	if v == nil {
		return notFound()
	}
	return ok(c.repo.reviewObject(v))
}

func getReviewComment(c *call) reply {
	k := c.repo.reviewComment(pathID(c, "comment_id"))
	if k == nil {
		return notFound()
	}
	return ok(c.repo.reviewCommentObject(k))
}

func listReviewComments(c *call) reply {
	v := c.review()
	if v == nil {
		return notFound()
	}
	all := slices.DeleteFunc(slices.Clone(c.pull().comments), func(k *reviewComment) bool { return k.review != v.ID })
	return list(c, all, func(k *reviewComment) object {
		o := c.repo.reviewCommentObject(k)
		// This list alone does not say which lines a comment is on.
		for _, key := range []string{"line", "original_line", "start_line", "original_start_line", "start_side", "side", "subject_type"} {
			delete(o, key)
		}
		return o
	})
}

func listPullComments(c *call) reply {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	return list(c, p.comments, func(k *reviewComment) object {
		o := c.repo.reviewCommentObject(k)
		for _, key := range []string{"line", "position"} {
			if o[key] == nil {
				delete(o, key) // GitHub answers null, which its own description has no room for
			}
		}
		return o
	})
}

// review is the one that the path names. Another's pending review is not shown.
func (c *call) review() *review {
	p := c.pull()
	if p == nil {
		return nil
	}
	id, _ := strconv.ParseInt(c.PathValue("review_id"), 10, 64)
	v := p.review(id)
	if v == nil || v.State == "PENDING" {
		return nil
	}
	return v
}

func (p *pull) submitted() []*review {
	return slices.DeleteFunc(slices.Clone(p.reviews), func(v *review) bool { return v.State == "PENDING" })
}

func (r *Repository) reviewObject(v *review) object {
	html := r.webURL("/pull/%d#pullrequestreview-%d", v.number, v.ID)
	self := r.apiURL("/pulls/%d", v.number)
	return object{
		"id":                 v.ID,
		"node_id":            nodeID("PRR", v.ID),
		"user":               r.s.userObject(v.User),
		"body":               v.Body,
		"state":              v.State,
		"html_url":           html,
		"pull_request_url":   self,
		"author_association": association,
		"submitted_at":       stamp(v.SubmittedAt),
		"commit_id":          v.CommitID,
		"_links":             object{"html": object{"href": html}, "pull_request": object{"href": self}},
	}
}

func (r *Repository) reviewCommentObject(c *reviewComment) object {
	self := r.apiURL("/pulls/comments/%d", c.ID)
	html := r.webURL("/pull/%d#discussion_r%d", c.number, c.ID)
	pull := r.apiURL("/pulls/%d", c.number)
	o := object{
		"url":                    self,
		"id":                     c.ID,
		"node_id":                nodeID("PRRC", c.ID),
		"pull_request_review_id": c.review,
		"diff_hunk":              c.hunk,
		"path":                   c.Path,
		"position":               1,
		"original_position":      1,
		"commit_id":              r.pulls[c.number].HeadSHA,
		"original_commit_id":     c.commit,
		"user":                   r.s.userObject(c.User),
		"body":                   c.Body,
		"created_at":             stamp(c.created),
		"updated_at":             stamp(c.updated),
		"html_url":               html,
		"pull_request_url":       pull,
		"author_association":     association,
		"_links": object{
			"self": object{"href": self}, "html": object{"href": html}, "pull_request": object{"href": pull},
		},
		"reactions":           r.rollup(self, c.reactions),
		"side":                "RIGHT",
		"start_side":          nil,
		"start_line":          nil,
		"original_start_line": nil,
		"line":                c.Line,
		"original_line":       c.Line,
		"subject_type":        "line",
	}
	if c.StartLine > 0 {
		o["start_line"], o["original_start_line"], o["start_side"] = c.StartLine, c.StartLine, "RIGHT"
	}
	if c.InReplyTo != 0 {
		o["in_reply_to_id"] = c.InReplyTo
	}
	switch {
	case c.Line == 0: // on the whole file: never outdated
		o["subject_type"], o["line"], o["original_line"] = "file", 1, 1
	case c.Outdated:
		o["position"], o["line"], o["start_line"] = nil, nil, nil
		o["commit_id"] = c.commit
	}
	return o
}

func orOpen(state string) string {
	if state == "" {
		return "open"
	}
	return state
}
