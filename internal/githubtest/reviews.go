package githubtest

import (
	"slices"
	"strings"
	"time"
)

// Review is a review of a pull request.
type Review struct {
	ID   int64
	User string // login; empty for an account that is gone
	// State is APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING.
	State       string
	Body        string
	CommitID    string // the head that was reviewed; the present one if empty
	SubmittedAt time.Time
	Comments    []ReviewComment
}

// ReviewComment is a comment on a line, or on a whole file if Line is 0.
type ReviewComment struct {
	ID        int64
	Path      string
	Line      int // counted from 1, in the file as reviewed
	StartLine int // of a comment on several lines
	Body      string
	DiffHunk  string
	InReplyTo int64
	User      string // the reviewer if empty
	Outdated  bool   // the lines have changed since
}

type review struct {
	Review
	number int
}

type reviewComment struct {
	ReviewComment
	review           int64
	number           int
	commit, hunk     string
	created, updated time.Time
	reactions        []*reaction
}

// dismissal is the event that a dismissed review leaves in the timeline: the
// review itself no longer says what its verdict was.
type dismissal struct {
	id          int64
	by, message string
	review      int64
	was, commit string
	at          time.Time
}

// AddReview submits a review and returns its id, which its comments bear too.
func (r *Repository) AddReview(number int, in Review) int64 {
	defer r.lock()()
	p := r.pulls[number]
	v := &review{Review: in, number: number}
	v.ID = r.s.nextID()
	if v.CommitID == "" {
		v.CommitID = r.follow(p)
	}
	if v.SubmittedAt.IsZero() {
		v.SubmittedAt = r.s.now()
	}
	v.Comments = nil
	r.s.user(in.User)
	p.reviews = append(p.reviews, v)
	for _, c := range in.Comments {
		r.addReviewComment(p, v, c)
	}
	p.updated = r.s.now()
	return v.ID
}

func (r *Repository) addReviewComment(p *pull, v *review, in ReviewComment) {
	c := &reviewComment{
		ReviewComment: in, review: v.ID, number: p.Number, commit: v.CommitID,
		hunk: in.DiffHunk, created: v.SubmittedAt, updated: v.SubmittedAt,
	}
	c.ID = r.s.nextID()
	if c.User == "" {
		c.User = v.User
	}
	if c.hunk == "" {
		c.hunk = r.hunk(p, c.Path, c.Line)
	}
	r.s.user(c.User)
	p.comments = append(p.comments, c)
}

// hunk is the part of the pull request's change that a comment is on, down to
// its line.
func (r *Repository) hunk(p *pull, at string, line int) string {
	for _, f := range r.diff(r.forkPoint(p), p.HeadSHA) {
		if f.path != at || f.patch == "" {
			continue
		}
		head, _, _ := strings.Cut(f.patch, "\n")
		e, _ := r.objects.lookup(r.treeAt(p.HeadSHA), at)
		text := lines(r.objects.blobs[e.sha])
		if line < 1 || line > len(text) {
			return head
		}
		return head + "\n+" + text[line-1]
	}
	return "@@ -1 +1 @@"
}

// ReviewComments returns the comments of a review, with their ids.
func (r *Repository) ReviewComments(number int, reviewID int64) []ReviewComment {
	defer r.lock()()
	var out []ReviewComment
	for _, c := range r.pulls[number].comments {
		if c.review == reviewID {
			out = append(out, c.ReviewComment)
		}
	}
	return out
}

// EditReviewComment gives a comment on lines another body.
func (r *Repository) EditReviewComment(number int, id int64, body string) {
	defer r.lock()()
	for _, c := range r.pulls[number].comments {
		if c.ID == id {
			c.Body, c.updated = body, r.s.now()
		}
	}
}

// OutdateComments makes comments of a review outdated, all of them if no id is
// given.
func (r *Repository) OutdateComments(number int, reviewID int64, ids ...int64) {
	defer r.lock()()
	for _, c := range r.pulls[number].comments {
		if c.review == reviewID && (len(ids) == 0 || slices.Contains(ids, c.ID)) {
			c.Outdated = true
		}
	}
}

// EditReview gives a review another body.
func (r *Repository) EditReview(number int, reviewID int64, body string) {
	defer r.lock()()
	r.pulls[number].review(reviewID).Body = body
}

// DeleteReview removes a review with its comments: reading it is answered 404.
func (r *Repository) DeleteReview(number int, reviewID int64) {
	defer r.lock()()
	p := r.pulls[number]
	p.reviews = slices.DeleteFunc(p.reviews, func(v *review) bool { return v.ID == reviewID })
	p.comments = slices.DeleteFunc(p.comments, func(c *reviewComment) bool { return c.review == reviewID })
}

// Dismiss dismisses a review: its state is rewritten in place, and only the
// timeline knows what it was. The commit is that of the push which made it
// stale, empty if a person dismissed it.
func (r *Repository) Dismiss(number int, reviewID int64, by, message, commit string) {
	defer r.lock()()
	p := r.pulls[number]
	v := p.review(reviewID)
	r.s.user(by)
	p.dismissals = append(p.dismissals, dismissal{
		id: r.s.nextID(), by: by, message: message, review: reviewID,
		was: lowerState(v.State), commit: commit, at: r.s.now(),
	})
	v.State = "DISMISSED"
}

func (p *pull) review(id int64) *review {
	i := slices.IndexFunc(p.reviews, func(v *review) bool { return v.ID == id })
	if i < 0 {
		return nil
	}
	return p.reviews[i]
}

// lowerState is a review's state as webhooks and the timeline write it.
func lowerState(state string) string { return strings.ToLower(state) }
