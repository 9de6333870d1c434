package gittree

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/ledger"
)

// maxCommits bounds how far back Commits looks.
const maxCommits = 2000

// Commits returns the commits of HEAD that touched a path, newest first, at most 2,000; none where
// there is no commit, or no clone.
func (c Checkout) Commits(ctx context.Context, path string) ([]ledger.Commit, error) {
	err := c.hasCommit(ctx)
	if errors.Is(err, errNoHistory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out, err := c.git(ctx, nil, "-c", "log.showSignature=false", "log", "-z", "-"+strconv.Itoa(maxCommits), "--format=%H%n%P%n%an%n%ct%n%B", "HEAD", "--", ":(top,literal)"+path)
	if err != nil {
		return nil, err
	}
	var commits []ledger.Commit
	for _, text := range fields(out) {
		parts := strings.SplitN(text, "\n", 5)
		if len(parts) != 5 {
			return nil, fmt.Errorf("git log: a commit of %d lines", len(parts))
		}
		seconds, err := strconv.ParseInt(parts[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log: %w", err)
		}
		parent, _, _ := strings.Cut(parts[1], " ")
		commits = append(commits, ledger.Commit{SHA: parts[0], Parent: parent, Author: parts[2], At: time.Unix(seconds, 0).UTC(), Message: parts[4]})
	}
	return commits, nil
}
