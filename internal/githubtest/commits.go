package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Commit is a commit as tests look at it.
type Commit struct {
	SHA, Message      string
	Author, Committer string // logins
	Verified          bool
	Date              time.Time
	Content           string // of the path asked about, after the commit; empty if it is gone
}

// Commits lists the commits on the default branch that changed what is at a
// path, newest first; with path "" all.
func (r *Repository) Commits(path string) []Commit {
	defer r.lock()()
	var out []Commit
	for _, c := range r.objects.history(r.head(""), path) {
		e, _ := r.objects.lookup(c.tree, path)
		out = append(out, Commit{
			SHA: c.sha, Message: c.message, Author: c.author.login, Committer: c.committer.login,
			Verified: c.verified, Date: c.committer.when, Content: string(r.objects.blobs[e.sha]),
		})
	}
	return out
}

// Put commits one file to the default branch, as a person does, and returns the
// commit's id.
func (r *Repository) Put(path, content, message string) string {
	return r.Push("", "maintainer", message, map[string]string{path: content})
}

// Push commits files to a branch (the default one if empty, a new one if there
// is none of the name) as the person with the login, and returns the commit's id.
func (r *Repository) Push(branch, login, message string, files map[string]string) string {
	defer r.lock()()
	return r.commitFiles(cmp.Or(branch, r.defaultBranch), r.s.person(login), message, files)
}

// Remove deletes a file from the default branch.
func (r *Repository) Remove(path, message string) string {
	defer r.lock()()
	return r.commitEntry(path, entry{}, message)
}

// SetMode gives a file of the default branch another mode: "120000" makes it a
// symbolic link to the path it contains, "160000" a submodule.
func (r *Repository) SetMode(path, mode string) string {
	defer r.lock()()
	e, _ := r.objects.lookup(r.treeAt(r.head("")), path)
	return r.commitEntry(path, entry{mode, e.sha}, "Change the mode of "+path)
}

// File returns a file of the default branch.
func (r *Repository) File(path string) (content string, ok bool) {
	defer r.lock()()
	e, ok := r.objects.lookup(r.treeAt(r.head("")), path)
	data, isBlob := r.objects.blobs[e.sha]
	return string(data), ok && isBlob
}

// head is the commit that a branch, tag, full ref or commit id names; "" names
// the default branch. It is "" if there is none.
func (r *Repository) head(ref string) string {
	ref = cmp.Or(ref, r.defaultBranch)
	for _, name := range []string{"refs/heads/" + ref, "refs/tags/" + ref, ref, "refs/" + ref} {
		if sha := r.refs[name]; sha != "" {
			return sha
		}
	}
	if r.objects.commits[ref] != nil {
		return ref
	}
	return ""
}

func (r *Repository) treeAt(sha string) string {
	if c := r.objects.commits[sha]; c != nil {
		return c.tree
	}
	return r.objects.putTree(nil)
}

// person is a known user as git names one.
func (s *Server) person(login string) person {
	u := s.user(login)
	return person{login, login, fmt.Sprintf("%d+%s@users.noreply.github.com", u.id, login), s.now()}
}

// webFlow is GitHub itself, which makes and signs the commits of its users' and
// Apps' requests.
func (s *Server) webFlow() person {
	s.user("web-flow")
	return person{"web-flow", "GitHub", "noreply@github.com", s.now()}
}

func (r *Repository) commitFiles(branch string, by person, message string, files map[string]string) string {
	parent := cmp.Or(r.head(branch), r.head(""))
	tree := r.treeAt(parent)
	for path, content := range files {
		tree = r.objects.with(tree, path, entry{modeFile, r.objects.putBlob([]byte(content))})
	}
	return r.advance(branch, commit{tree: tree, author: by, committer: by, message: message}, parent).sha
}

func (r *Repository) commitEntry(path string, e entry, message string) string {
	parent, by := r.head(""), r.s.person("maintainer")
	tree := r.objects.with(r.treeAt(parent), path, e)
	return r.advance(r.defaultBranch, commit{tree: tree, author: by, committer: by, message: message}, parent).sha
}

// advance puts a commit upon its parents, "" being none, and the branch upon it.
func (r *Repository) advance(branch string, c commit, parents ...string) *commit {
	c.parents = slices.DeleteFunc(parents, func(p string) bool { return p == "" })
	made := r.objects.putCommit(c)
	r.refs["refs/heads/"+branch] = made.sha
	return made
}

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

// commitObject is a commit as the commits API shows it, with users beside the
// names that git knows.
func (r *Repository) commitObject(c *commit) object {
	userOrNull := func(p person) any { return r.s.userObject(p.login) }
	return object{
		"url":          r.apiURL("/commits/%s", c.sha),
		"sha":          c.sha,
		"node_id":      nodeID("C", c.sha),
		"html_url":     r.webURL("/commit/%s", c.sha),
		"comments_url": r.apiURL("/commits/%s/comments", c.sha),
		"commit": object{
			"url":           r.apiURL("/git/commits/%s", c.sha),
			"author":        personObject(c.author),
			"committer":     personObject(c.committer),
			"message":       c.message,
			"comment_count": 0,
			"tree":          object{"sha": c.tree, "url": r.apiURL("/git/trees/%s", c.tree)},
			"verification":  verification(c),
		},
		"author":    userOrNull(c.author),
		"committer": userOrNull(c.committer),
		"parents":   r.parentObjects(c),
	}
}

// gitCommitObject is the same as the git data and contents APIs show it.
func (r *Repository) gitCommitObject(c *commit) object {
	return object{
		"sha":          c.sha,
		"node_id":      nodeID("C", c.sha),
		"url":          r.apiURL("/git/commits/%s", c.sha),
		"html_url":     r.webURL("/commit/%s", c.sha),
		"author":       personObject(c.author),
		"committer":    personObject(c.committer),
		"message":      c.message,
		"tree":         object{"sha": c.tree, "url": r.apiURL("/git/trees/%s", c.tree)},
		"parents":      r.parentObjects(c),
		"verification": verification(c),
	}
}

func personObject(p person) object {
	return object{"name": p.name, "email": p.email, "date": stamp(p.when)}
}

func (r *Repository) parentObjects(c *commit) []object {
	return each(c.parents, func(p string) object {
		return object{"sha": p, "url": r.apiURL("/git/commits/%s", p), "html_url": r.webURL("/commit/%s", p)}
	})
}

func verification(c *commit) object {
	if !c.verified {
		return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return object{
		"verified":    true,
		"reason":      "valid",
		"signature":   "-----BEGIN PGP SIGNATURE-----\n\nc3RhbmQtaW4=\n-----END PGP SIGNATURE-----\n",
		"payload":     "tree " + c.tree + "\n",
		"verified_at": stamp(c.committer.when),
	}
}
