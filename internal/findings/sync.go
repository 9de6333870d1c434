package findings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Synced is what became of a Sync.
type Synced struct {
	Sent     int    `json:"sent"`              // findings and deletions that the remote lacked
	Received int    `json:"received"`          // those that were lacking here
	Branch   string `json:"branch,omitempty"`  // of the remote
	Offline  string `json:"offline,omitempty"` // git's words, when the remote could not be reached: all is committed, and goes out next time
	Set      Set    `json:"-"`                 // the store afterwards
}

// maxPushes bounds the races that one sync may lose.
const maxPushes = 5

// Sync exchanges the store with a git repository. Of the remote nothing but records and tombstones
// is taken, those that are not here; those of ours that it lacks are added to its newest commit.
// That is the union of the two: nothing conflicts, whatever else is committed there, and nothing
// but a tombstone or a newer record of the session removes a finding. remote is an address, needed
// the first time alone and kept once it has worked; pause waits before try number n.
func (s Store) Sync(ctx context.Context, remote string, pause func(ctx context.Context, n int) error) (Synced, error) {
	var out Synced
	g := git{dir: s.Dir}
	had, err := s.prepare(ctx, g, remote)
	if err != nil {
		return out, err
	}
	address := cmp.Or(had, remote)
	for try := 1; ; try++ {
		upstream, err := out.fetch(ctx, g, address)
		if offline.MatchString(fmt.Sprint(err)) {
			out.Offline = err.Error()
			_, err = s.meet(ctx, g, "", &out)
			out.Sent = 0
			return out, err
		}
		if err != nil {
			return out, err
		}
		head, err := s.meet(ctx, g, upstream, &out)
		if err == nil && head != upstream {
			_, err = g.run(ctx, "push", "--quiet", "--no-signed", "--", address, "HEAD:refs/heads/"+out.Branch)
		}
		switch {
		case err == nil && had == "":
			_, err = g.run(ctx, "remote", "add", "origin", remote)
			return out, err
		case err == nil || !lostRace.MatchString(err.Error()) || try == maxPushes:
			return out, err
		}
		if err := pause(ctx, try); err != nil {
			return out, err
		}
	}
}

// offline and lostRace recognise git's messages in English, which LC_ALL=C asks for.
var (
	offline  = regexp.MustCompile(`Could not resolve host|Failed to connect|Couldn't connect|Connection (refused|timed out|reset)|Network is unreachable|No route to host|Could not read from remote repository.*ssh|Temporary failure in name resolution`)
	lostRace = regexp.MustCompile(`non-fast-forward|fetch first|cannot lock ref|failed to update ref|remote rejected.*(is at|reference already exists)|incorrect old value`)
)

// prepare makes the store a git repository, if it is none yet, and returns the address that it is
// synced with, "" where it is not yet.
func (s Store) prepare(ctx context.Context, g git, remote string) (had string, err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", err
	}
	_, err = os.Stat(filepath.Join(s.Dir, ".git"))
	fresh := errors.Is(err, fs.ErrNotExist)
	if !fresh {
		had, _ = g.run(ctx, "remote", "get-url", "origin")
	}
	switch {
	case had == "" && remote == "":
		return "", fmt.Errorf("%s is synced with no git repository yet: give its remote once, with agent-lessons findings sync --remote URL", s.Dir)
	case had != "" && remote != "" && remote != had:
		return "", fmt.Errorf("%s is synced with another remote: change that with git -C %s remote set-url origin %s", s.Dir, quote(s.Dir), quote(remote))
	case fresh:
		_, err := g.run(ctx, "init", "--quiet", "--initial-branch=main")
		return "", err
	}
	return had, nil
}

// quote makes text one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

var headBranch = regexp.MustCompile(`(?m)^ref: refs/heads/(\S+)\s+HEAD$`)

