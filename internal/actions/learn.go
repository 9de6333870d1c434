package actions

import (
	"context"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// learnFromEvent learns from the review that the event tells of, as it is now.
func (r *run) learnFromEvent(ctx context.Context) error {
	pull := r.job.pull
	given, reason, err := r.repo.Get(ctx, pull.GetNumber(), r.job.review)
	if err != nil {
		return err
	}
	if reason != "" {
		r.tell("%s: nothing to learn: %s.", ledger.Review(numbered(pull), r.job.review).PR, reason)
		return nil
	}
	return r.learn(ctx, pull, given)
}

// learn commits what a review teaches, unless the commits say that it was learned before.
func (r *run) learn(ctx context.Context, pull *github.PullRequest, given *github.PullRequestReview) error {
	source := ledger.Review(numbered(pull), given.GetID())
	if r.seen[source.String()] {
		r.tell("%s: the review by %s was learned before.", source.PR, given.GetUser().GetLogin())
		return nil
	}
	reason, err := r.repo.Admit(ctx, r.cfg, given, review.WritersOf(pull))
	if err != nil {
		return err
	}
	if reason != "" {
		r.tell("%s: nothing was learned: %s.", source.PR, reason)
		return nil
	}
	findings, _, err := r.repo.Findings(ctx, pull.GetNumber(), given)
	if err != nil {
		return err
	}
	m := r.memory()
	if m.Distiller, err = r.models.choose(r.cfg.Distiller); err != nil {
		r.warn("The extractive distiller stands in: %s", err)
	}
	if judge, ok := m.Distiller.(memory.Judge); ok && r.cfg.Distiller.Judge {
		m.Judge = judge
	}
	result, err := m.Learn(ctx, memory.Event{
		Source:   source,
		Evidence: lesson.Evidence{PR: source.PR, Date: lesson.DateOf(given.GetSubmittedAt().Time), Verdict: lesson.ChangesRequested},
		By:       given.GetUser().GetLogin(),
		Findings: findings,
	})
	if readOnly(err) {
		r.leave("what the review of " + source.PR.String() + " teaches is left to the next scheduled run.")
		return nil
	}
	if err != nil {
		return err
	}
	r.learned(source, "the review", result)
	return nil
}

// learned tells what became of each lesson of what taught.
func (r *run) learned(source ledger.Source, what string, result memory.Result) {
	if result.Fallback != "" {
		r.warn("The extractive distiller stood in for the model: %s", result.Fallback)
	}
	if result.LeftOut > 0 {
		r.warn("%d findings were left out: a review is read up to a bound.", result.LeftOut)
	}
	if result.Unjudged != "" {
		r.warn("No second opinion, the lessons stay apart: %s", result.Unjudged)
	}
	if len(result.Outcomes) == 0 {
		r.tell("%s: %s holds nothing to learn.", source.PR, what)
	}
	for _, o := range result.Outcomes {
		switch {
		case o.Kind == lesson.Refused:
			r.tell("%s: refused, since %s: %s", source.PR, o.Reason, o.Sentence)
		case o.Unchanged:
			r.tell("%s: %s: %s", source.PR, o.Reason, o.Sentence)
		}
	}
	r.wrote(result.Write)
}

func (r *run) memory() memory.Memory {
	return memory.Memory{Store: r.file, Config: r.cfg, Pause: store.Pause}
}

func numbered(pull *github.PullRequest) lesson.PullRequest {
	return lesson.PullRequest{Number: pull.GetNumber()}
}
