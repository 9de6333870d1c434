package layers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/store"
)

const (
	ownerRepository = ".github"
	// fresh is how long a fetched store is used without asking again; the App asks for an owner's
	// configuration as often.
	fresh = 10 * time.Minute
	// patience is how long an agent waits for its block, once in rest.
	patience = 2 * time.Second
	rest     = time.Minute
)

// Owner is the store of the owner's .github repository, behind GitHub's API, with a copy for when there is
// no network.
type Owner struct {
	Store  store.GitHub // of which Repo is the .github repository
	Folder string       // where copies are kept; "" for nowhere
	Now    time.Time
}

// Fetch returns the store, at most ten minutes old; where GitHub cannot be reached, the last copy with a
// note of its age.
func (o Owner) Fetch(ctx context.Context) (Fetched, error) {
	place := o.Store.Owner + "/" + ownerRepository
	if !ownerName.MatchString(o.Store.Owner) {
		return Fetched{}, fmt.Errorf("%q is no owner's name", o.Store.Owner)
	}
	o.Store.Repo = ownerRepository
	kept := filepath.Join(o.Folder, "owner", o.Store.Client.BaseURL.Hostname()+"-"+strings.ToLower(o.Store.Owner)+".md")
	copied, age := o.copied(kept)
	if copied != nil && age < fresh {
		return Fetched{Content: copied, Place: place}, nil
	}
	snapshot, err := o.ask(ctx, kept+".missed")
	if err != nil {
		why := unreachable(err)
		if copied == nil {
			return Fetched{}, fmt.Errorf("%s/%s cannot be fetched: %s", place, o.Store.Path, why)
		}
		note := fmt.Sprintf("%s cannot be reached (%s): its copy of %s is used", place, why, o.Now.Add(-age).UTC().Format(time.DateTime))
		return Fetched{Content: copied, Place: place, Note: note}, nil
	}
	fetched := Fetched{Content: snapshot.Content, Place: place}
	if o.Folder != "" {
		if err := keep(kept, snapshot.Content); err != nil {
			fetched.Note = "no copy can be kept: " + err.Error()
		}
	}
	return fetched, nil
}

var errResting = errors.New("it could not be reached a moment ago")

// ask reads the store, unless that failed less than a minute ago, which the file missed tells.
func (o Owner) ask(ctx context.Context, missed string) (store.Snapshot, error) {
	if last, age := o.copied(missed); last != nil && age < rest {
		return store.Snapshot{}, errResting
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	snapshot, err := o.Store.Read(ctx)
	if err != nil && o.Folder != "" {
		_ = keep(missed, nil) // without it, the next block waits again
	}
	return snapshot, err
}

var ownerName = regexp.MustCompile(`^[\w-]{1,100}$`)

func (o Owner) copied(kept string) ([]byte, time.Duration) {
	if o.Folder == "" {
		return nil, 0
	}
	info, err := os.Stat(kept)
	if err != nil {
		return nil, 0
	}
	src, err := readSmall(kept, info.Size(), store.MaxBytes)
	if err != nil {
		return nil, 0
	}
	return src, max(0, o.Now.Sub(info.ModTime()))
}

// keep replaces a file of the cache in one rename.
func keep(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// unreachable names the cause without addresses, of which a token may be a part.
func unreachable(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s", patience)
	case errors.Is(err, fs.ErrPermission):
		return "not permitted"
	}
	if _, reason, ok := strings.Cut(err.Error(), `": `); ok { // Get "https://…": dial tcp …
		return reason
	}
	return err.Error()
}
