package githubtest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Repository is one repository of the stand-in.
type Repository struct {
	s             *Server
	id            int64
	installation  int64
	owner, name   string
	archived      bool
	defaultBranch string
	created       time.Time

	objects objects
	refs    map[string]string // "refs/heads/main" → commit
	roles   map[string]role   // by lower-case login
	rules   []branchRules
	issues  map[int]*issue // pull requests' conversations too
	pulls   map[int]*pull
	checks  []*CheckRun // oldest first
}

// AddRepository adds a private repository to an installation, with one commit
// of files on branch main; without files it is empty, as a new one is.
func (s *Server) AddRepository(installation int64, fullName string, files map[string]string) *Repository {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, name, _ := strings.Cut(fullName, "/")
	r := &Repository{
		s: s, id: s.nextID(), installation: installation, owner: owner, name: name,
		defaultBranch: "main", created: s.now(),
		objects: newObjects(), refs: map[string]string{}, roles: map[string]role{}, issues: map[int]*issue{}, pulls: map[int]*pull{},
	}
	s.user(owner)
	s.repositories[r.id] = r
	if len(files) > 0 {
		r.commitFiles("main", s.person("maintainer"), "Initial commit", files)
	}
	return r
}

// ID is the id that stays when the repository is renamed.
func (r *Repository) ID() int64 { return r.id }

// FullName is owner and name: "acme/api".
func (r *Repository) FullName() string {
	defer r.lock()()
	return r.fullName()
}

func (r *Repository) fullName() string { return r.owner + "/" + r.name }

// lock takes the server's lock and returns what gives it back.
func (r *Repository) lock() func() {
	r.s.mu.Lock()
	return r.s.mu.Unlock
}

// Archive makes the repository read-only.
func (r *Repository) Archive() { defer r.lock()(); r.archived = true }

// Unarchive ends that.
func (r *Repository) Unarchive() { defer r.lock()(); r.archived = false }

// SetDefaultBranch names another branch the default one.
func (r *Repository) SetDefaultBranch(branch string) { defer r.lock()(); r.defaultBranch = branch }

// Rename gives the repository another full name; requests for the former one
// are sent on by 301, as long as nothing else takes it.
func (r *Repository) Rename(fullName string) {
	defer r.lock()()
	r.s.renamed[strings.ToLower(r.fullName())] = r.id
	r.owner, r.name, _ = strings.Cut(fullName, "/")
}

// Delete removes the repository: it is not found any more.
func (r *Repository) Delete() { defer r.lock()(); delete(r.s.repositories, r.id) }

// visible lists the repositories that a token may see, by id.
func (s *Server) visible(t *token) []*Repository {
	all := slices.SortedFunc(maps.Values(s.repositories), func(a, b *Repository) int { return int(a.id - b.id) })
	return slices.DeleteFunc(all, func(r *Repository) bool { return !t.sees(r) })
}

func (t *token) sees(r *Repository) bool {
	return (t.installation == nil || t.installation.id == r.installation) &&
		(t.person == "" || r.mayRead(t.person)) &&
		(t.repositories == nil || t.repositories[r.id])
}

func (s *Server) byFullName(fullName string) *Repository {
	for _, r := range s.repositories {
		if strings.EqualFold(r.fullName(), fullName) {
			return r
		}
	}
	return nil
}

// findRepository sets the call's repository, or answers as GitHub does when the
// name is an old one or the token may not see it. Every method is answered 301:
// what a Go client then makes of a PUT is a trap that tests must show.
func (s *Server) findRepository(c *call) reply {
	fullName := c.PathValue("owner") + "/" + c.PathValue("repo")
	r := s.byFullName(fullName)
	if r == nil {
		if id, moved := s.renamed[strings.ToLower(fullName)]; moved && s.repositories[id] != nil {
			rest := strings.TrimPrefix(c.URL.RequestURI(), "/repos/"+fullName)
			location := fmt.Sprintf("%s/repositories/%d%s", s.api, id, rest)
			rep := failure(http.StatusMovedPermanently, "Moved Permanently")
			rep.body.(object)["url"] = location
			rep.header = http.Header{"Location": {location}}
			return rep
		}
	}
	if r == nil || (c.token != nil && !c.token.sees(r)) {
		return notFound()
	}
	c.repo = r
	return reply{}
}

// byName turns /repositories/{id}/… into the path by name; other paths, and
// those of unknown repositories, it leaves alone.
func (s *Server) byName(path string) string {
	rest, ok := strings.CutPrefix(path, "/repositories/")
	if !ok {
		return path
	}
	number, rest, deeper := strings.Cut(rest, "/")
	id, _ := strconv.ParseInt(number, 10, 64)
	r := s.repositories[id]
	if r == nil {
		return path
	}
	path = "/repos/" + r.fullName()
	if deeper {
		path += "/" + rest
	}
	return path
}

func getRepository(c *call) reply {
	full := c.s.repositoryObject(c.repo)
	full["subscribers_count"], full["network_count"] = 0, 0
	return ok(full)
}

// nodeID has the look of GraphQL's global ids.
func nodeID(kind string, id any) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString(fmt.Append(nil, id))
}

// apiURL is the address of something in the repository: apiURL("/pulls/%d", 7).
func (r *Repository) apiURL(format string, args ...any) string {
	return r.s.api + "/repos/" + r.fullName() + fmt.Sprintf(format, args...)
}

// webURL is the same for people.
func (r *Repository) webURL(format string, args ...any) string {
	return r.s.web + "/" + r.fullName() + fmt.Sprintf(format, args...)
}
