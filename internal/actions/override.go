package actions

import (
	"context"
	"slices"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/verdict"
)

// overrideFromEvent reads the closed pull request as it is now, since a payload has been wrong
// about the merge (github.md 1.3).
func (r *run) overrideFromEvent(ctx context.Context) error {
	pull, _, err := r.repo.Client.PullRequests.Get(ctx, r.repo.Owner, r.repo.Name, r.job.pull.GetNumber())
	if err != nil {
		return err
	}
	if pull.MergedAt == nil {
		r.tell("%s was closed without a merge: nothing to take back.", numbered(pull))
		return nil
	}
	if err := r.override(ctx, pull); err != nil {
		return err
	}
	r.noteRevert(pull)
	return nil
}

// override takes back the evidence of the reviews that the pull request was merged over, but for
// those that the commits say it was taken back of.
func (r *run) override(ctx context.Context, pull *github.PullRequest) error {
	merge, err := r.repo.MergedOver(ctx, r.cfg, pull, func(source ledger.Source) (bool, error) { return r.seen[source.String()], nil })
	if err != nil {
		return err
	}
	for _, why := range merge.Why {
		r.tell("%s: %s", merge.PR, why)
	}
	over := slices.DeleteFunc(merge.Over, func(source ledger.Source) bool { return r.seen[ledger.MergeOver(source).String()] })
	if len(over) == 0 {
		return nil
	}
	w, err := r.memory().Override(ctx, r.file, memory.Overruled{Reviews: over, Date: merge.Date, Why: merge.Why})
	if readOnly(err) {
		r.leave("what " + merge.PR.String() + " was merged over is left to the next scheduled run.")
		return nil
	}
	if err != nil {
		return err
	}
	r.wrote(w)
	return nil
}

// noteRevert tells of a merge that takes back one whose review was merged over: that review may
// have been right. A person decides; nothing is changed.
func (r *run) noteRevert(pull *github.PullRequest) {
	number := verdict.Reverted(pull.GetHead().GetRef(), pull.GetTitle(), pull.GetBody())
	for _, row := range r.rows {
		if source := row.Entry.Source; number > 0 && source.IsMergeOver() && source.PR.Number == number {
			r.tell("It reverts %s, which was merged over a review that may have been right: nothing is changed.", source.PR)
			return
		}
	}
}
