package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"path"

	"github.com/google/go-github/v66/github"
)

// SyncDocuments brings the documents in step with the file as it is, in a commit of their own: a
// person may have edited either by hand. Without Documents it asks nobody.
func (g GitHub) SyncDocuments(ctx context.Context, message string) (Commit, error) {
	if len(g.Documents.Paths) == 0 {
		return Commit{}, nil
	}
	was, err := g.Read(ctx)
	if err != nil {
		return Commit{}, err
	}
	return g.writeTogether(ctx, was, was.Content, message)
}

// writeTogether commits content, and the documents that it changes, on top of the branch's newest
// commit through the Git Data API. All of it was read at that commit and the branch is moved
// forward only, so that whatever anybody did in between is ErrConflict. Where no document changes
// it is the one request of put, or none.
func (g GitHub) writeTogether(ctx context.Context, was Snapshot, content []byte, message string) (Commit, error) {
	at, found, err := g.tip(ctx)
	if err != nil {
		return Commit{}, err
	}
	changed := !bytes.Equal(was.Content, content)
	if !found { // an empty repository has no documents
		if !changed {
			return Commit{}, nil
		}
		return g.put(ctx, was, content, message)
	}
	lessons, err := at.entry(ctx, g.Path)
	if err != nil {
		return Commit{}, err
	}
	if was.Exists != (lessons != nil) || lessons.GetSHA() != was.Version {
		return Commit{}, ErrConflict
	}
	files, notices, err := g.together(ctx, at, lessons, content)
	if err != nil {
		return Commit{}, err
	}
	var commit Commit
	documents := files[1:]
	switch {
	case len(documents) > 0 && changed:
		commit, err = g.commit(ctx, at, files, message)
	case len(documents) > 0:
		commit, err = g.commit(ctx, at, documents, message)
	case changed:
		commit, err = g.put(ctx, was, content, message)
	}
	for _, document := range documents {
		commit.Documents = append(commit.Documents, document.path)
	}
	commit.Notices = notices
	return commit, err
}

// together returns the lessons file and behind it the documents that its new content changes, as they were
// at one commit, and says why a document is not kept in step.
func (g GitHub) together(ctx context.Context, at *tip, lessons *github.TreeEntry, content []byte) (files []file, notices []string, err error) {
	files = []file{{g.Path, mode(lessons), content}}
	for _, name := range g.Documents.Paths {
		entry, err := at.entry(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		document, problem, err := g.document(ctx, name, entry)
		if err != nil {
			return nil, nil, err
		}
		if problem == nil {
			document, problem = g.Documents.render(name, content, document)
		}
		if problem != nil {
			notices = append(notices, notice(name, problem))
		} else if document != nil {
			files = append(files, file{name, mode(entry), document})
		}
	}
	return files, notices, nil
}

// file is a file of a commit in the making.
type file struct {
	path, mode string
	content    []byte
}

// commit makes one commit of files. They go through blobs: a tree takes text alone, and what a
// write does not change may be any bytes.
func (g GitHub) commit(ctx context.Context, at *tip, files []file, message string) (Commit, error) {
	var entries []*github.TreeEntry
	for _, f := range files {
		blob, _, err := g.Client.Git.CreateBlob(ctx, g.Owner, g.Repo, &github.Blob{
			Content: github.String(base64.StdEncoding.EncodeToString(f.content)), Encoding: github.String("base64"),
		})
		if err != nil {
			return Commit{}, g.classify(err)
		}
		entries = append(entries, &github.TreeEntry{Path: &f.path, Mode: &f.mode, Type: github.String("blob"), SHA: blob.SHA})
	}
	tree, _, err := g.Client.Git.CreateTree(ctx, g.Owner, g.Repo, at.tree, entries)
	if err != nil {
		return Commit{}, g.classify(err)
	}
	var parents []*github.Commit
	for _, sha := range at.parents {
		parents = append(parents, &github.Commit{SHA: &sha})
	}
	made, _, err := g.Client.Git.CreateCommit(ctx, g.Owner, g.Repo, &github.Commit{Message: &message, Tree: tree, Parents: parents}, nil)
	if err != nil {
		return Commit{}, g.classify(err)
	}
	_, _, err = g.Client.Git.UpdateRef(ctx, g.Owner, g.Repo, &github.Reference{
		Ref: github.String("heads/" + at.branch), Object: &github.GitObject{SHA: made.SHA},
	}, false)
	if err != nil {
		return Commit{}, g.classify(err)
	}
	return Commit{SHA: made.GetSHA(), URL: made.GetHTMLURL()}, nil
}

// document returns the content of a document, or what keeps it from being kept in step.
func (g GitHub) document(ctx context.Context, name string, entry *github.TreeEntry) (content []byte, problem, err error) {
	switch {
	case entry == nil:
		return nil, errMissingDocument, nil
	case entry.GetMode() == "120000":
		return nil, &RefusedError{name, "it is a symbolic link; name the file that it points to"}, nil
	case entry.GetType() != "blob":
		return nil, &RefusedError{name, "it is a directory or a submodule, not a file"}, nil
	case entry.GetSize() >= MaxBytes:
		return nil, tooLarge(name), nil
	}
	content, _, err = g.Client.Git.GetBlobRaw(ctx, g.Owner, g.Repo, entry.GetSHA())
	return content, checkContent(name, content), err
}

// tip is the newest commit of a branch, with the folders of its tree that were listed.
type tip struct {
	GitHub
	branch, commit, tree string
	parents              []string                       // of the commit that is made on it
	folders              map[string][]*github.TreeEntry // by path, "." is the root
}

// tip finds the newest commit of the branch; none in an empty repository.
func (g GitHub) tip(ctx context.Context) (*tip, bool, error) {
	at := &tip{GitHub: g, branch: g.Branch, folders: map[string][]*github.TreeEntry{}}
	if at.branch == "" {
		repository, _, err := g.Client.Repositories.Get(ctx, g.Owner, g.Repo)
		if err != nil {
			return nil, false, err
		}
		at.branch = repository.GetDefaultBranch()
	}
	ref, response, err := g.Client.Git.GetRef(ctx, g.Owner, g.Repo, "heads/"+at.branch)
	if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	commit, _, err := g.Client.Git.GetCommit(ctx, g.Owner, g.Repo, ref.GetObject().GetSHA())
	if err != nil {
		return nil, false, err
	}
	at.commit, at.tree, at.parents = commit.GetSHA(), commit.GetTree().GetSHA(), []string{commit.GetSHA()}
	return at, true, nil
}

// entry returns what the commit has at a path, nil for nothing. It asks for a folder once.
func (t *tip) entry(ctx context.Context, name string) (*github.TreeEntry, error) {
	dir := path.Dir(name)
	listed, known := t.folders[dir]
	if !known {
		tree := t.tree
		if dir != "." {
			folder, err := t.entry(ctx, dir)
			if err != nil || folder.GetType() != "tree" {
				return nil, err
			}
			tree = folder.GetSHA()
		}
		answer, _, err := t.Client.Git.GetTree(ctx, t.Owner, t.Repo, tree, false)
		if err != nil {
			return nil, err
		}
		listed = answer.Entries
		t.folders[dir] = listed
	}
	for _, e := range listed {
		if e.GetPath() == path.Base(name) {
			return e, nil
		}
	}
	return nil, nil
}

// mode is the mode that a file keeps, or gets when it is new.
func mode(e *github.TreeEntry) string {
	if e == nil {
		return "100644"
	}
	return e.GetMode()
}
