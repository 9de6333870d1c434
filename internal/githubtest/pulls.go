package githubtest

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// PullRequest is a pull request to open, and how one stands.
type PullRequest struct {
	Title, Body string
	Author      string // login
	Head        string // branch; made from Files if there is none of the name
	Base        string // branch; the default one if empty
	// Fork is the full name of the repository that Head is in, if another.
	Fork  string
	Draft bool
	Files map[string]string

	// These are for reading only.
	Number   int
	State    string // "open" or "closed"
	HeadSHA  string
	MergedAt time.Time // zero if not merged
}

// pull is a pull request; its conversation is the issue of the same number.
type pull struct {
	PullRequest
	id, forkID               int64
	baseSHA                  string
	created, updated, closed time.Time
	mergedBy, mergeCommit    string
	reviews                  []*review
	comments                 []*reviewComment // on lines and files
	dismissals               []dismissal
}

// OpenPull opens a pull request and returns its number.
func (r *Repository) OpenPull(p PullRequest) int {
	defer r.lock()()
	return r.openPull(p).Number
}

func (r *Repository) openPull(in PullRequest) *pull {
	p := &pull{PullRequest: in, id: r.s.nextID(), created: r.s.now(), updated: r.s.now()}
	talk := r.openIssue(in.Author, in.Title, in.Body)
	talk.pull = p
	p.Number, p.State = talk.number, "open"
	p.Base = cmp.Or(p.Base, r.defaultBranch)
	p.Head = cmp.Or(p.Head, "topic")
	p.baseSHA = r.head(p.Base)
	by := r.s.person(in.Author)
	switch {
	case p.Fork != "": // the fork's commits are here too, as GitHub keeps them
		p.forkID = r.s.nextID()
		k := r.objects.putCommit(r.commitOn(p.baseSHA, by, in.Title, in.Files))
		p.HeadSHA = k.sha
	case r.refs["refs/heads/"+p.Head] == "":
		p.HeadSHA = r.commitFiles(p.Head, by, in.Title, in.Files)
	default:
		p.HeadSHA = r.refs["refs/heads/"+p.Head]
	}
	r.pulls[p.Number] = p
	return p
}

// commitOn is a commit of files upon a parent, not yet made.
func (r *Repository) commitOn(parent string, by person, message string, files map[string]string) commit {
	tree := r.treeAt(parent)
	for at, content := range files {
		tree = r.objects.with(tree, at, entry{modeFile, r.objects.putBlob([]byte(content))})
	}
	return commit{tree: tree, parents: []string{parent}, author: by, committer: by, message: message}
}

// Pull says how a pull request stands.
func (r *Repository) Pull(number int) PullRequest {
	defer r.lock()()
	r.follow(r.pulls[number])
	return r.pulls[number].PullRequest
}

// PullsOf returns the numbers of the pull requests that were made of a branch, newest first.
func (r *Repository) PullsOf(head string) []int {
	defer r.lock()()
	var out []int
	for _, p := range r.sortedPulls() {
		if p.Fork == "" && p.Head == head {
			out = append(out, p.Number)
		}
	}
	return out
}

// PushPull adds a commit of files to a pull request's head, by its author, and
// returns the commit's id.
func (r *Repository) PushPull(number int, message string, files map[string]string) string {
	defer r.lock()()
	p := r.pulls[number]
	k := r.objects.putCommit(r.commitOn(r.follow(p), r.s.person(p.Author), message, files))
	p.HeadSHA, p.updated = k.sha, r.s.now()
	if p.Fork == "" {
		r.refs["refs/heads/"+p.Head] = k.sha
	}
	return k.sha
}

// follow brings an open pull request's head up to its branch, and returns it.
func (r *Repository) follow(p *pull) string {
	if sha := r.refs["refs/heads/"+p.Head]; p.State == "open" && p.Fork == "" && sha != "" {
		p.HeadSHA = sha
	}
	return p.HeadSHA
}

// Merge merges a pull request into its base as one commit, and returns its id.
// The head's version of every file that it changed wins. Without a name it was
// a push that merged it, and GitHub names nobody.
func (r *Repository) Merge(number int, by string) string {
	defer r.lock()()
	p := r.pulls[number]
	head, onto := r.follow(p), r.head(p.Base)
	tree := r.treeAt(onto)
	for _, f := range r.diff(r.forkPoint(p), head) {
		e, _ := r.objects.lookup(r.treeAt(head), f.path)
		tree = r.objects.with(tree, f.path, e)
	}
	k := commit{tree: tree, author: r.s.person(cmp.Or(by, p.Author)), committer: r.s.webFlow(), verified: true, message: p.Title}
	p.mergeCommit = r.advance(p.Base, k, onto).sha
	p.mergedBy, p.MergedAt = by, r.s.now()
	r.closePull(p)
	return p.mergeCommit
}

// Close closes a pull request without merging it.
func (r *Repository) Close(number int) { defer r.lock()(); r.closePull(r.pulls[number]) }

// Reopen opens a closed pull request again.
func (r *Repository) Reopen(number int) { defer r.lock()(); r.reopen(r.pulls[number]) }

func (r *Repository) reopen(p *pull) {
	p.State, p.closed, p.updated = "open", time.Time{}, r.s.now()
}

func (r *Repository) closePull(p *pull) {
	p.State, p.closed, p.updated = "closed", r.s.now(), r.s.now()
}

// forkPoint is where the pull request's branch left its base.
func (r *Repository) forkPoint(p *pull) string {
	if base := r.objects.mergeBase(p.baseSHA, p.HeadSHA); base != nil {
		return base.sha
	}
	return ""
}

// sortedPulls lists all pull requests, newest first.
func (r *Repository) sortedPulls() []*pull {
	return slices.SortedFunc(maps.Values(r.pulls), func(a, b *pull) int { return b.Number - a.Number })
}
