package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/answer"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// declinedFor is how long somebody who was told on a pull request that they may not write is
// believed to have no permission still: their commands cost nothing until then.
const declinedFor = 5 * time.Minute

// talk answers a command or a press.
func (a *App) talk(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	asker := fmt.Sprintf("%d %d %s", in.Repository, in.PullRequest, strings.ToLower(in.Actor))
	if at, told := a.declined.Get(asker); told && a.now().Sub(at) < declinedFor {
		return nothing("%s has no write permission, and was told so a moment ago", in.Actor), nil
	}
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	file, err := a.file(ctx, repo, in.Repository, cfg)
	if err != nil {
		return queue.Outcome{}, err
	}
	desk := a.desk(ctx, repo, in.Repository, cfg, file)
	var given answer.Answer
	if button, ok := strings.CutPrefix(in.Kind, kindPress); ok {
		given, err = desk.Press(ctx, answer.Pressed{Check: in.Review, Press: answer.Press(button), By: in.Actor})
	} else {
		given, err = desk.Command(ctx, answer.Said{Place: strings.TrimPrefix(in.Kind, kindCommand), Pull: in.PullRequest, ID: in.Review}, in.At)
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	if given.Declined {
		a.declined.Add(asker, a.now())
	}
	warn(zerolog.Ctx(ctx), given.Obeyed.Notices)
	a.metrics.wrote(given.Obeyed.Write)
	result := "answered"
	switch {
	case given.Ignored:
		result = "nothing"
	case given.Obeyed.Written:
		result = "obeyed"
	}
	return queue.Outcome{Result: result, Reason: given.Reason}, nil
}

func (a *App) desk(ctx context.Context, repo review.Repository, id int64, cfg config.Config, file *store.Remote) answer.Desk {
	return answer.Desk{
		Repo: repo, Config: cfg, File: file, Pause: store.Pause, Now: a.now(), Self: a.self.Load().(string),
		Distil: func(source ledger.Source) distill.Distiller {
			return remembered{a.models.choose(cfg.Distiller, repo.Owner, a.index, a.now), answers{a.index, id, source.String()}}
		},
		Warn: func(err error) { zerolog.Ctx(ctx).Warn().Err(err).Msg("somebody was not told") },
	}
}

// offer sets check runs for what a review taught. They are a courtesy: what fails here holds up no
// lesson, and is said in the log.
func (a *App) offer(ctx context.Context, t taught, outcomes []lesson.Outcome) {
	err := a.desk(ctx, t.repo, t.in.Repository, t.cfg, t.file).Offer(ctx, t.head, t.Source, outcomes)
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode == http.StatusForbidden {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("no buttons for the lessons: the App needs the permission Checks: read and write")
		return
	}
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("no buttons for the lessons")
	}
}
