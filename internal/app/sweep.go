package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// SweepEvery has each repository of each installation swept once in every period, the present one
// included, until ctx ends. Periods begin at the same moments everywhere, so that replicas and
// restarts do not sweep twice.
func (a *App) SweepEvery(ctx context.Context, period time.Duration) {
	for {
		began := a.now().UTC().Truncate(period)
		if err := a.planSweeps(ctx, began); err != nil && ctx.Err() == nil {
			a.log.Error().Err(err).Msg("not all repositories are going to be swept")
		}
		timer := time.NewTimer(began.Add(period).Sub(a.now()))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// planSweeps puts the intent to sweep on disk for each repository. One installation that cannot be
// asked does not hold up the others.
func (a *App) planSweeps(ctx context.Context, began time.Time) error {
	return a.eachInstallation(ctx, func(installation int64) error { return a.planSweepsOf(ctx, installation, began) })
}

func (a *App) planSweepsOf(ctx context.Context, installation int64, began time.Time) error {
	return a.eachRepository(ctx, installation, func(r *github.Repository) error {
		_, err := a.queue.Put(ctx, queue.Intent{
			Delivery: fmt.Sprintf("sweep %s %d", began.Format(time.RFC3339), r.GetID()),
			Kind:     kindSweep, Installation: installation, Repository: r.GetID(), FullName: r.GetFullName(), At: began,
		})
		return err
	})
}

// sweep retires what is stale or expired in one repository.
func (a *App) sweep(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	tree := gittree.GitHub{Client: repo.Client, Owner: repo.Owner, Repo: repo.Name, Branch: cfg.Branch}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, err
	}
	m := memory.Memory{Store: file, Config: cfg, Pause: store.Pause}
	swept, err := m.Sweep(ctx, tree, lesson.DateOf(a.now()))
	if err != nil {
		return queue.Outcome{}, err
	}
	log := zerolog.Ctx(ctx)
	warn(log, swept.Notices)
	a.metrics.wrote(swept.Write)
	for _, spared := range swept.Spared {
		log.Info().Str("notice", spared).Msg("spared by the sweep")
	}
	documents := swept.Commit.Documents
	switch {
	case !swept.Written && len(documents) > 0:
		return queue.Outcome{Result: "swept", Reason: "brought in step: " + strings.Join(documents, ", ")}, nil
	case !swept.Written:
		return nothing("nothing to sweep"), nil
	}
	var done []string
	for _, change := range swept.Changes {
		done = append(done, fmt.Sprintf("%s %s: %s", change.What, change.Bullet.Handle(), change.Reason))
	}
	return queue.Outcome{Result: "swept", Reason: strings.Join(done, "; ")}, nil
}
