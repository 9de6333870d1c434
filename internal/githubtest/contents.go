package githubtest

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

const mebibyte = 1 << 20

func getContents(c *call) reply {
	r, at, ref := c.repo, contentPath(c), c.query("ref")
	head := r.head(ref)
	if head == "" {
		if ref != "" {
			return failure(http.StatusNotFound, "No commit found for the ref "+ref)
		}
		return failure(http.StatusNotFound, "This repository is empty.")
	}
	tree := r.treeAt(head)
	e, found := r.objects.lookup(tree, at)
	if !found {
		return notFound()
	}
	accept := c.Header.Get("Accept")
	// A link is followed if it leads to a file of the repository.
	if e.mode == modeSymlink {
		target := path.Join(path.Dir(at), string(r.objects.blobs[e.sha]))
		if to, there := r.objects.lookup(tree, target); there && to.mode == modeFile {
			e = to
		}
	}
	if e.mode == modeTree {
		return r.directory(at, e, cmp.Or(ref, r.defaultBranch), accept)
	}
	data := r.objects.blobs[e.sha]
	switch {
	case len(data) > 100*mebibyte:
		return tooLarge()
	case wantsRaw(accept):
		return raw(data)
	}
	o := r.contentObject(at, e, cmp.Or(ref, r.defaultBranch))
	if e.mode == modeFile || e.mode == "100755" {
		o["encoding"], o["content"] = "base64", wrapped(data)
		if len(data) > mebibyte {
			o["encoding"], o["content"] = "none", ""
		}
	}
	return ok(o)
}

// directory lists at most 1,000 entries. A submodule is a "file" in a listing:
// version 2022-11-28 of the API keeps that mistake.
func (r *Repository) directory(at string, dir entry, ref, accept string) reply {
	entries := r.objects.trees[dir.sha]
	names := slices.Sorted(maps.Keys(entries))
	if len(names) > 1000 {
		names = names[:1000]
	}
	items := each(names, func(name string) object {
		o := r.contentObject(strings.TrimPrefix(at+"/"+name, "/"), entries[name], ref)
		if o["type"] == "submodule" {
			o["type"] = "file"
		}
		delete(o, "target")
		delete(o, "submodule_git_url")
		return o
	})
	if strings.Contains(accept, "application/vnd.github.object") {
		o := r.contentObject(at, dir, ref)
		o["entries"] = items
		return ok(o)
	}
	return ok(items)
}

func tooLarge() reply {
	rep := failure(http.StatusForbidden, "This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API, but you can always clone the repository via Git and obtain it from there.")
	rep.body.(object)["errors"] = []object{{"resource": "Blob", "field": "data", "code": "too_large"}}
	return rep
}

// contentObject describes what is at a path, without its content.
func (r *Repository) contentObject(at string, e entry, ref string) object {
	self := r.apiURL("/contents/%s?ref=%s", escapePath(at), url.QueryEscape(ref))
	git, web := r.apiURL("/git/blobs/%s", e.sha), r.webURL("/blob/%s/%s", ref, escapePath(at))
	var download any = r.webURL("/raw/%s/%s", ref, escapePath(at))
	o := object{"type": "file", "size": len(r.objects.blobs[e.sha])}
	switch e.mode {
	case modeTree:
		o["type"], o["size"], download = "dir", 0, nil
		git, web = r.apiURL("/git/trees/%s", e.sha), r.webURL("/tree/%s/%s", ref, escapePath(at))
	case modeSymlink:
		o["type"], o["target"] = "symlink", string(r.objects.blobs[e.sha])
	case modeSubmodule:
		o["type"], o["size"], download = "submodule", 0, nil
		o["submodule_git_url"] = r.s.web + "/elsewhere/module.git"
		git, web = r.apiURL("/git/trees/%s", e.sha), r.s.web+"/elsewhere/module/tree/"+e.sha
	}
	maps.Copy(o, object{
		"name": path.Base(at), "path": at, "sha": e.sha,
		"url": self, "git_url": git, "html_url": web, "download_url": download,
		"_links": object{"self": self, "git": git, "html": web},
	})
	return o
}

// putContents writes one file as one commit. What is refused, and with which
// words, was measured on 2026-08-12 (pome-sh/digital-twins#400).
func putContents(c *call) reply {
	var in struct {
		Message           string
		Content           *string
		SHA, Branch       string
		Author, Committer *namedPerson
	}
	if rep, ok := c.decode(&in); !ok {
		return rep
	}
	r, at := c.repo, contentPath(c)
	branch := cmp.Or(in.Branch, r.defaultBranch)
	parent := r.refs["refs/heads/"+branch]
	switch {
	case in.Message == "":
		return invalid("Invalid request.\n\n\"message\" wasn't supplied.")
	case in.Content == nil:
		return invalid("Invalid request.\n\n\"content\" wasn't supplied.")
	case parent == "" && (len(r.refs) > 0 || branch != r.defaultBranch):
		return failure(http.StatusNotFound, "Branch "+branch+" not found")
	}
	data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(*in.Content))
	if err != nil {
		return invalid("content is not valid Base64")
	}
	tree := r.treeAt(parent)
	old, exists := r.objects.lookup(tree, at)
	switch {
	case !cleanPath(at):
		return invalid("path contains a malformed path component")
	case exists && old.mode == modeTree:
		return invalid("Invalid request.\n\n" + at + " is a directory")
	case exists && in.SHA == "":
		return invalid("Invalid request.\n\n\"sha\" wasn't supplied.")
	case exists && in.SHA != old.sha:
		return failure(http.StatusConflict, at+" does not match "+in.SHA)
	}
	if rep, refused := r.guarded(branch, http.StatusConflict); refused {
		return rep
	}

	k := c.commit(in.Message, in.Author, in.Committer)
	mode := cmp.Or(old.mode, modeFile)
	k.tree = r.objects.with(tree, at, entry{mode, r.objects.putBlob(data)})
	made := r.advance(branch, k, parent)
	now, _ := r.objects.lookup(made.tree, at)
	body := object{"content": r.contentObject(at, now, branch), "commit": r.gitCommitObject(made)}
	if exists {
		return ok(body)
	}
	return created(body)
}

func contentPath(c *call) string { return strings.Trim(c.PathValue("path"), "/") }

func cleanPath(at string) bool {
	return at != "" && !slices.ContainsFunc(strings.Split(at, "/"), func(part string) bool {
		return part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git")
	})
}

// escapePath escapes a path for use in an address, and leaves its slashes.
func escapePath(at string) string { return (&url.URL{Path: at}).EscapedPath() }

// wrapped is base64 in lines of 60 characters, as GitHub sends content.
func wrapped(data []byte) string {
	var b strings.Builder
	for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(data)), 60) {
		b.Write(part)
		b.WriteByte('\n')
	}
	return b.String()
}
