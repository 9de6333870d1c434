package app

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// nothing is the outcome of an intent that led to no write, with the reason for its owner.
func nothing(format string, args ...any) queue.Outcome {
	return queue.Outcome{Result: "nothing", Reason: fmt.Sprintf(format, args...)}
}

// learnReview reads the review as it is now, and commits what it teaches. Its requests: review,
// permission, configuration, inline comments, file, write (issue 2: at most 6).
func (a *App) learnReview(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	source := ledger.Review(lesson.PullRequest{Number: in.PullRequest}, in.Review)
	if done, err := a.index.Has(ctx, in.Repository, source.String()); err != nil {
		return queue.Outcome{}, err
	} else if done {
		return nothing("the review was learned before"), nil
	}
	given, reason, err := repo.Get(ctx, in.PullRequest, in.Review)
	if err != nil || reason != "" {
		return nothing("%s", reason), err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	if reason, err = repo.Admit(ctx, cfg, given, in.Actor); err != nil || reason != "" {
		return nothing("%s", reason), err
	}
	return a.learn(ctx, repo, in, given, source, cfg)
}

// isName matches what GitHub calls owners and repositories; it becomes part of addresses.
var isName = regexp.MustCompile(`^[\w-][\w.-]*$|^\.[\w-][\w.-]*$`)

// repository returns the intent's repository as its installation sees it.
func (a *App) repository(in queue.Intent) (review.Repository, error) {
	owner, name, _ := strings.Cut(in.FullName, "/")
	if !isName.MatchString(owner) || !isName.MatchString(name) {
		return review.Repository{}, queue.Permanent(fmt.Errorf("%q is not owner/name", in.FullName))
	}
	client, err := a.clients.installation(in.Installation)
	return review.Repository{Client: client, Owner: owner, Name: name}, err
}

// config returns the repository's configuration; a mistake in it is logged.
func (a *App) config(ctx context.Context, repo review.Repository) (config.Config, error) {
	cfg, mistake, err := a.configs.Of(ctx, repo)
	if mistake != nil {
		zerolog.Ctx(ctx).Warn().Err(mistake).Msg("the configuration has a mistake: the defaults are in force")
	}
	return cfg, err
}

func (a *App) learn(ctx context.Context, repo review.Repository, in queue.Intent, given *github.PullRequestReview, source ledger.Source, cfg config.Config) (queue.Outcome, error) {
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, err
	}
	if done, err := a.doneBefore(ctx, in.Repository, source.String(), file); err != nil {
		return queue.Outcome{}, err
	} else if done {
		return nothing("the commits say that the review was learned before"), nil
	}
	findings, err := repo.Findings(ctx, in.PullRequest, given)
	if err != nil {
		return queue.Outcome{}, err
	}
	day := given.GetSubmittedAt().Time
	if day.IsZero() {
		day = in.At
	}
	distiller := a.models.choose(cfg.Distiller, repo.Owner, a.index, a.now)
	kept := answers{a.index, in.Repository, source.String()}
	m := memory.Memory{
		Store:     began{file, func(ctx context.Context) error { return a.index.Began(ctx, in.Repository, source.String()) }},
		Distiller: remembered{distiller, kept},
		Config:    cfg,
		Pause:     store.Pause,
	}
	if judge, ok := distiller.(memory.Judge); ok && cfg.Distiller.Judge {
		m.Judge = rememberedJudge{judge, kept}
	}
	result, err := m.Learn(ctx, memory.Event{
		Source:   source,
		Evidence: lesson.Evidence{PR: source.PR, Date: lesson.DateOf(day), Verdict: lesson.ChangesRequested},
		By:       given.GetUser().GetLogin(),
		Findings: findings,
	})
	if err != nil {
		return queue.Outcome{}, err
	}
	if err := a.index.Done(ctx, in.Repository, source.String()); err != nil {
		return queue.Outcome{}, err
	}
	report(zerolog.Ctx(ctx), result)
	return outcomeOf(result), nil
}

// file returns the repository's lessons file, written through its standing pull request where a
// rule was seen to forbid the direct write.
func (a *App) file(ctx context.Context, repo review.Repository, id int64, cfg config.Config) (*store.Remote, error) {
	file := repo.Store(cfg, a.now())
	if file.Proposal == nil {
		return file, nil
	}
	forbidden, err := a.index.Proposes(ctx, id)
	file.Proposes = file.Proposes || forbidden
	file.Forbidden = func(ctx context.Context) error {
		zerolog.Ctx(ctx).Warn().Msg("a rule of the branch forbids the direct write: lessons go to a standing pull request")
		return a.index.SetProposes(ctx, id, true)
	}
	return file, err
}

// doneBefore asks the commits where the index cannot answer: once for a repository that it does
// not know, and for a source whose write was begun and never heard of again (design decision 5).
func (a *App) doneBefore(ctx context.Context, repo int64, source string, file memory.History) (bool, error) {
	known, err := a.index.Known(ctx, repo)
	if err != nil {
		return false, err
	}
	unsure, err := a.index.Unsure(ctx, repo, source)
	if err != nil || (known && !unsure) {
		return false, err
	}
	messages, err := file.Messages(ctx, known)
	if err != nil {
		return false, err
	}
	var sources []string
	for _, message := range messages {
		for _, entry := range ledger.Parse(message) {
			for _, s := range entry.Sources() {
				sources = append(sources, s.String())
			}
		}
	}
	if err := a.index.Rebuilt(ctx, repo, sources); err != nil {
		return false, err
	}
	return slices.Contains(sources, source), nil
}

// outcomeOf says in one word and one line what a learned review led to.
func outcomeOf(r memory.Result) queue.Outcome {
	var reasons []string
	for _, o := range r.Outcomes {
		switch {
		case o.Kind == lesson.Refused:
			reasons = append(reasons, "refused: "+o.Reason)
		case o.Unchanged:
			reasons = append(reasons, o.Reason)
		default:
			reasons = append(reasons, string(o.Kind)+" "+o.Bullet.Handle())
		}
	}
	switch {
	case len(r.Outcomes) == 0:
		return nothing("the review holds nothing to learn")
	case r.Written:
		return queue.Outcome{Result: "learned", Reason: strings.Join(reasons, "; ")}
	default:
		return queue.Outcome{Result: "nothing", Reason: strings.Join(reasons, "; ")}
	}
}

// report logs what the owner of the file should know of.
func report(log *zerolog.Logger, r memory.Result) {
	warn(log, r.Notices)
	if r.Fallback != "" {
		log.Warn().Str("reason", r.Fallback).Msg("the extractive distiller stood in for the model")
	}
	if r.Unjudged != "" {
		log.Warn().Str("reason", r.Unjudged).Msg("no second opinion: the lessons stay apart")
	}
	for _, b := range r.Evicted {
		log.Info().Str("handle", b.Handle()).Msg("evicted by the cap")
	}
}

func warn(log *zerolog.Logger, notices []string) {
	for _, notice := range notices {
		log.Warn().Str("notice", notice).Msg("the owner of the lessons file should know")
	}
}

// began marks the source before each write, so that a crash between GitHub's commit and our own
// record of it sends the next run to look at the commits.
type began struct {
	memory.Store
	mark func(context.Context) error
}

func (b began) Write(ctx context.Context, was store.Snapshot, content []byte, message string) (store.Commit, error) {
	if err := b.mark(ctx); err != nil {
		return store.Commit{}, err
	}
	return b.Store.Write(ctx, was, content, message)
}
