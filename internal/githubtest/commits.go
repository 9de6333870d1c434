package githubtest

import (
	"cmp"
	"fmt"
	"slices"
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
	history := r.objects.history(r.head(""), path)
	out := make([]Commit, 0, len(history))
	for _, c := range history {
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
func (r *Repository) File(path string) (content string, ok bool) { return r.FileAt("", path) }

// FileAt returns a file of a branch or commit.
func (r *Repository) FileAt(ref, path string) (content string, ok bool) {
	defer r.lock()()
	e, ok := r.objects.lookup(r.treeAt(r.head(ref)), path)
	data, isBlob := r.objects.blobs[e.sha]
	return string(data), ok && isBlob
}

// head is the commit that a branch, tag, full ref or commit id names; "" names
// the default branch. It is "" if there is none.
func (r *Repository) head(ref string) string {
	if ref == "" || ref == "HEAD" {
		ref = r.defaultBranch
	}
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

// namedPerson is an author or committer that a client names.
type namedPerson struct{ Name, Email, Date string }

// commit is one that the caller makes through the API: the caller's own, made
// and signed by GitHub. Where it names an author or a committer, nobody signs.
func (c *call) commit(message string, author, committer *namedPerson) commit {
	k := commit{message: message, author: c.s.person(c.token.login), committer: c.s.webFlow(), verified: true}
	if author == nil && committer == nil {
		return k
	}
	k.verified = false
	k.author = c.s.stranger(cmp.Or(author, committer))
	k.committer = c.s.stranger(cmp.Or(committer, author))
	return k
}

// stranger is someone whom a client named; the date is now if it gave none.
func (s *Server) stranger(p *namedPerson) person {
	when, err := time.Parse(time.RFC3339, p.Date)
	if err != nil {
		when = s.now()
	}
	return person{name: p.Name, email: p.Email, when: when.UTC()}
}

// Head is the commit that a branch points to, "" for none.
func (r *Repository) Head(branch string) string { defer r.lock()(); return r.head(branch) }
