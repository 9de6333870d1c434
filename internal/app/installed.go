package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v66/github"
)

// eachInstallation calls do for every installation that is not suspended. One that fails does not
// hold up the others.
func (a *App) eachInstallation(ctx context.Context, do func(installation int64) error) error {
	installations, err := a.clients.installations(ctx)
	if err != nil {
		return fmt.Errorf("list the installations: %w", err)
	}
	var failed []error
	for _, installation := range installations {
		if installation.SuspendedAt != nil {
			continue
		}
		if err := do(installation.GetID()); err != nil {
			failed = append(failed, fmt.Errorf("installation %d: %w", installation.GetID(), err))
		}
	}
	return errors.Join(failed...)
}

// eachRepository calls do for every repository of an installation that can be written to.
func (a *App) eachRepository(ctx context.Context, installation int64, do func(*github.Repository) error) error {
	client, err := a.clients.lists.of(installation)
	if err != nil {
		return err
	}
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := client.Apps.ListRepos(ctx, page)
		if err != nil {
			return err
		}
		for _, r := range list.Repositories {
			if r.GetArchived() || r.GetDisabled() {
				continue
			}
			if err := do(r); err != nil {
				return err
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		page.Page = response.NextPage
	}
}
