package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/store"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

// Shelf is one repository's memory as it is now, with its past.
type Shelf struct {
	Config   config.Config
	Mistake  error // in the configuration: the defaults are in force
	File     *lesson.File
	Commits  []ledger.Commit // those that touched the file, newest first
	Proposes bool            // what is new waits in a standing pull request; File has it already
}

// Places lists the repositories of all installations.
func (a *App) Places(ctx context.Context) ([]queue.Place, error) {
	var out []queue.Place
	err := a.eachInstallation(ctx, func(installation int64) error {
		return a.eachRepository(ctx, installation, func(r *github.Repository) error {
			out = append(out, queue.Place{Installation: installation, Repository: r.GetID(), FullName: r.GetFullName()})
			return nil
		})
	})
	return out, err
}

// Shelf reads a repository's lessons by conditional requests.
func (a *App) Shelf(ctx context.Context, at queue.Place) (Shelf, error) {
	repo, err := a.repository(intentAt(at))
	if err != nil {
		return Shelf{}, err
	}
	var s Shelf
	if s.Config, s.Mistake, err = a.configs.Of(ctx, repo); err != nil {
		return Shelf{}, err
	}
	if repo.Client, err = a.clients.lists.of(at.Installation); err != nil {
		return Shelf{}, err
	}
	file, err := a.file(ctx, repo, at.Repository, s.Config)
	if err != nil {
		return Shelf{}, err
	}
	was, err := file.Read(ctx)
	if err != nil {
		return Shelf{}, fmt.Errorf("read the lessons of %s: %w", at.FullName, err)
	}
	s.File, s.Proposes = lesson.Parse(was.Content), file.Proposes
	s.Commits, err = a.tree(repo.Client, at, s.Config).Commits(ctx, s.Config.Path, time.Time{})
	return s, err
}

// Trend reads how the repository's lessons developed. Versions of the file never change, so each
// is asked for once.
func (a *App) Trend(ctx context.Context, at queue.Place, s Shelf) (trend.Series, error) {
	series := trend.Series{Store: at.FullName, Path: s.Config.Path, Rule: s.Config.Rule()}
	client, err := a.clients.lists.of(at.Installation)
	if err != nil {
		return series, err
	}
	tree := a.tree(client, at, s.Config)
	versions := func(sha string) ([]byte, error) {
		key := fmt.Sprintf("%d %s %s", at.Repository, sha, s.Config.Path)
		if content, ok := a.versions.Get(key); ok {
			return content, nil
		}
		content, err := tree.Version(ctx, sha, s.Config.Path)
		if err == nil {
			a.versions.Add(key, content)
		}
		return content, err
	}
	rows, err := trend.Rows(s.Commits, versions)
	if err != nil {
		return series, err
	}
	series.Weeks = trend.Weeks(rows)
	return series, series.Measure(versions)
}

func (a *App) tree(client *github.Client, at queue.Place, cfg config.Config) gittree.GitHub {
	owner, name, _ := strings.Cut(at.FullName, "/")
	return gittree.GitHub{Client: client, Owner: owner, Repo: name, Branch: cfg.Branch}
}

// MayWrite asks GitHub whether a person may write to the repository, at this moment.
func (a *App) MayWrite(ctx context.Context, at queue.Place, login string) (bool, error) {
	repo, err := a.repository(intentAt(at))
	if err != nil {
		return false, err
	}
	return repo.MayWrite(ctx, login)
}

// Obey has order applied to the repository's lessons, by one commit.
func (a *App) Obey(ctx context.Context, at queue.Place, order func(memory.Memory, memory.History) (memory.Obeyed, error)) (memory.Obeyed, error) {
	repo, err := a.repository(intentAt(at))
	if err != nil {
		return memory.Obeyed{}, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return memory.Obeyed{}, err
	}
	file, err := a.file(ctx, repo, at.Repository, cfg)
	if err != nil {
		return memory.Obeyed{}, err
	}
	return order(memory.Memory{Store: file, Config: cfg, Pause: store.Pause}, file)
}

func intentAt(at queue.Place) queue.Intent {
	return queue.Intent{Installation: at.Installation, Repository: at.Repository, FullName: at.FullName}
}
