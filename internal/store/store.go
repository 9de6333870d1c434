// Package store reads and writes the one lessons file, where it lives: behind GitHub's contents
// API, or in a working tree. Both write by compare-and-swap, and both can keep documents in step.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Snapshot is the file as it was read.
type Snapshot struct {
	Content []byte
	Exists  bool
	Version string // what Write compares: the blob's sha, or a digest; "" for a missing file
}

// Commit is what a write left behind. A working tree has no commits: SHA and URL are empty.
type Commit struct {
	SHA       string
	URL       string
	Documents []string // the paths of those that it brought in step
	Notices   []string // which documents were not kept in step, and why
}

// ErrConflict reports that the file changed since it was read: read again and apply again.
var ErrConflict = errors.New("the lessons file changed since it was read")

// Pause waits a random moment before try number n after a lost race, longer the more were lost,
// so that writers who meet part ways.
func Pause(ctx context.Context, n int) error {
	timer := time.NewTimer(rand.N(50 * time.Millisecond << n))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return errors.Join(ctx.Err(), ErrConflict)
	case <-timer.C:
		return nil
	}
}

// MaxBytes is the size from which a file is refused: GitHub's contents API shows smaller files only.
const MaxBytes = 1 << 20

// RefusedError says why the product will not touch a file: waiting does not help, a person must act.
type RefusedError struct {
	Path   string
	Reason string
}

// Error names the file and the reason.
func (e *RefusedError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

// RuleError reports a write that a rule of the branch forbids (design decision 13).
type RuleError struct {
	Branch  string // "" is the default branch
	Message string // GitHub's own words
}

// Error quotes GitHub.
func (e *RuleError) Error() string {
	return "a rule of the branch forbids the direct write: " + e.Message
}

// checkContent refuses content that only looks like the file.
func checkContent(path string, content []byte) error {
	if bytes.HasPrefix(content, []byte("version https://git-lfs")) {
		return &RefusedError{path, "it is a Git LFS pointer; exclude it from LFS in .gitattributes"}
	}
	return nil
}

func tooLarge(path string) error {
	return &RefusedError{path, "it is, or would become, 1 MB or larger; a lessons file is some kilobytes: is the path right?"}
}
