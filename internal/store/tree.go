package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Tree is a lessons file in a working tree. Links that lead out of the tree are not followed.
type Tree struct {
	Root      string // the tree's folder
	Path      string // slash-separated, relative to Root
	Documents Documents
	Limit     int64 // size in bytes from which on a file is refused by Read; 0: MaxBytes
}

// Read returns the file, a missing one as a Snapshot that does not exist.
func (t Tree) Read(context.Context) (Snapshot, error) {
	root, err := os.OpenRoot(t.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return Snapshot{}, nil
	}
	if err != nil {
		return Snapshot{}, err
	}
	defer root.Close()
	return t.read(root)
}

func (t Tree) read(root *os.Root) (Snapshot, error) {
	name := filepath.FromSlash(t.Path)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Snapshot{}, nil
	case err != nil:
		return Snapshot{}, err
	case info.IsDir():
		return Snapshot{}, &RefusedError{t.Path, "it is a directory"}
	case info.Mode()&fs.ModeSymlink != 0:
		return Snapshot{}, &RefusedError{t.Path, "it is a symbolic link; name the file that it points to"}
	case !info.Mode().IsRegular():
		return Snapshot{}, &RefusedError{t.Path, "it is not a regular file"}
	case t.Limit == 0 && info.Size() >= MaxBytes:
		return Snapshot{}, tooLarge(t.Path)
	case t.Limit > 0 && info.Size() >= t.Limit:
		return Snapshot{}, &RefusedError{t.Path, fmt.Sprintf("it is %d MB or larger", t.Limit>>20)}
	}
	file, err := root.Open(name)
	if err != nil {
		return Snapshot{}, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return Snapshot{}, err
	}
	if err := checkContent(t.Path, content); err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Content: content, Exists: true, Version: digest(content)}, nil
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Write replaces the snapshot by content in one rename. Like git, it holds NAME.lock meanwhile,
// so that two writers cannot both win; the documents are brought in step under the same lock. The
// message is not used: committing is the caller's.
func (t Tree) Write(ctx context.Context, was Snapshot, content []byte, _ string) (Commit, error) {
	if len(content) >= MaxBytes {
		return Commit{}, tooLarge(t.Path)
	}
	if err := os.MkdirAll(t.Root, 0o755); err != nil {
		return Commit{}, err
	}
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return Commit{}, err
	}
	defer root.Close()
	name := filepath.FromSlash(t.Path)
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(t.Path)), 0o755); err != nil {
		return Commit{}, err
	}
	lock := name + ".lock"
	file, err := root.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Commit{}, fmt.Errorf("%w: %s.lock is held; remove it if no other agent-lessons runs here", ErrConflict, t.Path)
	}
	if err != nil {
		return Commit{}, err
	}
	done, err := t.swap(ctx, root, file, was, content)
	if err != nil {
		_ = root.Remove(lock)
		return Commit{}, err
	}
	return done, nil
}

// swap fills the lock file and renames it over the target, if that is still what was read.
func (t Tree) swap(ctx context.Context, root *os.Root, lock *os.File, was Snapshot, content []byte) (done Commit, err error) {
	_, err = io.Copy(lock, bytes.NewReader(content))
	if err == nil {
		err = lock.Sync()
	}
	if closed := lock.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return done, err
	}
	now, err := t.read(root)
	if err != nil {
		return done, err
	}
	if now.Exists != was.Exists || now.Version != was.Version {
		return done, ErrConflict
	}
	name := filepath.FromSlash(t.Path)
	if now.Exists {
		if info, err := root.Stat(name); err == nil {
			_ = root.Chmod(name+".lock", info.Mode().Perm())
		}
	}
	done = t.syncAll(ctx, content)
	return done, root.Rename(name+".lock", name)
}

// SyncDocuments brings the documents in step with the file as it is: a person may have edited either
// by hand. The message is not used: committing is the caller's.
func (t Tree) SyncDocuments(ctx context.Context, _ string) (Commit, error) {
	was, err := t.Read(ctx)
	if err != nil {
		return Commit{}, err
	}
	return t.syncAll(ctx, was.Content), nil
}

// syncAll brings the documents in step with content, and says which it could not.
func (t Tree) syncAll(ctx context.Context, content []byte) (done Commit) {
	for _, name := range t.Documents.Paths {
		switch changed, err := t.syncDocument(ctx, Tree{Root: t.Root, Path: name}, content); {
		case err != nil:
			done.Notices = append(done.Notices, notice(name, err))
		case changed:
			done.Documents = append(done.Documents, name)
		}
	}
	return done
}

func (t Tree) syncDocument(ctx context.Context, document Tree, content []byte) (changed bool, err error) {
	was, err := document.Read(ctx)
	if err != nil {
		return false, err
	}
	if !was.Exists {
		return false, errMissingDocument
	}
	after, err := t.Documents.render(document.Path, content, was.Content)
	if err != nil || after == nil {
		return false, err
	}
	if _, err = document.Write(ctx, was, after, ""); errors.Is(err, ErrConflict) {
		err = fmt.Errorf("it changed meanwhile, or is being written (%w): run agent-lessons sync-docs", err)
	}
	return err == nil, err
}
