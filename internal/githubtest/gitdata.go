package githubtest

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
)

func getRef(c *call) reply {
	name := "refs/" + c.PathValue("ref")
	if len(c.repo.refs) == 0 {
		return emptyRepository()
	}
	if c.repo.refs[name] == "" {
		return notFound()
	}
	return ok(c.repo.gitRefObject(name))
}

func createRef(c *call) reply {
	var in struct{ Ref, SHA string }
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r := c.repo
	switch {
	case len(r.refs) == 0:
		return emptyRepository()
	case !strings.HasPrefix(in.Ref, "refs/") || strings.Count(in.Ref, "/") < 2:
		return invalid("Reference name must start with 'refs/heads/' or 'refs/tags/'")
	case r.refs[in.Ref] != "":
		return invalid("Reference already exists")
	case r.objects.commits[in.SHA] == nil:
		return invalid("Object does not exist")
	}
	if branch, isBranch := strings.CutPrefix(in.Ref, "refs/heads/"); isBranch && r.forbids(branch, "creation") {
		return invalid("Reference update failed")
	}
	r.refs[in.Ref] = in.SHA
	return created(r.gitRefObject(in.Ref))
}

// updateRef moves a ref, forward only unless it is forced.
func updateRef(c *call) reply {
	var in struct {
		SHA   string
		Force bool
	}
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r, name := c.repo, "refs/"+c.PathValue("ref")
	switch {
	case r.refs[name] == "":
		return invalid("Reference does not exist")
	case r.objects.commits[in.SHA] == nil:
		return invalid("Object does not exist")
	case !in.Force && !r.objects.reaches(in.SHA, r.refs[name]):
		return invalid("Update is not a fast forward")
	}
	if rep, refused := r.guarded(strings.TrimPrefix(name, "refs/heads/"), 422); refused {
		return rep
	}
	r.refs[name] = in.SHA
	return ok(r.gitRefObject(name))
}

func deleteRef(c *call) reply {
	name := "refs/" + c.PathValue("ref")
	if c.repo.refs[name] == "" {
		return invalid("Reference does not exist")
	}
	delete(c.repo.refs, name)
	return noContent()
}

func (r *Repository) gitRefObject(name string) object {
	sha := r.refs[name]
	return object{
		"ref": name, "node_id": nodeID("REF", name), "url": r.apiURL("/git/%s", name),
		"object": object{"type": "commit", "sha": sha, "url": r.apiURL("/git/commits/%s", sha)},
	}
}

// getTree takes the id of a tree, or what names a commit.
func getTree(c *call) reply {
	r, sha := c.repo, c.PathValue("tree_sha")
	if len(r.refs) == 0 {
		return emptyRepository()
	}
	if head := r.head(sha); head != "" {
		sha = r.treeAt(head)
	}
	if r.objects.trees[sha] == nil {
		return notFound()
	}
	return ok(r.treeObject(sha, c.query("recursive") != ""))
}

// treeObject lists a tree, and all below it if it is to be recursive.
func (r *Repository) treeObject(sha string, recursive bool) object {
	entries := map[string]entry{}
	var add func(tree, prefix string)
	add = func(tree, prefix string) {
		for name, e := range r.objects.trees[tree] {
			entries[prefix+name] = e
			if recursive && e.mode == modeTree {
				add(e.sha, prefix+name+"/")
			}
		}
	}
	add(sha, "")
	return object{
		"sha": sha, "url": r.apiURL("/git/trees/%s", sha), "truncated": false,
		"tree": each(slices.Sorted(maps.Keys(entries)), func(path string) object {
			e := entries[path]
			o := object{"path": path, "mode": e.mode, "sha": e.sha}
			switch e.mode {
			case modeTree:
				o["type"], o["url"] = "tree", r.apiURL("/git/trees/%s", e.sha)
			case modeSubmodule:
				o["type"] = "commit"
			default:
				o["type"], o["url"], o["size"] = "blob", r.apiURL("/git/blobs/%s", e.sha), len(r.objects.blobs[e.sha])
			}
			return o
		}),
	}
}

func createTree(c *call) reply {
	var in struct {
		BaseTree string `json:"base_tree"`
		Tree     []struct {
			Path, Mode   string
			SHA, Content *string
		}
	}
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r := c.repo
	switch {
	case len(r.refs) == 0:
		return emptyRepository()
	case in.BaseTree != "" && r.objects.trees[in.BaseTree] == nil && r.head(in.BaseTree) == "":
		return invalid("base_tree is not a valid tree oid")
	}
	tree := in.BaseTree
	if head := r.head(tree); tree != "" && head != "" {
		tree = r.treeAt(head)
	}
	for _, e := range in.Tree {
		if !cleanPath(e.Path) {
			return invalid("tree.path contains a malformed path component")
		}
		put := entry{} // neither content nor sha: the path is deleted
		switch {
		case e.Content != nil:
			put = entry{cmp.Or(e.Mode, modeFile), r.objects.putBlob([]byte(*e.Content))}
		case e.SHA != nil:
			if r.objects.blobs[*e.SHA] == nil && r.objects.trees[*e.SHA] == nil && e.Mode != modeSubmodule {
				return invalid("tree.sha " + *e.SHA + " is not a valid blob")
			}
			put = entry{e.Mode, *e.SHA}
		}
		tree = r.objects.with(tree, e.Path, put)
	}
	return created(r.treeObject(tree, false))
}

func createBlob(c *call) reply {
	var in struct{ Content, Encoding string }
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	if len(c.repo.refs) == 0 {
		return emptyRepository()
	}
	data := []byte(in.Content)
	if in.Encoding == "base64" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(in.Content); err != nil {
			return invalid("content is not valid Base64")
		}
	}
	sha := c.repo.objects.putBlob(data)
	return created(object{"sha": sha, "url": c.repo.apiURL("/git/blobs/%s", sha)})
}

func getBlob(c *call) reply {
	sha := c.PathValue("file_sha")
	data, found := c.repo.objects.blobs[sha]
	if !found {
		return notFound()
	}
	if wantsRaw(c.Header.Get("Accept")) {
		return raw(data)
	}
	return ok(object{
		"sha": sha, "node_id": nodeID("B", sha), "size": len(data), "url": c.repo.apiURL("/git/blobs/%s", sha),
		"encoding": "base64", "content": wrapped(data),
	})
}

// createCommit signs the commit as the App's, unless it names whose it is.
func createCommit(c *call) reply {
	var in struct {
		Message, Tree     string
		Parents           []string
		Author, Committer *namedPerson
	}
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r := c.repo
	switch {
	case len(r.refs) == 0:
		return emptyRepository()
	case r.objects.trees[in.Tree] == nil:
		return invalid("Tree SHA does not exist")
	case slices.ContainsFunc(in.Parents, func(p string) bool { return r.objects.commits[p] == nil }):
		return invalid("Parent SHA does not exist or is not a commit object")
	}
	k := c.commit(in.Message, in.Author, in.Committer)
	k.tree, k.parents = in.Tree, in.Parents
	return created(r.gitCommitObject(r.objects.putCommit(k)))
}

func getGitCommit(c *call) reply {
	k := c.repo.objects.commits[c.PathValue("commit_sha")]
	if k == nil {
		return notFound()
	}
	return ok(c.repo.gitCommitObject(k))
}
