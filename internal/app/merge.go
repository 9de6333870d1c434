package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
	"github.com/agent-corp/agent-lessons/internal/verdict"
)

// overrideMerge reads the closed pull request as it is now, since a payload has been wrong about
// the merge, and takes back the evidence of the reviews that it was merged over.
func (a *App) overrideMerge(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	mark := ledger.MergeOver(ledger.Source{PR: lesson.PullRequest{Number: in.PullRequest}})
	if done, err := a.index.Has(ctx, in.Repository, mark.String()); err != nil {
		return queue.Outcome{}, err
	} else if done {
		return nothing("the merge was worked off before"), nil
	}
	pull, reason, err := merged(ctx, repo, in.PullRequest)
	if err != nil || reason != "" {
		return nothing("%s", reason), err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, err
	}
	if head := pull.GetHead(); head.GetRef() == store.ProposalBranch && head.GetRepo().GetID() == in.Repository {
		return a.landed(ctx, in, file, head.GetSHA(), mark)
	}
	// An index that does not know the repository learns here who has taught.
	if _, err := a.doneBefore(ctx, in.Repository, mark.String(), file); err != nil {
		return queue.Outcome{}, err
	}
	merge, err := repo.MergedOver(ctx, cfg, pull, func(source ledger.Source) (bool, error) {
		return a.index.Has(ctx, in.Repository, source.String())
	})
	if err != nil {
		return queue.Outcome{}, err
	}
	m := memory.Memory{Store: file, Config: cfg, Pause: store.Pause}
	outcome, err := a.override(ctx, m, file, merge)
	if err != nil {
		return outcome, err
	}
	if outcome, err = noteRevert(ctx, file, pull, outcome); err != nil {
		return outcome, err
	}
	// Each review is marked even where it had taught nothing yet: its lessons may be on their way.
	for _, source := range merge.Over {
		if err := a.index.Done(ctx, in.Repository, ledger.MergeOver(source).String()); err != nil {
			return outcome, err
		}
	}
	return outcome, a.index.Done(ctx, in.Repository, mark.String())
}

// landed ends a standing pull request that was merged: the next write tries the branch directly.
func (a *App) landed(ctx context.Context, in queue.Intent, file *store.Remote, head string, mark ledger.Source) (queue.Outcome, error) {
	if file.Proposal != nil {
		if err := file.Proposal.Landed(ctx, head); err != nil {
			return queue.Outcome{}, err
		}
	}
	if err := a.index.SetProposes(ctx, in.Repository, false); err != nil {
		return queue.Outcome{}, err
	}
	return nothing("the lessons of the standing pull request landed"), a.index.Done(ctx, in.Repository, mark.String())
}

// merged returns the pull request, or the reason why it has nothing to take back.
func merged(ctx context.Context, repo review.Repository, number int) (*github.PullRequest, string, error) {
	pull, response, err := repo.Client.PullRequests.Get(ctx, repo.Owner, repo.Name, number)
	switch {
	case response != nil && response.StatusCode == http.StatusNotFound:
		return nil, "the pull request is gone, or the App may not see it", nil
	case err != nil:
		return nil, "", err
	case pull.MergedAt == nil:
		return nil, "the pull request was closed without a merge", nil
	}
	return pull, "", nil
}

// override takes back what merge asks for, and says why in the log.
func (a *App) override(ctx context.Context, m memory.Memory, file memory.History, merge review.Merge) (queue.Outcome, error) {
	why := strings.Join(merge.Why, " ")
	if why == "" {
		return nothing("no request for changes was ever made before the merge"), nil
	}
	zerolog.Ctx(ctx).Info().Str("reason", why).Msg("verdicts at the merge")
	if len(merge.Over) == 0 {
		return nothing("%s", why), nil
	}
	w, err := m.Override(ctx, file, memory.Overruled{Reviews: merge.Over, Date: merge.Date, Why: merge.Why})
	if err != nil {
		return queue.Outcome{}, err
	}
	warn(zerolog.Ctx(ctx), w.Notices)
	a.metrics.wrote(w)
	if !w.Written {
		return nothing("no bullet rests on it: %s", why), nil
	}
	var touched []string
	for _, t := range w.Entry.Bullets {
		touched = append(touched, t.What+" "+t.Handle)
	}
	return queue.Outcome{Result: "overridden", Reason: strings.Join(touched, "; ") + ": " + why}, nil
}

// noteRevert records that a merge takes back one whose review was merged over: that review may
// have been right. A person decides; nothing is changed.
func noteRevert(ctx context.Context, file memory.History, pull *github.PullRequest, outcome queue.Outcome) (queue.Outcome, error) {
	number := verdict.Reverted(pull.GetHead().GetRef(), pull.GetTitle(), pull.GetBody())
	if number == 0 {
		return outcome, nil
	}
	messages, err := file.Messages(ctx, false)
	if err != nil {
		return outcome, err
	}
	for _, message := range messages {
		for _, entry := range ledger.Parse(message) {
			if entry.Source.IsMergeOver() && entry.Source.PR.Number == number {
				outcome.Reason += fmt.Sprintf("; it reverts #%d, which was merged over a review that may have been right: nothing is changed", number)
				return outcome, nil
			}
		}
	}
	return outcome, nil
}

// lateAfter is the age from which a review's pull request is looked at for a merge.
const lateAfter = 10 * time.Minute

// overrideLate takes back what was learned from a review after its pull request had been merged
// over it: jobs that are tried again change their order, but not how things end. The mark that the
// merge's job left says so; a review that is learned late may have outlived that mark, or the
// merge's delivery, and costs a look at the pull request.
func (a *App) overrideLate(ctx context.Context, in queue.Intent, learned queue.Outcome) (queue.Outcome, error) {
	source := ledger.Review(lesson.PullRequest{Number: in.PullRequest}, in.Review)
	over, err := a.index.Has(ctx, in.Repository, ledger.MergeOver(source).String())
	if err != nil {
		return learned, err
	}
	taught, err := a.index.Has(ctx, in.Repository, source.String())
	if err != nil || !taught {
		return learned, err
	}
	outcome := queue.Outcome{}
	switch {
	case over:
		outcome, err = a.overrideMarked(ctx, in, source)
	case a.now().Sub(in.At) > lateAfter:
		outcome, err = a.overrideMerge(ctx, in)
	}
	if err != nil || outcome.Result != "overridden" {
		return learned, err
	}
	outcome.Reason = learned.Reason + "; " + outcome.Reason
	return outcome, nil
}

// overrideMarked takes back what a review taught that a merge is known to have gone over.
func (a *App) overrideMarked(ctx context.Context, in queue.Intent, source ledger.Source) (queue.Outcome, error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	pull, reason, err := merged(ctx, repo, in.PullRequest)
	if err != nil || reason != "" {
		return nothing("%s", reason), err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, err
	}
	return a.override(ctx, memory.Memory{Store: file, Config: cfg, Pause: store.Pause}, file, review.Merge{
		PR: source.PR, Date: lesson.DateOf(pull.GetMergedAt().Time), Over: []ledger.Source{source},
		Why: []string{fmt.Sprintf("Review %d was merged over before its lessons were written.", source.ID)},
	})
}
