package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/doctor"
	"github.com/agent-corp/agent-lessons/internal/scaffold"
	"github.com/agent-corp/agent-lessons/internal/store"
	"github.com/agent-corp/agent-lessons/internal/version"
)

type initCmd struct {
	NoServer bool   `help:"For a repository without the App: the Action does all of its work."`
	Ref      string `placeholder:"COMMIT" help:"Commit of agent-corp/agent-lessons that the workflows run; by default that of this program's release."`
	DryRun   bool   `help:"Show what would be written, and write nothing."`
	Yes      bool   `short:"y" help:"Write without asking."`
	JSON     bool   `name:"json" help:"Print the outcome as JSON; writes with --yes only."`
}

// begun is what becomes of one file, as other programs read it.
type begun struct {
	Path   string `json:"path"`
	Status string `json:"status"` // written, missing (it would be written), kept
	Reason string `json:"reason,omitempty"`

	was     store.Snapshot
	content string
}

// Run shows the files that the checkout lacks, and writes them. What is there is never touched, but
// for a line more in .gitattributes.
func (c *initCmd) Run(p *program) error {
	root, err := checkout()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		return errors.New("init: this is no git checkout: run git init first, or change into one")
	}
	files, err := c.plan(p, root)
	if err != nil {
		return err
	}
	missing := 0
	for _, f := range files {
		if f.Status != "missing" {
			continue
		}
		missing++
		if !c.JSON {
			if err := p.printDiff(f.Path, f.was.Content, []byte(f.content)); err != nil {
				return err
			}
		}
	}
	if missing > 0 && c.agreed(p, missing) {
		err = write(p, root, files)
	}
	if c.JSON {
		return errors.Join(p.printJSON(files), err)
	}
	for _, f := range files {
		fmt.Fprintf(p.out, "%-8s %s%s\n", f.Status, f.Path, f.Reason)
	}
	return err
}

// agreed asks, where somebody sits at the other end.
func (c *initCmd) agreed(p *program, missing int) bool {
	switch {
	case c.DryRun:
		return false
	case c.Yes:
		return true
	case c.JSON || !p.inIsTerminal:
		fmt.Fprintln(p.err, "agent-lessons: nothing was written: add --yes to write it")
		return false
	}
	fmt.Fprintf(p.err, "Write %d files? [y/N] ", missing)
	answer, _ := bufio.NewReader(p.in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

func write(p *program, root string, files []begun) error {
	var failed []error
	for i, f := range files {
		if f.Status != "missing" {
			continue
		}
		if _, err := (store.Tree{Root: root, Path: f.Path}).Write(p.ctx, f.was, []byte(f.content), ""); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.Path, err))
			continue
		}
		files[i].Status = "written"
	}
	return errors.Join(failed...)
}

// plan returns all files, with what becomes of them.
func (c *initCmd) plan(p *program, root string) ([]begun, error) {
	facts, err := lookAtCheckout(p)
	if err != nil {
		return nil, err
	}
	files := []scaffold.File{scaffold.Configuration()}
	var out []begun
	if running := facts.Running(); len(running) > 0 {
		for _, path := range running {
			out = append(out, begun{Path: path, Status: "kept", Reason: ": it runs the Action already"})
		}
	} else {
		action, err := c.action(p.ctx)
		if err != nil {
			return nil, err
		}
		if c.NoServer {
			files = append(files, scaffold.NoServer(action)...)
		} else {
			files = append(files, scaffold.BesideApp(action)...)
		}
	}
	for _, f := range files {
		was, err := store.Tree{Root: root, Path: f.Path}.Read(p.ctx)
		switch {
		case err != nil || was.Exists:
			out = append(out, begun{Path: f.Path, Status: "kept", Reason: ": it exists"})
		default:
			out = append(out, begun{Path: f.Path, Status: "missing", was: was, content: f.Content})
		}
	}
	attributes, err := attributes(p, root, facts)
	if err != nil || attributes == nil {
		return out, err
	}
	return append(out, *attributes), nil
}

// attributes is .gitattributes where it must keep the lessons out of Git LFS, else nil.
func attributes(p *program, root string, facts doctor.Checkout) (*begun, error) {
	filter, err := exec.CommandContext(p.ctx, "git", "-C", root, "check-attr", "filter", "--", facts.Store.Path).Output()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(filter)), ": lfs") {
		return nil, nil //nolint:nilerr,nilnil // git is not there, or has nothing to say
	}
	const path = ".gitattributes"
	was, err := store.Tree{Root: root, Path: path}.Read(p.ctx)
	if err != nil {
		return nil, err
	}
	return &begun{Path: path, Status: "missing", was: was, content: scaffold.Attributes(string(was.Content), facts.Store.Path)}, nil
}

var wholeCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// action returns the commit to pin: what was asked for, the one that this program's release is
// tagged with, or, of a build from source, the one it was built from.
func (c *initCmd) action(ctx context.Context) (scaffold.Action, error) {
	const give = "give --ref, the whole commit id of a release of agent-corp/agent-lessons"
	this := version.This()
	switch {
	case wholeCommit.MatchString(c.Ref):
		return scaffold.Action{Commit: c.Ref}, nil
	case c.Ref != "":
		return scaffold.Action{}, usageError{fmt.Errorf("init: --ref %q can be moved, or is short: %s", c.Ref, give)}
	case this.Released():
		commit, err := tagged(ctx, this.Version)
		if err != nil {
			return scaffold.Action{}, fmt.Errorf("init: the commit of %s could not be asked for (%w): %s", this.Version, err, give)
		}
		return scaffold.Action{Commit: commit, Name: this.Version}, nil
	case wholeCommit.MatchString(this.Commit) && !this.Modified:
		return scaffold.Action{Commit: this.Commit}, nil
	}
	return scaffold.Action{}, usageError{errors.New("init: this program is of no release: " + give)}
}

// tagged asks for the commit of a release: it names the release's programs by their digests, and so
// cannot be known to them.
func tagged(ctx context.Context, tag string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, "git", "ls-remote", "https://github.com/agent-corp/agent-lessons", "refs/tags/"+tag, "refs/tags/"+tag+"^{}")
	command.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	out, err := command.Output()
	if err != nil {
		return "", err
	}
	commit := ""
	for line := range strings.Lines(string(out)) { // an annotated tag comes before the commit that it names
		if id, _, _ := strings.Cut(line, "\t"); wholeCommit.MatchString(id) {
			commit = id
		}
	}
	if commit == "" {
		return "", errors.New("there is no such tag")
	}
	return commit, nil
}
