package findings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Synced is what became of a Sync.
type Synced struct {
	Sent     bool   `json:"sent"`              // something was pushed
	Received bool   `json:"received"`          // something was merged
	Offline  string `json:"offline,omitempty"` // git's words, when the remote could not be reached: all is committed, and goes out next time
	Set      Set    `json:"-"`                 // the store afterwards
}

// maxPushes bounds the races that one sync may lose.
const maxPushes = 5

// Sync exchanges the store with a git repository: what is here is committed, what is there
// merged, the result pushed. Records are files of their own, so that only what is derived can
// conflict, and that is derived anew. remote is an address, needed the first time alone; pause
// waits before try number n.
func (s Store) Sync(ctx context.Context, remote string, pause func(ctx context.Context, n int) error) (Synced, error) {
	var out Synced
	g := git{dir: s.Dir}
	if err := s.prepare(ctx, g, remote); err != nil {
		return out, err
	}
	for try := 1; ; try++ {
		set, err := s.commit(ctx, g, "Record findings")
		if out.Set = set; err != nil {
			return out, err
		}
		branch, err := g.branch(ctx)
		if err == nil {
			_, err = g.run(ctx, "fetch", "--no-tags", "--no-recurse-submodules", "origin")
		}
		if offline.MatchString(fmt.Sprint(err)) {
			out.Offline = err.Error()
			return out, nil
		}
		if err != nil {
			return out, err
		}
		upstream := "refs/remotes/origin/" + branch
		if _, err := g.run(ctx, "rev-parse", "--verify", "--quiet", upstream); err == nil {
			received, err := s.merge(ctx, g, upstream)
			out.Received = out.Received || received
			if err != nil {
				return out, err
			}
			if out.Set, err = s.commit(ctx, g, "Derive the index anew"); err != nil {
				return out, err
			}
			if ahead, err := g.run(ctx, "rev-list", "--count", upstream+"..HEAD"); err != nil || ahead == "0" {
				return out, err
			}
		}
		_, err = g.run(ctx, "push", "origin", "HEAD:refs/heads/"+branch)
		switch {
		case err == nil:
			out.Sent = true
			return out, nil
		case !lostRace.MatchString(err.Error()) || try == maxPushes:
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

// prepare makes the store a repository with a remote, if it is none yet.
func (s Store) prepare(ctx context.Context, g git, remote string) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, ".git")); errors.Is(err, os.ErrNotExist) {
		if remote == "" {
			return fmt.Errorf("%s is no git repository yet: give its remote once, with --remote", s.Dir)
		}
		if _, err := g.run(ctx, "init", "--quiet", "--initial-branch=main"); err != nil {
			return err
		}
	}
	had, err := g.run(ctx, "remote", "get-url", "origin")
	switch {
	case err != nil && remote == "":
		return fmt.Errorf("%s has no remote named origin: give it once, with --remote", s.Dir)
	case err != nil:
		_, err = g.run(ctx, "remote", "add", "origin", remote)
		return err
	case remote != "" && remote != had:
		return fmt.Errorf("%s is synced with another remote: change that with git remote set-url", s.Dir)
	}
	return nil
}

// commit derives what is derived and commits what differs.
func (s Store) commit(ctx context.Context, g git, message string) (Set, error) {
	set, err := s.Reindex(ctx)
	if err != nil {
		return set, err
	}
	add := []string{"add", "--all", "--force", "--"}
	for _, name := range []string{recordsDir, deletedDir, indexFile, statsFile} {
		if _, err := os.Stat(filepath.Join(s.Dir, filepath.FromSlash(name))); err == nil {
			add = append(add, name)
		} else if tracked, _ := g.run(ctx, "ls-files", "--", name); tracked != "" {
			add = append(add, name)
		}
	}
	if _, err := g.run(ctx, add...); err != nil {
		return set, err
	}
	if staged, err := g.run(ctx, "diff", "--cached", "--name-only"); err != nil || staged == "" {
		_, unborn := g.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
		if err != nil || unborn == nil {
			return set, err
		}
	}
	_, err = g.run(ctx, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
	return set, err
}

// merge takes over what upstream has. Where one file is two, ours stays: what is derived is
// derived anew, and a record is never edited.
func (s Store) merge(ctx context.Context, g git, upstream string) (received bool, err error) {
	if behind, err := g.run(ctx, "rev-list", "--count", "HEAD.."+upstream); err != nil || behind == "0" {
		return false, err
	}
	_, merging := g.run(ctx, "merge", "--quiet", "--no-edit", "--no-verify", "--allow-unrelated-histories", "-m", "Merge findings", upstream)
	if merging == nil {
		return true, nil
	}
	unmerged, err := g.run(ctx, "diff", "--name-only", "--diff-filter=U", "-z")
	if err != nil || unmerged == "" {
		return false, errors.Join(merging, err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(unmerged, "\x00"), "\x00") {
		if _, err := g.run(ctx, "checkout", "--ours", "--", name); err != nil { // deleted on one side
			if _, err := g.run(ctx, "rm", "--quiet", "--force", "--", name); err != nil {
				return false, errors.Join(merging, err)
			}
			continue
		}
		if _, err := g.run(ctx, "add", "--force", "--", name); err != nil {
			return false, errors.Join(merging, err)
		}
	}
	_, err = g.run(ctx, "commit", "--quiet", "--no-verify", "--message", "Merge findings")
	return err == nil, err
}

// git runs git in the store, as a foreign repository's content must be handled: no link is made,
// no line ending changed, nobody asked for a password.
type git struct{ dir string }

func (g git) run(ctx context.Context, args ...string) (string, error) {
	safe := []string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.ext.allow=never"}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(plainEnv(os.Environ()), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_MERGE_AUTOEDIT=no")
	if name, _ := exec.CommandContext(ctx, "git", "-C", g.dir, "config", "user.email").Output(); len(name) == 0 {
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=agent-lessons", "GIT_AUTHOR_EMAIL=agent-lessons@localhost",
			"GIT_COMMITTER_NAME=agent-lessons", "GIT_COMMITTER_EMAIL=agent-lessons@localhost")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		said := strings.Join(strings.Fields(stderr.String()), " ")
		return "", fmt.Errorf("git %s: %w: %.500s", args[0], err, said)
	}
	return strings.TrimSpace(stdout.String()), nil
}

// branch returns the branch that the store is on.
func (g git) branch(ctx context.Context) (string, error) {
	return g.run(ctx, "symbolic-ref", "--short", "HEAD")
}

// plainEnv drops what makes git work elsewhere: a hook of git calls us with it.
func plainEnv(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"}, name)
	})
}
