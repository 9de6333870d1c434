package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

func (c *call) issue() *issue {
	number, _ := strconv.Atoi(c.PathValue("issue_number"))
	return c.repo.issues[number]
}

// comment is the one that the path names; a conversation that is no pull
// request's needs permission for issues.
func (c *call) comment(level string) (*comment, reply) {
	k := c.repo.comment(pathID(c, "comment_id"))
	if k == nil {
		return nil, notFound()
	}
	return k, c.mayTalk(c.repo.issues[k.number], level)
}

func (c *call) mayTalk(i *issue, level string) reply {
	if i.pull != nil {
		return reply{}
	}
	return c.allow([]string{"issues:" + level})
}

func pathID(c *call, name string) int64 {
	id, _ := strconv.ParseInt(c.PathValue(name), 10, 64)
	return id
}

func listComments(c *call) reply {
	i := c.issue()
	if i == nil {
		return notFound()
	}
	since, _ := time.Parse(time.RFC3339, c.query("since"))
	all := slices.DeleteFunc(slices.Clone(i.comments), func(k *comment) bool { return k.updated.Before(since) })
	return list(c, all, c.repo.commentObject)
}

func createComment(c *call) reply {
	i := c.issue()
	if i == nil {
		return notFound()
	}
	if rep := c.mayTalk(i, "write"); rep.status != 0 {
		return rep
	}
	body, rep, ok := c.commentBody()
	if !ok {
		return rep
	}
	return created(c.repo.commentObject(c.repo.addComment(i, c.token.login, body)))
}

func getComment(c *call) reply {
	k, rep := c.comment("read")
	if rep.status != 0 {
		return rep
	}
	return ok(c.repo.commentObject(k))
}

func updateComment(c *call) reply {
	k, rep := c.comment("write")
	if rep.status != 0 {
		return rep
	}
	body, rep, fine := c.commentBody()
	if !fine {
		return rep
	}
	k.Body, k.updated = body, c.s.now()
	return ok(c.repo.commentObject(k))
}

func deleteComment(c *call) reply {
	k, rep := c.comment("write")
	if rep.status != 0 {
		return rep
	}
	i := c.repo.issues[k.number]
	i.comments = slices.DeleteFunc(i.comments, func(other *comment) bool { return other == k })
	return noContent()
}

// maxComment is the longest body that GitHub takes, in characters.
const maxComment = 65536

func (c *call) commentBody() (string, reply, bool) {
	var in struct{ Body string }
	if rep, ok := c.decode(&in); !ok {
		return "", rep, false
	}
	switch {
	case in.Body == "":
		return "", invalidField("IssueComment", "body", "missing_field", ""), false
	case utf8.RuneCountInString(in.Body) > maxComment:
		return "", invalidField("IssueComment", "body", "custom", fmt.Sprintf("body is too long (maximum is %d characters)", maxComment)), false
	}
	return in.Body, reply{}, true
}

func reactToComment(c *call) reply {
	k, rep := c.comment("write")
	if rep.status != 0 {
		return rep
	}
	return c.react(&k.reactions)
}

func reactToReviewComment(c *call) reply {
	k := c.repo.reviewComment(pathID(c, "comment_id"))
	if k == nil {
		return notFound()
	}
	return c.react(&k.reactions)
}

// react answers 200 where the caller has reacted so before.
func (c *call) react(to *[]*reaction) reply {
	var in struct{ Content string }
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	if !slices.Contains(reactionKinds, in.Content) {
		return invalidField("Reaction", "content", "invalid", "")
	}
	for _, x := range *to {
		if x.user == c.token.login && x.content == in.Content {
			return ok(c.s.reactionObject(x))
		}
	}
	x := &reaction{c.s.nextID(), c.token.login, in.Content, c.s.now()}
	*to = append(*to, x)
	return created(c.s.reactionObject(x))
}

func (s *Server) reactionObject(x *reaction) object {
	return object{
		"id": x.id, "node_id": nodeID("REA", x.id), "user": s.userObject(x.user),
		"content": x.content, "created_at": stamp(x.created),
	}
}

// timeline tells what happened to a pull request: its commits, then reviews,
// dismissals and comments by time.
func timeline(c *call) reply {
	i, r := c.issue(), c.repo
	if i == nil {
		return notFound()
	}
	type happening struct {
		at    time.Time
		event object
	}
	var all []happening
	add := func(at time.Time, event string, o object) {
		o["event"] = event
		all = append(all, happening{at, o})
	}
	for _, k := range i.comments {
		o := r.commentObject(k)
		o["actor"] = o["user"]
		add(k.At, "commented", o)
	}
	if p := i.pull; p != nil {
		for _, k := range r.objects.between(p.baseSHA, r.follow(p)) {
			add(time.Time{}, "committed", r.gitCommitObject(k))
		}
		for _, v := range p.submitted() {
			o := r.reviewObject(v)
			o["state"] = lowerState(v.State)
			add(v.SubmittedAt, "reviewed", o)
		}
		for _, d := range p.dismissals {
			add(d.at, "review_dismissed", r.dismissalObject(d))
		}
	}
	slices.SortStableFunc(all, func(a, b happening) int { return a.at.Compare(b.at) })
	part, header := page(c, all)
	return reply{status: http.StatusOK, header: header, body: each(part, func(h happening) object { return h.event })}
}

func (r *Repository) dismissalObject(d dismissal) object {
	was := object{"state": d.was, "review_id": d.review, "dismissal_message": stringOrNull(d.message)}
	if d.commit != "" {
		was["dismissal_commit_id"] = d.commit
	}
	return object{
		"id": d.id, "node_id": nodeID("RDE", d.id), "url": r.apiURL("/issues/events/%d", d.id),
		"actor": r.s.userObject(d.by), "commit_id": nil, "commit_url": nil, "created_at": stamp(d.at),
		"performed_via_github_app": nil, "dismissed_review": was,
	}
}
