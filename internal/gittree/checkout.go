package gittree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Checkout is a clone's HEAD, read by the git program from the clone's objects.
type Checkout struct {
	Dir string // the clone's top folder
	// Remote is asked where the clone's own history does not reach; nil asks nobody.
	Remote *GitHub
}

// errNoHistory reports a folder that is no clone, or a clone without a commit.
var errNoHistory = errors.New("there is no commit here")

// Past tells what became of names in HEAD's first-parent history: a file is deleted on the day on
// which the branch lost it, not when somebody elsewhere deleted it. Where the clone is too shallow
// to tell, and nobody else can, the name is unknown. Ignored names are no evidence: they are left out.
func (c Checkout) Past(ctx context.Context, names []string) (map[string]lesson.Past, error) {
	if len(names) == 0 {
		return nil, nil
	}
	files, err := c.files(ctx)
	if errors.Is(err, errNoHistory) {
		return past(names, nil, func(string) (loss, error) { return loss{unknown: true}, nil })
	}
	if err != nil {
		return nil, err
	}
	ignored, err := c.ignored(ctx, names)
	if err != nil {
		return nil, err
	}
	shallow, err := c.git(ctx, nil, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return nil, err
	}
	return past(names, files, func(name string) (loss, error) {
		if ignored[name] {
			return loss{}, nil
		}
		l, err := c.lost(ctx, name)
		if err == nil && l == (loss{}) && string(bytes.TrimSpace(shallow)) == "true" {
			if c.Remote == nil {
				return loss{unknown: true}, nil
			}
			return c.Remote.lost(ctx, name)
		}
		return l, err
	})
}

// hasCommit returns errNoHistory for a folder that is no clone, or a clone without a commit.
func (c Checkout) hasCommit(ctx context.Context) error {
	_, err := c.git(ctx, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	var failed *gitError
	if errors.As(err, &failed) && (failed.stderr == "" || strings.Contains(failed.stderr, "not a git repository")) {
		return errNoHistory
	}
	return err
}

// files lists the paths in HEAD, submodules included.
func (c Checkout) files(ctx context.Context) ([]string, error) {
	if err := c.hasCommit(ctx); err != nil {
		return nil, err
	}
	out, err := c.git(ctx, nil, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
	return fields(out), err
}

// ignored returns which names the repository's own rules ignore.
func (c Checkout) ignored(ctx context.Context, names []string) (map[string]bool, error) {
	input := []byte(strings.Join(names, "\x00") + "\x00")
	out, err := c.git(ctx, input, "-c", "core.excludesFile="+os.DevNull, "check-ignore", "--no-index", "-z", "--stdin")
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 { // none is
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, name := range fields(out) {
		set[name] = true
	}
	return set, nil
}

// lost finds the newest commit that took name, which HEAD does not have, off the branch.
func (c Checkout) lost(ctx context.Context, name string) (loss, error) {
	pathspec := ":(top,literal)" + name
	if !strings.Contains(name, "/") {
		pathspec = ":(top,glob)**/" + name
	}
	out, err := c.git(ctx, nil, "log", "-1", "--first-parent", "--diff-merges=first-parent", "--no-renames",
		"--diff-filter=D", "--name-only", "--format=%H %ct", "HEAD", "--", pathspec)
	line, _, _ := strings.Cut(string(out), "\n")
	commit, seconds, ok := strings.Cut(line, " ")
	if err != nil || !ok {
		return loss{}, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return loss{}, fmt.Errorf("git log: %w", err)
	}
	renames, err := c.renames(ctx, commit)
	if err != nil {
		return loss{unknown: true}, ctx.Err() // a partial clone that cannot fetch what it lacks
	}
	return loss{date: lesson.DateOf(time.Unix(unix, 0)), renamed: target(name, renames)}, nil
}

// renames lists what a commit renamed, old path and new path.
func (c Checkout) renames(ctx context.Context, commit string) ([][2]string, error) {
	out, err := c.git(ctx, nil, "diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", commit+"^1", commit)
	if err != nil {
		return nil, err
	}
	var renames [][2]string
	parts := fields(out)
	for ; len(parts) >= 3; parts = parts[3:] { // R100, from, to
		renames = append(renames, [2]string{parts[1], parts[2]})
	}
	return renames, nil
}

// fields splits what git ends with NUL.
func fields(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// gitError is a git command that failed.
type gitError struct {
	command string
	code    int
	stderr  string
}

func (e *gitError) Error() string {
	return fmt.Sprintf("git %s: exit code %d: %s", e.command, e.code, e.stderr)
}

func (c Checkout) git(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	args = append([]string{"-C", dir, "-c", "core.fsmonitor=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // names reach it behind "--" or on its input, without a shell
	// Without the ceiling, git would answer for a clone that happens to surround the folder.
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = &gitError{strings.Join(args, " "), exit.ExitCode(), strings.TrimSpace(stderr.String())}
	}
	return stdout.Bytes(), err
}
