package app

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/cifix"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// learnFix reads which checks a push fixed, as GitHub shows them now, and commits what their
// failures teach. All checks that one push fixed are learned from at once, when the last of them
// has concluded.
func (a *App) learnFix(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	if fixing, err := a.checks.Fixing(ctx, in.Repository, in.Head); err != nil || !fixing {
		return nothing("what the commit fixed was learned before, or the pull request is closed"), err
	}
	outcome, waits, err := a.fix(ctx, in)
	if err != nil || waits {
		return outcome, err
	}
	return outcome, a.checks.Learned(ctx, in.Repository, in.Head)
}

// closed learns at once what waits for checks of a pull request that was closed, and forgets what
// failed on it.
func (a *App) closed(ctx context.Context, in queue.Intent) error {
	heads, err := a.checks.Unlearned(ctx, in.Repository, in.PullRequest)
	if err != nil {
		return err
	}
	for _, head := range heads {
		in.Head = head
		outcome, err := a.learnFix(ctx, in)
		if err != nil {
			return err
		}
		zerolog.Ctx(ctx).Info().Str("head", head).Str("result", outcome.Result).Str("reason", outcome.Reason).Msg("checks of a closed pull request")
	}
	return a.checks.Closed(ctx, in.Repository, in.PullRequest)
}

func (a *App) fix(ctx context.Context, in queue.Intent) (outcome queue.Outcome, waits bool, err error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, false, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, false, err
	}
	pull, err := a.pullOf(ctx, repo, in)
	if err != nil || pull == nil {
		return nothing("the commit is the head of no open pull request"), false, err
	}
	failed, heads, err := a.checks.Failures(ctx, in.Repository, pull.GetNumber(), in.Head)
	if err != nil {
		return queue.Outcome{}, false, err
	}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, false, err
	}
	fixed, err := repo.Fixed(ctx, cfg, review.Push{
		Pull: pull, SHA: in.Head, Failed: failed, Heads: heads, Own: strings.TrimSuffix(a.self.Load().(string), "[bot]"),
		Learned: func(source ledger.Source) (bool, error) {
			if done, err := a.index.Has(ctx, in.Repository, source.String()); err != nil || done {
				return done, err
			}
			return a.doneBefore(ctx, in.Repository, source.String(), file)
		},
	})
	if err != nil {
		return queue.Outcome{}, false, err
	}
	if fixed.Waits { // its commits may be known from here alone, where events name no pull request
		return nothing("%s", fixed.Reason), true, a.checks.Head(ctx, in.Repository, pull.GetNumber(), fixed.Earlier...)
	}
	if len(fixed.Sources) == 0 {
		return nothing("%s", fixed.Reason), false, nil
	}
	outcome, err = a.learnFixed(ctx, repo, in, file, cfg, fixed)
	return outcome, false, err
}

// pullOf returns the intent's pull request; where the event could not name it, the open one with
// that head. It is nil where there is none.
func (a *App) pullOf(ctx context.Context, repo review.Repository, in queue.Intent) (*github.PullRequest, error) {
	if in.PullRequest == 0 {
		pull, err := repo.PullOf(ctx, in.Head, 0)
		if err != nil || pull == nil {
			return nil, err
		}
		return pull, a.checks.Head(ctx, in.Repository, pull.GetNumber(), in.Head)
	}
	pull, response, err := repo.Client.PullRequests.Get(ctx, repo.Owner, repo.Name, in.PullRequest)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return nil, nil
	}
	return pull, err
}

func (a *App) learnFixed(ctx context.Context, repo review.Repository, in queue.Intent, file *store.Remote, cfg config.Config, fixed review.Fixed) (queue.Outcome, error) {
	source := fixed.Sources[0]
	model := a.models.choose(cfg.Distiller, repo.Owner, a.index, a.now)
	m := memory.Memory{
		Store: began{file, func(ctx context.Context) error { return a.index.Began(ctx, in.Repository, source.String()) }},
		Distiller: remembered{
			cifix.Distiller{Failures: fixed.Failures, Model: model},
			answers{a.index, in.Repository, source.String()},
		},
		Config: cfg,
		Pause:  store.Pause,
	}
	result, err := m.Learn(ctx, memory.Event{
		Source:   source,
		Also:     fixed.Sources[1:],
		Evidence: lesson.Evidence{PR: source.PR, Date: fixed.Date, Verdict: lesson.CIFix},
		From:     fixed.From,
		Findings: cifix.Findings(fixed.Failures),
	})
	if err != nil {
		return queue.Outcome{}, err
	}
	for _, source := range fixed.Sources {
		if err := a.index.Done(ctx, in.Repository, source.String()); err != nil {
			return queue.Outcome{}, err
		}
	}
	report(zerolog.Ctx(ctx), result)
	a.metrics.learned(result)
	if len(result.Outcomes) == 0 {
		return nothing("%s said nothing that is known to teach", fixed.From), nil
	}
	return outcomeOf(result), nil
}
