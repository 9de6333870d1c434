package githubtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// fileChange is what happened to one path between two commits.
type fileChange struct {
	path, sha, status    string
	additions, deletions int
	patch                string
}

// diff lists the paths that differ between two commits, sorted; base "" is the
// empty tree.
func (r *Repository) diff(base, head string) []fileChange {
	before, after := r.objects.files(r.treeAt(base)), r.objects.files(r.treeAt(head))
	paths := maps.Clone(before)
	maps.Copy(paths, after)
	var out []fileChange
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		was, is := before[path], after[path]
		if was == is {
			continue
		}
		f := fileChange{path: path, sha: is.sha, status: "modified"}
		switch {
		case was == entry{}:
			f.status = "added"
		case is == entry{}:
			f.status, f.sha = "removed", was.sha
		}
		f.patch, f.additions, f.deletions = patch(lines(r.objects.blobs[was.sha]), lines(r.objects.blobs[is.sha]))
		out = append(out, f)
	}
	return out
}

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// patch is one hunk from the first line that differs to the last, with three
// lines of context: a valid patch, though git's may be finer.
func patch(was, is []string) (text string, additions, deletions int) {
	same := 0
	for same < min(len(was), len(is)) && was[same] == is[same] {
		same++
	}
	tail := 0
	for tail < min(len(was), len(is))-same && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	deletions, additions = len(was)-same-tail, len(is)-same-tail
	if additions+deletions == 0 {
		return "", 0, 0
	}
	from, after := max(same-3, 0), min(tail, 3)
	context := same - from + after
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -%s +%s @@", span(from, deletions+context), span(from, additions+context))
	put := func(sign string, lines []string) {
		for _, l := range lines {
			b.WriteString("\n" + sign + l)
		}
	}
	put(" ", was[from:same])
	put("-", was[same:len(was)-tail])
	put("+", is[same:len(is)-tail])
	put(" ", was[len(was)-tail:len(was)-tail+after])
	return b.String(), additions, deletions
}

// span is a hunk's range: its first line, counted from 1, and its length.
func span(from, length int) string {
	if length == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, length)
}

func (r *Repository) changeObject(f fileChange, commit string) object {
	return object{
		"sha":          f.sha,
		"filename":     f.path,
		"status":       f.status,
		"additions":    f.additions,
		"deletions":    f.deletions,
		"changes":      f.additions + f.deletions,
		"blob_url":     r.webURL("/blob/%s/%s", commit, escapePath(f.path)),
		"raw_url":      r.webURL("/raw/%s/%s", commit, escapePath(f.path)),
		"contents_url": r.apiURL("/contents/%s?ref=%s", escapePath(f.path), commit),
		"patch":        f.patch,
	}
}
