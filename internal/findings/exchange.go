package findings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// blob is a file in a commit.
type blob struct{ name, id string } // slash-separated; git's object id

// exchanged are the names of what stores exchange. Whatever else is in a commit stays there.
var exchanged = regexp.MustCompile(`^(findings/[a-z0-9-]{1,64}|deleted)/[A-Za-z0-9][A-Za-z0-9-]{0,63}\.json$`)

// treeLine is a regular file of git ls-tree -l: mode, type, id, size and name.
var treeLine = regexp.MustCompile(`^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.+)$`)

// blobs returns the records and tombstones of a commit, by name; none of "".
func (g git) blobs(ctx context.Context, commit string) (map[string]blob, error) {
	out := map[string]blob{}
	if commit == "" {
		return out, nil
	}
	listed, err := g.run(ctx, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", recordsDir, deletedDir)
	for line := range strings.SplitSeq(listed, "\x00") {
		m := treeLine.FindStringSubmatch(line)
		if m == nil || !exchanged.MatchString(m[3]) {
			continue
		}
		if size, err := strconv.Atoi(m[2]); err == nil && size <= maxRecord {
			out[m[3]] = blob{m[3], m[1]}
		}
	}
	return out, err
}

// kept returns the names of the records and tombstones on disk.
func kept(root *os.Root) ([]string, error) {
	var out []string
	for _, pattern := range []string{recordsDir + "/*/*.json", deletedDir + "/*.json"} {
		found, err := fs.Glob(root.FS(), pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			info, err := root.Lstat(filepath.FromSlash(name))
			if err == nil && info.Mode().IsRegular() && info.Size() <= maxRecord && exchanged.MatchString(name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// chunk is how many files are in memory at once.
const chunk = 512

// take writes the files that are not here.
func take(ctx context.Context, g git, root *os.Root, theirs map[string]blob) (taken []string, err error) {
	var missing []blob
	for name, b := range theirs {
		if _, err := root.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, b)
		}
	}
	slices.SortFunc(missing, func(a, b blob) int { return strings.Compare(a.name, b.name) })
	for some := range slices.Chunk(missing, chunk) {
		contents, err := g.contents(ctx, some)
		if err != nil {
			return taken, err
		}
		for i, b := range some {
			if err := writeFile(root, b.name, contents[i]); err != nil {
				return taken, err
			}
			taken = append(taken, b.name)
		}
	}
	return taken, nil
}

// contents reads blobs.
func (g git) contents(ctx context.Context, blobs []blob) ([][]byte, error) {
	var ids strings.Builder
	for _, b := range blobs {
		ids.WriteString(b.id + "\n")
	}
	src, err := g.pipe(ctx, ids.String(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for range blobs { // ID SP blob SP SIZE LF content LF
		header, rest, _ := bytes.Cut(src, []byte("\n"))
		fields := bytes.Fields(header)
		if len(fields) != 3 {
			return nil, fmt.Errorf("git cat-file: %.100q", header)
		}
		size, err := strconv.Atoi(string(fields[2]))
		if err != nil || size < 0 || size+1 > len(rest) {
			return nil, fmt.Errorf("git cat-file: %.100q", header)
		}
		out, src = append(out, rest[:size]), rest[size+1:]
	}
	return out, nil
}
