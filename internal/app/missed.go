package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/go-github/v66/github"
)

const (
	// CatchUpEvery is how often the App looks for what it missed (issue 8).
	CatchUpEvery = 15 * time.Minute
	// maxPages bounds one look through the failed deliveries, of 100 each.
	maxPages = 50
)

// CatchUp looks for what the App missed, now and every CatchUpEvery, until ctx ends: deliveries that
// failed, and reviews and merges that no delivery told of. GitHub never retries by itself. Of
// several replicas one does it.
func (a *App) CatchUp(ctx context.Context) {
	tick := time.NewTicker(CatchUpEvery)
	defer tick.Stop()
	period := time.Minute // after a start soon, though a replica that started too may be sooner
	for {
		if err := a.catchUp(ctx, period); err != nil && ctx.Err() == nil {
			a.log.Error().Err(err).Msg("not all that was missed could be found; looking again later")
		}
		period = CatchUpEvery - time.Minute // timers are late, and the clocks of replicas differ
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// catchUp looks once, unless somebody did within the period.
func (a *App) catchUp(ctx context.Context, period time.Duration) error {
	turn, err := a.queue.Claim(ctx, "catch up", period)
	if err != nil || !turn {
		return err
	}
	if err = a.redeliver(ctx); err != nil {
		err = fmt.Errorf("failed deliveries: %w", err)
	}
	return errors.Join(err, a.reconcile(ctx))
}

// redeliver asks GitHub for the deliveries that failed and that were never done since, each once
// for an attempt that failed. GitHub remembers them for three days, an Enterprise Server for seven.
func (a *App) redeliver(ctx context.Context) error {
	client, err := a.clients.app()
	if err != nil {
		return err
	}
	seen := map[string]bool{} // the newest attempt comes first
	cursor := ""
	for range maxPages {
		page, next, err := failedDeliveries(ctx, client, cursor)
		if err != nil {
			return err
		}
		for _, d := range page {
			if seen[d.GetGUID()] {
				continue
			}
			seen[d.GetGUID()] = true
			if err := a.redeliverOne(ctx, client, d); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
	a.log.Warn().Int("deliveries", maxPages*100).Msg("more deliveries failed than are looked at; the older ones are found by their reviews and merges")
	return nil
}

func (a *App) redeliverOne(ctx context.Context, client *github.Client, d *github.HookDelivery) error {
	if _, known, err := a.queue.Delivery(ctx, d.GetGUID()); err != nil || known {
		return err
	}
	asked, err := a.index.AskedFor(ctx, d.GetGUID())
	if err != nil || asked >= d.GetID() {
		return err
	}
	if _, _, err = client.Apps.RedeliverHookDelivery(ctx, d.GetID()); err != nil && !accepted(err) {
		return err
	}
	a.log.Info().Str("delivery", d.GetGUID()).Str("event", d.GetEvent()).Str("status", d.GetStatus()).Msg("a failed delivery is asked for again")
	return a.index.SetAskedFor(ctx, d.GetGUID(), d.GetID())
}

// accepted reports whether GitHub answered 202: go-github takes it for an error.
func accepted(err error) bool {
	return errors.As(err, new(*github.AcceptedError))
}

// failedDeliveries returns a page of failed attempts, newest first, and the cursor of the next.
// go-github's own method knows no status.
func failedDeliveries(ctx context.Context, client *github.Client, cursor string) (page []*github.HookDelivery, next string, err error) {
	query := url.Values{"status": {"failure"}, "per_page": {strconv.Itoa(100)}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	request, err := client.NewRequest(http.MethodGet, "app/hook/deliveries?"+query.Encode(), nil)
	if err != nil {
		return nil, "", err
	}
	response, err := client.Do(ctx, request, &page)
	if err != nil {
		return nil, "", err
	}
	return page, response.Cursor, nil
}
