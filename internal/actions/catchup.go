package actions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/verdict"
)

// maxPulls bounds the pull requests that one run catches up on: a workflow's token has 1,000
// requests an hour, and each takes one at least.
const maxPulls = 200

// catchUp does what no earlier run could: it goes through the pull requests of the last days,
// the one that changed first before the others, and does for each what its events would have
// asked for. The commits say what is done. An error of one pull request does not hold up the rest.
func (r *run) catchUp(ctx context.Context) error {
	since := r.now.AddDate(0, 0, -r.catchUpDays)
	pulls, err := r.pullsSince(ctx, since)
	if err != nil {
		return fmt.Errorf("catching up: %w", err)
	}
	var failed []error
	for _, pull := range pulls {
		if err := r.catchUpOn(ctx, pull, since); err != nil {
			failed = append(failed, fmt.Errorf("catching up on pull request %d: %w", pull.GetNumber(), err))
			if limited(err) || ctx.Err() != nil {
				break
			}
		}
	}
	return errors.Join(failed...)
}

// pullsSince lists the pull requests that changed since then, the one that changed first first.
func (r *run) pullsSince(ctx context.Context, since time.Time) ([]*github.PullRequest, error) {
	var out []*github.PullRequest
	options := &github.PullRequestListOptions{State: "all", Sort: "updated", Direction: "desc", ListOptions: github.ListOptions{PerPage: 100}}
	for {
		pulls, response, err := r.repo.Client.PullRequests.List(ctx, r.repo.Owner, r.repo.Name, options)
		if err != nil {
			return nil, err
		}
		for _, p := range pulls {
			if p.GetUpdatedAt().Before(since) {
				slices.Reverse(out)
				return out, nil
			}
			if len(out) == maxPulls {
				r.warn("More than %d pull requests changed in the last %d days: those that changed before %s were not looked at.",
					maxPulls, r.catchUpDays, out[len(out)-1].GetUpdatedAt().UTC().Format(time.DateTime))
				slices.Reverse(out)
				return out, nil
			}
			out = append(out, p)
		}
		if response.NextPage == 0 {
			slices.Reverse(out)
			return out, nil
		}
		options.Page = response.NextPage
	}
}

// limited reports whether GitHub lets the token ask no more for now.
func limited(err error) bool {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	return errors.As(err, &primary) || errors.As(err, &secondary)
}

// catchUpOn learns from the pull request's reviews since then, and takes back what it was merged
// over since then.
func (r *run) catchUpOn(ctx context.Context, pull *github.PullRequest, since time.Time) error {
	reviews, err := r.repo.Reviews(ctx, pull.GetNumber())
	if err != nil {
		return err
	}
	asked := false
	for _, given := range reviews {
		asked = asked || given.GetState() == verdict.ChangesRequested || given.GetState() == verdict.Dismissed
		known := r.seen[ledger.Review(numbered(pull), given.GetID()).String()]
		if known || given.GetSubmittedAt().Before(since) || !review.Concerns(r.cfg, given) {
			continue
		}
		if err := r.learn(ctx, pull, given); err != nil {
			return err
		}
	}
	if !asked || pull.GetMergedAt().Before(since) { // never merged: long before
		return nil
	}
	return r.override(ctx, pull)
}
