package githubtest

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// The modes of a git tree's entries.
const (
	modeFile      = "100644"
	modeTree      = "040000"
	modeSymlink   = "120000"
	modeSubmodule = "160000"
)

// entry is what a tree has under one name.
type entry struct{ mode, sha string }

// person is who wrote or made a commit, and when.
type person struct {
	login, name, email string // login is "" for someone whom GitHub does not know
	when               time.Time
}

// commit is a git commit, with what GitHub knows about it.
type commit struct {
	sha, tree         string
	parents           []string
	author, committer person
	message           string
	verified          bool // signed by GitHub
	order             int  // commits are made one after the other, even within a second
}

// objects is a repository's object store. All ids are those of git; a signature
// that GitHub puts on a commit is not part of its id here.
type objects struct {
	blobs   map[string][]byte
	trees   map[string]map[string]entry
	commits map[string]*commit
}

func newObjects() objects {
	return objects{blobs: map[string][]byte{}, trees: map[string]map[string]entry{}, commits: map[string]*commit{}}
}

// objectID is the id that git gives an object of a kind.
func objectID(kind string, data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func (o objects) putBlob(data []byte) string {
	sha := objectID("blob", data)
	o.blobs[sha] = data
	return sha
}

func (o objects) putTree(entries map[string]entry) string {
	// git orders a directory as though its name ended in a slash.
	names := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		key := func(n string) string {
			if entries[n].mode == modeTree {
				return n + "/"
			}
			return n
		}
		return cmp.Compare(key(a), key(b))
	})
	var data []byte
	for _, name := range names {
		e := entries[name]
		id, _ := hex.DecodeString(e.sha)
		data = fmt.Appendf(data, "%s %s\x00", strings.TrimPrefix(e.mode, "0"), name)
		data = append(data, id...)
	}
	sha := objectID("tree", data)
	o.trees[sha] = entries
	return sha
}

func (o objects) putCommit(c commit) *commit {
	var text strings.Builder
	fmt.Fprintf(&text, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&text, "parent %s\n", p)
	}
	line := func(role string, p person) {
		fmt.Fprintf(&text, "%s %s <%s> %d +0000\n", role, p.name, p.email, p.when.Unix())
	}
	line("author", c.author)
	line("committer", c.committer)
	text.WriteString("\n" + c.message)
	c.sha = objectID("commit", []byte(text.String()))
	if old := o.commits[c.sha]; old != nil {
		return old
	}
	c.order = len(o.commits)
	o.commits[c.sha] = &c
	return &c
}

// lookup finds a slash-separated path in a tree; "" is the tree itself.
func (o objects) lookup(tree, path string) (entry, bool) {
	at := entry{modeTree, tree}
	if path == "" {
		return at, true
	}
	for name := range strings.SplitSeq(path, "/") {
		next, found := o.trees[at.sha][name]
		if !found {
			return entry{}, false
		}
		at = next
	}
	return at, true
}

// with returns the tree that has e at the path, and all else as it was. The zero
// entry removes what is there, and folders that get empty with it.
func (o objects) with(tree, path string, e entry) string {
	name, rest, deeper := strings.Cut(path, "/")
	entries := maps.Clone(o.trees[tree])
	if entries == nil {
		entries = map[string]entry{}
	}
	if deeper {
		sub := entries[name]
		e = entry{modeTree, o.with(sub.sha, rest, e)}
		if len(o.trees[e.sha]) == 0 {
			e = entry{}
		}
	}
	if e == (entry{}) {
		delete(entries, name)
	} else {
		entries[name] = e
	}
	return o.putTree(entries)
}

// files returns all that is not a folder, by path.
func (o objects) files(tree string) map[string]entry {
	all := map[string]entry{}
	o.collect(tree, "", all)
	return all
}

func (o objects) collect(tree, prefix string, into map[string]entry) {
	for name, e := range o.trees[tree] {
		if e.mode == modeTree {
			o.collect(e.sha, prefix+name+"/", into)
			continue
		}
		into[prefix+name] = e
	}
}

// history lists the commits that lead to head, newest first: those that changed
// what is at the path, or all for "". A merge that took one side's version is
// passed over, and only that side is followed, as git log does.
func (o objects) history(head, path string) []*commit {
	var out []*commit
	queue, seen := []*commit{o.commits[head]}, map[string]bool{head: true}
	if queue[0] == nil {
		return nil
	}
	for len(queue) > 0 {
		newest := 0
		for i, c := range queue {
			if c.order > queue[newest].order {
				newest = i
			}
		}
		c := queue[newest]
		queue = slices.Delete(queue, newest, newest+1)
		follow := c.parents
		if path != "" {
			here, _ := o.lookup(c.tree, path)
			same := slices.IndexFunc(c.parents, func(p string) bool {
				there, _ := o.lookup(o.commits[p].tree, path)
				return there == here
			})
			if same >= 0 {
				follow = c.parents[same : same+1]
			} else if here != (entry{}) || len(c.parents) > 0 {
				out = append(out, c)
			}
		} else {
			out = append(out, c)
		}
		for _, p := range follow {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, o.commits[p])
			}
		}
	}
	return out
}

// reaches says whether ancestor is in the history of head.
func (o objects) reaches(head, ancestor string) bool {
	return slices.ContainsFunc(o.history(head, ""), func(c *commit) bool { return c.sha == ancestor })
}

// mergeBase is the newest commit that both have in their history, nil if none.
func (o objects) mergeBase(a, b string) *commit {
	ofA := map[string]bool{}
	for _, c := range o.history(a, "") {
		ofA[c.sha] = true
	}
	for _, c := range o.history(b, "") {
		if ofA[c.sha] {
			return c
		}
	}
	return nil
}

// between lists the commits of head that base lacks, oldest first.
func (o objects) between(base, head string) []*commit {
	known := map[string]bool{}
	for _, c := range o.history(base, "") {
		known[c.sha] = true
	}
	out := slices.DeleteFunc(o.history(head, ""), func(c *commit) bool { return known[c.sha] })
	slices.Reverse(out)
	return out
}
