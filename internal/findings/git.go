package findings

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// git runs git in the store, as a foreign repository's content must be handled: no link is made,
// no line ending changed, nobody asked for a password or a signature.
type git struct{ dir string }

// run returns what git says, without the line's end.
func (g git) run(ctx context.Context, args ...string) (string, error) {
	out, err := g.pipe(ctx, "", args...)
	return strings.TrimSpace(string(out)), err
}

// pipe gives git an input.
func (g git) pipe(ctx context.Context, input string, args ...string) ([]byte, error) {
	safe := []string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.ext.allow=never",
		"-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false", "-c", "push.gpgSign=false"}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(plainEnv(os.Environ()), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	if name, _ := exec.CommandContext(ctx, "git", "-C", g.dir, "config", "user.email").Output(); len(name) == 0 {
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=agent-lessons", "GIT_AUTHOR_EMAIL=agent-lessons@localhost",
			"GIT_COMMITTER_NAME=agent-lessons", "GIT_COMMITTER_EMAIL=agent-lessons@localhost")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		said := strings.Join(strings.Fields(stderr.String()), " ")
		return nil, fmt.Errorf("git %s: %w: %.500s", args[0], err, said)
	}
	return stdout.Bytes(), nil
}

// plainEnv drops what makes git work elsewhere: a hook of git calls us with it.
func plainEnv(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"}, name)
	})
}
