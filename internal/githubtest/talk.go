package githubtest

import (
	"slices"
	"time"
)

// issue is a conversation: an issue's, or that of a pull request, which has the
// same number.
type issue struct {
	id          int64
	number      int
	title, body string
	author      string
	created     time.Time
	comments    []*comment
	pull        *pull // nil for an issue that is none
}

// comment is one in a conversation.
type comment struct {
	Comment
	number    int
	updated   time.Time
	reactions []*reaction
}

// Comment is a comment in a conversation, not on lines of code.
type Comment struct {
	ID   int64
	User string
	Body string
	At   time.Time
}

type reaction struct {
	id            int64
	user, content string
	created       time.Time
}

// OpenIssue opens an issue that is no pull request, and returns its number.
func (r *Repository) OpenIssue(author, title, body string) int {
	defer r.lock()()
	return r.openIssue(author, title, body).number
}

func (r *Repository) openIssue(author, title, body string) *issue {
	i := &issue{id: r.s.nextID(), number: len(r.issues) + 1, title: title, body: body, author: author, created: r.s.now()}
	r.s.user(author)
	r.issues[i.number] = i
	return i
}

// AddComment comments on an issue or a pull request, and returns the comment's id.
func (r *Repository) AddComment(number int, login, body string) int64 {
	defer r.lock()()
	r.s.user(login)
	return r.addComment(r.issues[number], login, body).ID
}

func (r *Repository) addComment(i *issue, login, body string) *comment {
	k := &comment{Comment: Comment{ID: r.s.nextID(), User: login, Body: body, At: r.s.now()}, number: i.number, updated: r.s.now()}
	i.comments = append(i.comments, k)
	return k
}

// EditComment gives a comment another body.
func (r *Repository) EditComment(id int64, body string) {
	defer r.lock()()
	k := r.comment(id)
	k.Body, k.updated = body, r.s.now()
}

// DeleteComment removes a comment from its conversation.
func (r *Repository) DeleteComment(id int64) {
	defer r.lock()()
	for _, i := range r.issues {
		i.comments = slices.DeleteFunc(i.comments, func(k *comment) bool { return k.ID == id })
	}
}

// Comments lists the comments of a conversation, oldest first.
func (r *Repository) Comments(number int) []Comment {
	defer r.lock()()
	comments := r.issues[number].comments
	out := make([]Comment, 0, len(comments))
	for _, k := range comments {
		out = append(out, k.Comment)
	}
	return out
}

// Reactions lists the reactions to a comment, in a conversation or on lines, as
// "eyes" or "+1".
func (r *Repository) Reactions(commentID int64) []string {
	defer r.lock()()
	var all []*reaction
	if k := r.comment(commentID); k != nil {
		all = k.reactions
	} else if k := r.reviewComment(commentID); k != nil {
		all = k.reactions
	}
	out := make([]string, 0, len(all))
	for _, x := range all {
		out = append(out, x.content)
	}
	return out
}

func (r *Repository) comment(id int64) *comment {
	for _, i := range r.issues {
		if at := slices.IndexFunc(i.comments, func(k *comment) bool { return k.ID == id }); at >= 0 {
			return i.comments[at]
		}
	}
	return nil
}

func (r *Repository) reviewComment(id int64) *reviewComment {
	for _, p := range r.pulls {
		if at := slices.IndexFunc(p.comments, func(k *reviewComment) bool { return k.ID == id }); at >= 0 {
			return p.comments[at]
		}
	}
	return nil
}

// rollup counts reactions by kind.
func (r *Repository) rollup(self string, all []*reaction) object {
	o := object{"url": self + "/reactions", "total_count": len(all)}
	for _, kind := range reactionKinds {
		o[kind] = 0
	}
	for _, x := range all {
		o[x.content] = o[x.content].(int) + 1
	}
	return o
}

var reactionKinds = []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}

func (r *Repository) commentObject(k *comment) object {
	self := r.apiURL("/issues/comments/%d", k.ID)
	o := object{
		"url":                      self,
		"html_url":                 r.webURL("/pull/%d#issuecomment-%d", k.number, k.ID),
		"issue_url":                r.apiURL("/issues/%d", k.number),
		"id":                       k.ID,
		"node_id":                  nodeID("IC", k.ID),
		"user":                     r.s.userObject(k.User),
		"created_at":               stamp(k.At),
		"updated_at":               stamp(k.updated),
		"author_association":       association,
		"body":                     k.Body,
		"reactions":                r.rollup(self, k.reactions),
		"performed_via_github_app": nil,
	}
	if k.User == r.s.botLogin() {
		o["performed_via_github_app"] = r.s.appObject()
	}
	return o
}

// issueObject is the issue as webhooks show it.
func (r *Repository) issueObject(i *issue) object {
	self, web := r.apiURL("/issues/%d", i.number), r.webURL("/issues/%d", i.number)
	o := object{
		"url": self, "repository_url": r.apiURL(""), "labels_url": self + "/labels{/name}",
		"comments_url": self + "/comments", "events_url": self + "/events", "html_url": web, "timeline_url": self + "/timeline",
		"id": i.id, "node_id": nodeID("I", i.id), "number": i.number, "title": i.title, "user": r.s.userObject(i.author),
		"labels": []object{}, "state": "open", "locked": false, "assignee": nil, "assignees": []object{}, "milestone": nil,
		"comments": len(i.comments), "created_at": stamp(i.created), "updated_at": stamp(i.created), "closed_at": nil,
		"author_association": association, "active_lock_reason": nil, "body": stringOrNull(i.body),
		"reactions": r.rollup(self, nil), "performed_via_github_app": nil, "state_reason": nil,
	}
	if p := i.pull; p != nil {
		web := r.webURL("/pull/%d", i.number)
		o["html_url"], o["state"], o["closed_at"], o["draft"] = web, p.State, stampOrNull(p.closed), p.Draft
		o["pull_request"] = object{
			"url": r.apiURL("/pulls/%d", i.number), "html_url": web, "diff_url": web + ".diff", "patch_url": web + ".patch",
			"merged_at": stampOrNull(p.MergedAt),
		}
	}
	return o
}
