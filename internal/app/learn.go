package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// maxTogether bounds the reviews that one commit takes along.
const maxTogether = 20

// learnReview reads the review as it is now, and commits what it teaches. Its requests: review,
// permission, configuration, inline comments, file, write (issue 2: at most 6). Reviews of the same
// repository that wait, since they arrived while another was written, come along in the same commit.
func (a *App) learnReview(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	if outcome, done := a.along.take(in.Delivery); done {
		return outcome, nil
	}
	first, reason, err := a.read(ctx, in)
	if err != nil || reason != "" {
		return nothing("%s", reason), err
	}
	if wait, err := a.batched(ctx, in, first.cfg); err != nil || wait != nil {
		return queue.Outcome{}, errors.Join(err, wait)
	}
	all := []taught{first}
	waiting, err := a.queue.Due(ctx, in.Repository, kindReview, in.ID, maxTogether-1)
	if err != nil {
		return queue.Outcome{}, err
	}
	for _, other := range waiting {
		// What fails here, or teaches nothing, gets its own turn and tells why itself.
		if t, reason, err := a.read(ctx, other); err == nil && reason == "" {
			all = append(all, t)
		}
	}
	outcomes, err := a.write(ctx, all)
	if err != nil {
		return queue.Outcome{}, err
	}
	for i, t := range all[1:] {
		a.along.put(t.in.Delivery, outcomes[i+1])
	}
	return outcomes[0], nil
}

// taught is a review that was read and distilled, and waits to be written.
type taught struct {
	memory.Distilled
	in   queue.Intent
	repo review.Repository
	cfg  config.Config
	file *store.Remote
	head string // the pull request's head, or the commit that was reviewed
}

// read reads and distils one review, or says why it teaches nothing.
func (a *App) read(ctx context.Context, in queue.Intent) (taught, string, error) {
	repo, err := a.repository(in)
	if err != nil {
		return taught{}, "", err
	}
	source := ledger.Review(lesson.PullRequest{Number: in.PullRequest}, in.Review)
	if done, err := a.index.Has(ctx, in.Repository, source.String()); err != nil {
		return taught{}, "", err
	} else if done {
		return taught{}, "the review was learned before", nil
	}
	given, reason, err := repo.Get(ctx, in.PullRequest, in.Review)
	if err != nil || reason != "" {
		return taught{}, reason, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return taught{}, "", err
	}
	if reason, err = repo.Admit(ctx, cfg, given, strings.Fields(in.Actor)); err != nil || reason != "" {
		return taught{}, reason, err
	}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return taught{}, "", err
	}
	if done, err := a.doneBefore(ctx, in.Repository, source.String(), file); err != nil {
		return taught{}, "", err
	} else if done {
		return taught{}, "the commits say that the review was learned before", nil
	}
	findings, left, err := repo.Findings(ctx, in.PullRequest, given)
	if err != nil {
		return taught{}, "", err
	}
	day := given.GetSubmittedAt().Time
	if day.IsZero() {
		day = in.At
	}
	distiller := a.models.choose(cfg.Distiller, repo.Owner, a.index, a.now)
	kept := answers{a.index, in.Repository, source.String()}
	m := memory.Memory{Distiller: remembered{distiller, kept}, Config: cfg}
	if judge, ok := distiller.(memory.Judge); ok && cfg.Distiller.Judge {
		m.Judge = rememberedJudge{judge, kept}
	}
	event := memory.Event{
		Source:   source,
		Evidence: lesson.Evidence{PR: source.PR, Date: lesson.DateOf(day), Verdict: lesson.ChangesRequested},
		By:       given.GetUser().GetLogin(),
		Findings: findings,
	}
	onlyTalk := len(findings) == 0 && len(left) > 0
	if onlyTalk {
		event.Findings = left
	}
	distilled, err := m.Distil(ctx, event)
	if onlyTalk { // the check run offers to teach it all the same
		distilled.Decline("the review only comments, and asks for no change")
	}
	return taught{distilled, in, repo, cfg, file, cmp.Or(in.Head, given.GetCommitID())}, "", err
}

// write commits what reviews of one repository teach, and says what became of each.
func (a *App) write(ctx context.Context, all []taught) ([]queue.Outcome, error) {
	mark := func(do func(context.Context, int64, string) error) error {
		for _, t := range all {
			if err := do(ctx, t.in.Repository, t.Source.String()); err != nil {
				return err
			}
		}
		return nil
	}
	events := make([]memory.Distilled, len(all))
	for i, t := range all {
		events[i] = t.Distilled
	}
	m := memory.Memory{
		Store:  began{all[0].file, func(context.Context) error { return mark(a.index.Began) }},
		Config: all[0].cfg,
		Pause:  store.Pause,
	}
	results, err := m.Write(ctx, events)
	if err != nil {
		return nil, err
	}
	if err := mark(a.index.Done); err != nil {
		return nil, err
	}
	written := slices.ContainsFunc(results, func(r memory.Result) bool { return r.Written })
	if written && all[0].cfg.Commit.Period() > 0 {
		if err := a.index.SetWroteAt(ctx, all[0].in.Repository, a.now()); err != nil {
			return nil, err
		}
	}
	outcomes := make([]queue.Outcome, len(all))
	for i, r := range results {
		report(zerolog.Ctx(ctx), r)
		a.metrics.learned(r)
		outcomes[i] = outcomeOf(r)
		a.offer(ctx, all[i], r.Outcomes)
	}
	return outcomes, nil
}

// batched returns why the repository has to wait with its next commit, nil if it need not:
// commit.batch allows one in a period.
func (a *App) batched(ctx context.Context, in queue.Intent, cfg config.Config) (wait, err error) {
	period := cfg.Commit.Period()
	if period == 0 {
		return nil, nil
	}
	last, err := a.index.WroteAt(ctx, in.Repository)
	if next := last.Add(period); err == nil && next.After(a.now()) {
		return queue.Later(next, fmt.Errorf("commit.batch allows one commit in %s", period)), nil
	}
	return nil, err
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
	if r.LeftOut > 0 {
		log.Warn().Int("findings", r.LeftOut).Msg("findings were left out: a review is read up to a bound")
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
