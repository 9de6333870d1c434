package app

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

// places follows repositories; see package queue.
type places interface {
	Move(ctx context.Context, to queue.Place) error
	Resume(ctx context.Context, installation int64) error
	Drop(ctx context.Context, installation, repository int64, why string) error
}

// lifecycle follows installations and repositories through their lives. All state is keyed by the
// repository's id, so only what waits has to follow; it calls nobody (github.md 1.6).
type lifecycle struct {
	places places
	forget func(installation int64) // its clients: the token is dead, or has other permissions now
	log    zerolog.Logger
}

// Handles lists the events.
func (l *lifecycle) Handles() []string {
	return []string{"installation", "installation_repositories", "repository"}
}

type lifecyclePayload struct {
	Action       string `json:"action"`
	Installation *struct {
		ID int64 `json:"id"`
	} `json:"installation"`
	Repository *struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	} `json:"repository"`
	Removed []struct {
		ID int64 `json:"id"`
	} `json:"repositories_removed"`
}

// Handle returns errMalformed, or the queue's error.
func (l *lifecycle) Handle(ctx context.Context, event, delivery string, body []byte) error {
	var p lifecyclePayload
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	if p.Installation == nil {
		return nil
	}
	done, err := l.follow(ctx, event, p)
	if done != "" && err == nil {
		l.log.Info().Str("delivery", delivery).Str("event", event).Str("action", p.Action).
			Int64("installation", p.Installation.ID).Msg(done)
	}
	return err
}

// follow returns what was done, "" for nothing.
func (l *lifecycle) follow(ctx context.Context, event string, p lifecyclePayload) (string, error) {
	installation := p.Installation.ID
	switch event + " " + p.Action {
	case "installation deleted":
		l.forget(installation)
		return "uninstalled: what waited is given up", l.places.Drop(ctx, installation, 0, "the App was uninstalled")
	case "installation suspend":
		l.forget(installation)
		return "suspended: what there is to do waits", nil
	case "installation unsuspend", "installation new_permissions_accepted":
		l.forget(installation)
		return "what waited goes on", l.places.Resume(ctx, installation)
	case "installation_repositories removed":
		for _, r := range p.Removed {
			if err := l.places.Drop(ctx, installation, r.ID, "the repository was taken from the installation"); err != nil {
				return "", err
			}
		}
		return "repositories taken away: what waited for them is given up", nil
	case "repository renamed", "repository transferred", "repository unarchived", "repository edited":
		if p.Repository == nil {
			return "", nil
		}
		return "the repository's waiting work follows it", l.places.Move(ctx, queue.Place{
			Installation: installation, Repository: p.Repository.ID, FullName: p.Repository.FullName,
		})
	case "repository deleted":
		if p.Repository == nil {
			return "", nil
		}
		return "the repository is gone: what waited for it is given up", l.places.Drop(ctx, installation, p.Repository.ID, "the repository was deleted")
	}
	return "", nil
}