// fetch gets the branch that the remote calls its own, and returns its commit; "" where nobody
// pushed yet: then the branch will be main.
func (out *Synced) fetch(ctx context.Context, g git, address string) (commit string, err error) {
	said, err := g.run(ctx, "ls-remote", "--symref", "--", address, "HEAD", "refs/heads/main")
	if err != nil {
		return "", err
	}
	out.Branch = "main"
	if head := headBranch.FindStringSubmatch(said); head != nil {
		out.Branch = head[1]
	} else if !strings.Contains(said, "refs/heads/main") {
		return "", nil
	}
	tracked := "refs/remotes/origin/" + out.Branch
	_, err = g.run(ctx, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", address, "+refs/heads/"+out.Branch+":"+tracked)
	if err != nil {
		return "", err
	}
	return g.run(ctx, "rev-parse", "--verify", tracked+"^{commit}")
}

// meet takes what the commit upstream has into the store, commits what the store has beside it,
// and returns that commit. Without an upstream it goes on from the newest commit here.
func (s Store) meet(ctx context.Context, g git, upstream string, out *Synced) (commit string, err error) {
	head, _ := g.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	theirs, err := g.blobs(ctx, cmp.Or(upstream, head))
	if err != nil {
		return "", err
	}
	var taken, ours []string
	after, err := s.change(ctx, func(root *os.Root, f *files) error {
		if taken, err = take(ctx, g, root, theirs); err != nil || len(taken) == 0 {
			return err
		}
		*f, err = s.read(root, f.records)
		return err
	})
	if err != nil {
		return "", err
	}
	if err := s.judgeRest(ctx, after); err != nil {
		return "", err
	}
	if _, err := g.run(ctx, "read-tree", cmp.Or(upstream, head, "--empty")); err != nil { // a tree that git refuses is begun anew
		theirs = nil
		if _, err := g.run(ctx, "read-tree", "--empty"); err != nil {
			return "", err
		}
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if ours, err = kept(root); err != nil {
		return "", err
	}
	changed := slices.DeleteFunc(ours, func(name string) bool { _, known := theirs[name]; return known })
	out.Set, out.Sent = after.Set, len(changed)
	for name := range theirs {
		if _, err := root.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
			changed = append(changed, name) // it counts no more
			taken = slices.DeleteFunc(taken, func(t string) bool { return t == name })
		}
	}
	if upstream != "" {
		out.Received += len(taken)
	}
	return g.commit(ctx, head, upstream, changed)
}

// commit makes and returns the commit in which the changed files, and what is derived, are as they
// are on disk, and all others as git's index has them: whatever is in there, the store's folder is
// not touched. Where nothing changed that is upstream itself, or else head.
func (g git) commit(ctx context.Context, head, upstream string, changed []string) (string, error) {
	if len(changed) > 0 || head == "" && upstream == "" {
		names := strings.Join(append(changed, indexFile, statsFile), "\x00") + "\x00"
		if _, err := g.pipe(ctx, names, "update-index", "--add", "--remove", "--replace", "-z", "--stdin"); err != nil {
			return "", err
		}
	}
	tree, err := g.run(ctx, "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree, "-m", "Record findings"}
	ahead := ""
	if head != "" && upstream != "" {
		if ahead, err = g.run(ctx, "rev-list", "--max-count=1", upstream+".."+head); err != nil {
			return "", err
		}
	}
	var commit string
	if was, _ := g.run(ctx, "rev-parse", "--verify", "--quiet", cmp.Or(upstream, head)+"^{tree}"); was == tree && ahead == "" {
		commit = cmp.Or(upstream, head)
	} else {
		for _, parent := range []string{upstream, head} {
			if parent != "" && (parent != head || ahead != "" || upstream == "") {
				args = append(args, "-p", parent)
			}
		}
		if commit, err = g.run(ctx, args...); err != nil {
			return "", err
		}
	}
	_, err = g.run(ctx, "update-ref", "HEAD", commit)
	return commit, err
}
