package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
)

const (
	// lookBack is how far a repository's pull requests are looked through that never were.
	lookBack = 24 * time.Hour
	// overlap is looked through twice: GitHub's lists lag its events.
	overlap = 10 * time.Minute
	// maxLooks bounds the repositories of one installation that are looked through in one go, those
	// first that wait longest. With an hour of four looks that is a tenth of GitHub's smallest budget.
	maxLooks = 100
)

// reconcile looks through the pull requests of all installed repositories that changed since the
// last look, and puts on disk what no delivery told of.
func (a *App) reconcile(ctx context.Context) error {
	return a.eachInstallation(ctx, func(installation int64) error {
		places, err := a.longestUnseen(ctx, installation)
		if err != nil {
			return err
		}
		client, err := a.clients.lists.of(installation)
		if err != nil {
			return err
		}
		var failed []error
		for _, p := range places {
			began := a.now()
			err := a.lookThrough(ctx, client, p)
			if err == nil {
				err = a.index.SetLookedAt(ctx, p.Repository, began)
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", p.FullName, err))
			}
			if limited := new(github.RateLimitError); errors.As(err, &limited) || ctx.Err() != nil {
				break
			}
		}
		return errors.Join(failed...)
	})
}

// unseen is a repository, and the time since which its pull requests were not looked through.
type unseen struct {
	queue.Place
	since time.Time
}

func (a *App) longestUnseen(ctx context.Context, installation int64) ([]unseen, error) {
	var all []unseen
	err := a.eachRepository(ctx, installation, func(r *github.Repository) error {
		since, err := a.index.LookedAt(ctx, r.GetID())
		if since.IsZero() {
			since = a.now().Add(-lookBack)
		}
		all = append(all, unseen{queue.Place{Installation: installation, Repository: r.GetID(), FullName: r.GetFullName()}, since})
		return err
	})
	slices.SortStableFunc(all, func(a, b unseen) int { return a.since.Compare(b.since) })
	return all[:min(len(all), maxLooks)], err
}

// lookThrough puts intents for the reviews and merges of one repository since the last look. Those
// that a delivery told of are done, or have the same end.
func (a *App) lookThrough(ctx context.Context, client *github.Client, u unseen) error {
	since := u.since.Add(-overlap)
	owner, name, _ := strings.Cut(u.FullName, "/")
	list := &github.PullRequestListOptions{State: "all", Sort: "updated", Direction: "desc", ListOptions: github.ListOptions{PerPage: 50}}
	for {
		pulls, response, err := client.PullRequests.List(ctx, owner, name, list)
		if err != nil {
			return err
		}
		for _, pull := range pulls {
			if pull.GetUpdatedAt().Before(since) {
				return nil
			}
			if err := a.lookAtReviews(ctx, client, u, pull, since); err != nil {
				return err
			}
			if merged := pull.GetMergedAt(); merged.After(since) {
				if err := a.missed(ctx, u, ledger.MergeOver(ledger.Source{PR: lesson.PullRequest{Number: pull.GetNumber()}}), queue.Intent{
					Kind: kindMerge, PullRequest: pull.GetNumber(), At: merged.Time,
				}); err != nil {
					return err
				}
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		list.Page = response.NextPage
	}
}

func (a *App) lookAtReviews(ctx context.Context, client *github.Client, u unseen, pull *github.PullRequest, since time.Time) error {
	owner, name, _ := strings.Cut(u.FullName, "/")
	page := &github.ListOptions{PerPage: 100}
	for {
		reviews, response, err := client.PullRequests.ListReviews(ctx, owner, name, pull.GetNumber(), page)
		if err != nil {
			return err
		}
		for _, given := range reviews {
			if given.GetState() != "CHANGES_REQUESTED" || given.GetSubmittedAt().Before(since) {
				continue
			}
			if err := a.missed(ctx, u, ledger.Review(lesson.PullRequest{Number: pull.GetNumber()}, given.GetID()), queue.Intent{
				Kind: kindReview, PullRequest: pull.GetNumber(), Review: given.GetID(), Actor: strings.Join(review.WritersOf(pull), " "), At: given.GetSubmittedAt().Time,
			}); err != nil {
				return err
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		page.Page = response.NextPage
	}
}

// missed puts an intent for a source that was not worked off. Its name is the same in each look.
func (a *App) missed(ctx context.Context, u unseen, source ledger.Source, in queue.Intent) error {
	if done, err := a.index.Has(ctx, u.Repository, source.String()); err != nil || done {
		return err
	}
	in.Delivery = fmt.Sprintf("found %d %s", u.Repository, source)
	in.Installation, in.Repository, in.FullName = u.Installation, u.Repository, u.FullName
	fresh, err := a.queue.Put(ctx, in)
	if fresh {
		a.log.Info().Str("delivery", in.Delivery).Str("repository", in.FullName).Msg("found what no delivery told of")
	}
	return err
}
