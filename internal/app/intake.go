package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// The kinds of intents.
const (
	kindReview = "review" // to learn from one review
	kindMerge  = "merge"  // to take back what a merge went over
	kindEdit   = "edit"   // to look at a lessons file that a person pushed
	kindCheck  = "check"  // to learn from what a push fixed
	kindSweep  = "sweep"  // to retire what is stale or expired; of the App's own schedule
)

// intents is where an intake puts what is to be done; it returns once the intent is on disk.
type intents interface {
	Put(ctx context.Context, in queue.Intent) (fresh bool, err error)
}

// heads remembers the heads of pull requests, by which the events of checks find theirs.
type heads interface {
	Head(ctx context.Context, repo int64, pull int, shas ...string) error
}

// intake turns deliveries into intents. It decides from the payload alone and calls nobody, so
// the many events that lead to nothing cost nothing (design decision 1).
type intake struct {
	intents intents
	heads   heads
	talk    githubapp.EventHandler // has the commands in reviews
	log     zerolog.Logger
	self    func() string // the App's own login, "" while unknown
	// ignoresComments reports whether a repository has no use for comment-only reviews of login.
	ignoresComments func(fullName, login string, bot bool) bool
}

var errMalformed = errors.New("the payload is not the JSON that this event has")

// payload holds what intents are made of; everything else in a payload is left alone, so that
// unknown values and nulls elsewhere do no harm.
type payload struct {
	Action string `json:"action"`
	Before string `json:"before"` // of a push to a pull request: its head until then
	Review *struct {
		ID          int64     `json:"id"`
		State       string    `json:"state"`
		SubmittedAt time.Time `json:"submitted_at"`
		User        *account  `json:"user"`
	} `json:"review"`
	PullRequest *struct {
		Number   int       `json:"number"`
		User     *account  `json:"user"`
		ClosedAt time.Time `json:"closed_at"`
		Head     struct {
			SHA  string `json:"sha"`
			Repo struct {
				FullName string `json:"full_name"`
			} `json:"repo"` // null where the fork is gone
		} `json:"head"`
	} `json:"pull_request"`
	Repository *struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	} `json:"repository"`
	Installation *struct {
		ID int64 `json:"id"`
	} `json:"installation"`
	Sender *account `json:"sender"`
}

type account struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (a *account) login() string {
	if a == nil {
		return ""
	}
	return a.Login
}

// Handles lists the events that can lead to work; go-githubapp takes one handler for an event.
func (i *intake) Handles() []string { return []string{"pull_request_review", "pull_request"} }

// Handle puts the intent of one delivery on disk. It returns errMalformed, or the queue's error.
func (i *intake) Handle(ctx context.Context, event, delivery string, body []byte) error {
	log := i.log.With().Str("delivery", delivery).Str("event", event).Logger()
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	in, reason := i.intent(event, p)
	if event == "pull_request" && p.PullRequest != nil && p.Repository != nil {
		if err := i.head(ctx, p); err != nil {
			return err
		}
	}
	if event == "pull_request_review" {
		if err := i.talk.Handle(ctx, event, delivery, body); err != nil {
			return err
		}
	}
	if reason != "" {
		log.Debug().Str("action", p.Action).Str("reason", reason).Msg("nothing to do")
		return nil
	}
	in.Delivery = delivery
	fresh, err := i.intents.Put(ctx, in)
	if err != nil {
		return err
	}
	log.Info().Bool("fresh", fresh).Str("repository", in.FullName).Int("pull_request", in.PullRequest).
		Int64("review", in.Review).Msg("delivery accepted")
	return nil
}

// head remembers a pull request's new head.
func (i *intake) head(ctx context.Context, p payload) error {
	shas := []string{p.PullRequest.Head.SHA}
	switch p.Action {
	case "opened", "reopened":
	case "synchronize":
		shas = append(shas, p.Before)
	default:
		return nil
	}
	shas = slices.DeleteFunc(shas, func(sha string) bool { return !isCommit.MatchString(sha) })
	return i.heads.Head(ctx, p.Repository.ID, p.PullRequest.Number, shas...)
}

// intent returns the intent of a payload, or the reason why there is none.
func (i *intake) intent(event string, p payload) (queue.Intent, string) {
	if p.Installation == nil || p.Repository == nil || p.PullRequest == nil {
		return queue.Intent{}, "the payload names no installation, repository or pull request"
	}
	in := queue.Intent{
		Installation: p.Installation.ID,
		Repository:   p.Repository.ID,
		FullName:     p.Repository.FullName,
		PullRequest:  p.PullRequest.Number,
		Actor:        strings.Join(review.Writers(p.PullRequest.User.login(), p.PullRequest.Head.Repo.FullName, p.Repository.FullName), " "),
	}
	if event == "pull_request" {
		in.Kind, in.At = kindMerge, p.PullRequest.ClosedAt
		if p.Action != "closed" {
			return queue.Intent{}, "the action merges nothing"
		}
		return in, "" // whether it was merged is not the payload's to say
	}
	return i.reviewIntent(in, p)
}

func (i *intake) reviewIntent(in queue.Intent, p payload) (queue.Intent, string) {
	switch {
	case p.Action != "submitted":
		return queue.Intent{}, "the action teaches nothing"
	case p.Review == nil:
		return queue.Intent{}, "the payload names no review"
	case p.Review.User == nil:
		return queue.Intent{}, "the reviewer's account is gone"
	case i.own(p.Review.User) || i.own(p.Sender):
		return queue.Intent{}, "it is the App's own event"
	}
	in.Kind, in.Review, in.At = kindReview, p.Review.ID, p.Review.SubmittedAt
	if isCommit.MatchString(p.PullRequest.Head.SHA) {
		in.Head = p.PullRequest.Head.SHA
	}
	switch strings.ToLower(p.Review.State) {
	case "changes_requested":
		return in, ""
	case "commented":
		if i.ignoresComments(in.FullName, p.Review.User.Login, p.Review.User.Type == "Bot") {
			return queue.Intent{}, "the review only comments, and the configuration has no use for that"
		}
		return in, ""
	default:
		return queue.Intent{}, "the review requests no changes"
	}
}

func (i *intake) own(a *account) bool { return sameLogin(a, i.self()) }

// sameLogin reports whether an account has the login; GitHub's ignore case.
func sameLogin(a *account, login string) bool {
	return login != "" && a != nil && strings.EqualFold(a.Login, login)
}

// retryAfter is in seconds.
const retryAfter = "30"

// answerError answers a delivery that was not accepted: GitHub shows it as failed, and it can be
// redelivered.
func answerError(w http.ResponseWriter, r *http.Request, err error) {
	status, message := http.StatusServiceUnavailable, "the delivery could not be stored; redeliver it"
	var invalid githubapp.ValidationError
	if errors.Is(err, queue.ErrFull) {
		message = "too many events wait; redeliver it later"
	}
	if errors.Is(err, errMalformed) || errors.As(err, &invalid) {
		status, message = http.StatusBadRequest, errMalformed.Error()
	}
	zerolog.Ctx(r.Context()).Error().Err(err).Str("delivery", r.Header.Get("X-GitHub-Delivery")).
		Str("event", r.Header.Get("X-GitHub-Event")).Int("status", status).Msg("delivery not accepted")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	http.Error(w, message, status)
}

// answerOK acknowledges: 200 for GitHub's ping, 202 for everything else, known or not.
func answerOK(w http.ResponseWriter, _ *http.Request, event string, _ bool) {
	if event == "ping" {
		w.WriteHeader(http.StatusOK)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}
