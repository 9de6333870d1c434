package app

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/answer"
	"github.com/agent-corp/agent-lessons/internal/command"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// The kinds of intents that people give rise to; what follows names the place, or the button.
const (
	kindCommand = "command " // and ledger.InComment, ledger.InRemark or ledger.InReview
	kindPress   = "press "   // and an answer.Press
)

// talkIntake turns what people say on pull requests into intents. It reads the comment in the
// payload, so that the many comments without a command cost nothing.
type talkIntake struct {
	intents intents
	log     zerolog.Logger
	self    func() string // the App's own login, "" while unknown
}

// Handles lists the events; reviews and check runs come by way of the intakes that have them.
func (i *talkIntake) Handles() []string {
	return []string{"issue_comment", "pull_request_review_comment"}
}

// talkPayload holds what intents are made of. Which part there is depends on the event.
type talkPayload struct {
	Action string `json:"action"`
	Issue  *struct {
		Number      int              `json:"number"`
		PullRequest *json.RawMessage `json:"pull_request"` // none of a plain issue
	} `json:"issue"`
	PullRequest *struct {
		Number int `json:"number"`
	} `json:"pull_request"`
	Comment         *said `json:"comment"`
	Review          *said `json:"review"`
	CheckRun        *said `json:"check_run"`
	RequestedAction *struct {
		Identifier answer.Press `json:"identifier"`
	} `json:"requested_action"`
	Repository *struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	} `json:"repository"`
	Installation *struct {
		ID int64 `json:"id"`
	} `json:"installation"`
	Sender *account `json:"sender"`
}

type said struct {
	ID        int64     `json:"id"`
	Body      string    `json:"body"`
	User      *account  `json:"user"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"` // later than CreatedAt for what waited in a pending review
}

// Handle puts an intent on disk where there is a command or a press. It returns errMalformed, or
// the queue's error.
func (i *talkIntake) Handle(ctx context.Context, event, delivery string, body []byte) error {
	var p talkPayload
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	log := i.log.With().Str("delivery", delivery).Str("event", event).Logger()
	in, reason := i.intent(event, p)
	if reason != "" {
		log.Debug().Str("action", p.Action).Str("reason", reason).Msg("nothing to do")
		return nil
	}
	in.Delivery = delivery
	if event == "pull_request_review" {
		in.Delivery += " command" // the delivery itself is the review's
	}
	fresh, err := i.intents.Put(ctx, in)
	if err == nil {
		log.Info().Bool("fresh", fresh).Str("repository", in.FullName).Str("kind", in.Kind).Msg("delivery accepted")
	}
	return err
}

// intent returns the intent of a payload, or the reason why there is none.
func (i *talkIntake) intent(event string, p talkPayload) (queue.Intent, string) {
	if p.Installation == nil || p.Repository == nil {
		return queue.Intent{}, "the payload names no installation or repository"
	}
	in := queue.Intent{Installation: p.Installation.ID, Repository: p.Repository.ID, FullName: p.Repository.FullName}
	if p.PullRequest != nil {
		in.PullRequest = p.PullRequest.Number
	}
	switch event {
	case "issue_comment":
		if p.Issue == nil || p.Issue.PullRequest == nil {
			return in, "it is no pull request's comment"
		}
		in.PullRequest = p.Issue.Number
		return i.command(in, p, "created", ledger.InComment, p.Comment)
	case "pull_request_review_comment":
		return i.command(in, p, "created", ledger.InRemark, p.Comment)
	case "pull_request_review":
		return i.command(in, p, "submitted", ledger.InReview, p.Review)
	default:
		return i.press(in, p)
	}
}

func (i *talkIntake) command(in queue.Intent, p talkPayload, action, place string, s *said) (queue.Intent, string) {
	switch {
	case p.Action != action: // editing does nothing
		return in, "the action says nothing new"
	case s == nil || s.User == nil || in.PullRequest == 0:
		return in, "the payload names no comment, author or pull request"
	case s.User.Type == "Bot" || sameLogin(s.User, i.self()):
		return in, "bots are not answered"
	case len(command.Parse(s.Body)) == 0:
		return in, "it holds no command"
	}
	in.Kind, in.Review, in.Actor, in.At = kindCommand+place, s.ID, s.User.Login, later(s.CreatedAt, s.UpdatedAt)
	return in, ""
}

func (i *talkIntake) press(in queue.Intent, p talkPayload) (queue.Intent, string) {
	switch {
	case p.CheckRun == nil || p.RequestedAction == nil || !p.RequestedAction.Identifier.Known():
		return in, "no button of ours was pressed"
	case p.Sender == nil || p.Sender.Login == "" || p.Sender.Type == "Bot":
		return in, "bots press nothing"
	}
	in.Kind, in.Review, in.Actor = kindPress+string(p.RequestedAction.Identifier), p.CheckRun.ID, p.Sender.Login
	return in, ""
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
