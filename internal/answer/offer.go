package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Press is which button of a check run was pressed: the identifier that GitHub hands back.
type Press string

// The buttons.
const (
	PressKeep  Press = "keep"  // "Keep as my note"
	PressDrop  Press = "drop"  // "Not a lesson"
	PressTeach Press = "teach" // "Teach this"
)

// Known reports whether p is one of our buttons.
func (p Press) Known() bool { return p == PressKeep || p == PressDrop || p == PressTeach }

// GitHub takes labels and identifiers of 20 characters, and descriptions of 40 (github.md 5).
var (
	keepButton  = button{"Keep as my note", "A founder note, in place", PressKeep}
	dropButton  = button{"Not a lesson", "Withdraw it, and do not learn it again", PressDrop}
	teachButton = button{"Teach this", "Keep it as a founder note", PressTeach}
)

type button struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Identifier  Press  `json:"identifier"`
}

// check is a check run as we write it. Its list of buttons is always sent: none takes them away.
type check struct {
	Name       string   `json:"name"`
	HeadSHA    string   `json:"head_sha,omitempty"`
	ExternalID string   `json:"external_id"`
	Status     string   `json:"status"`
	Conclusion string   `json:"conclusion"`
	Output     output   `json:"output"`
	Actions    []button `json:"actions"`
}

type output struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// subject is what a check run is about, as its external id holds it: a button's identifier is too
// short for that.
type subject struct {
	review  ledger.Source
	handle  string
	pressed bool // its buttons are spent
}

func (s subject) String() string {
	state := "open"
	if s.pressed {
		state = "pressed"
	}
	return fmt.Sprintf("lesson %d %d %s %s", s.review.PR.Number, s.review.ID, s.handle, state)
}

var subjectPattern = regexp.MustCompile(`^lesson (\d+) (\d+) ([0-9a-f]{8}) (open|pressed)$`)

func parseSubject(text string) (subject, bool) {
	m := subjectPattern.FindStringSubmatch(text)
	if m == nil {
		return subject{}, false
	}
	number, badNumber := strconv.Atoi(m[1])
	id, badID := strconv.ParseInt(m[2], 10, 64)
	return subject{ledger.Review(lesson.PullRequest{Number: number}, id), m[3], m[4] == "pressed"}, badNumber == nil && badID == nil
}

// Offer sets a check run on the commit head for each lesson of a review, at most two, with the
// buttons that fit what became of it.
func (d Desk) Offer(ctx context.Context, head string, review ledger.Source, outcomes []lesson.Outcome) error {
	for _, o := range outcomes[:min(len(outcomes), distill.MaxLessons)] {
		if err := d.insist(ctx, offer(head, review, o)); err != nil {
			return fmt.Errorf("set a check run: %w", err)
		}
	}
	return nil
}

// maxTries bounds how often a check run is tried to be set: its lesson is learned already, so nobody
// comes back for it.
const maxTries = 3

func (d Desk) insist(ctx context.Context, c check) error {
	for try := 1; ; try++ {
		err := d.write(ctx, http.MethodPost, "check-runs", c)
		var answered *github.ErrorResponse
		if err == nil || try == maxTries || errors.As(err, &answered) && answered.Response.StatusCode < 500 {
			return err
		}
		if paused := d.Pause(ctx, try); paused != nil {
			return err
		}
	}
}

func offer(head string, review ledger.Source, o lesson.Outcome) check {
	handle, title, buttons := o.Bullet.Handle(), "", []button{keepButton, dropButton}
	summary := "> " + prose(o.Sentence) + "\n\n"
	switch {
	case o.Kind == lesson.Refused:
		handle, title, buttons = lesson.Handle(o.Sentence), "Not learned", []button{teachButton}
		if guard.CheckNote(o.Sentence).Refused { // a person's note may not say it either
			buttons = []button{}
		}
		summary += "It was refused: " + prose(o.Reason) + "."
	case o.Kind == lesson.Appended:
		title = "Learned"
		summary += "It is a new lesson, " + "`" + handle + "`."
	case o.Unchanged:
		title = "Known"
		summary += prose(o.Reason) + ":\n\n" + quote(o.Bullet.String())
	default:
		title = "Re-earned"
		summary += "A lesson says so already, and was re-earned: " + prose(o.Reason) + fmt.Sprintf(" (score %.3f).", o.Score) + "\n\n" + quote(o.Bullet.String())
	}
	for _, b := range o.Contradicts {
		summary += "\n\nIt contradicts a lesson that stays:\n\n" + quote(b.String())
	}
	return check{
		Name: "Lesson " + handle, HeadSHA: head, ExternalID: subject{review: review, handle: handle}.String(),
		Status: "completed", Conclusion: "neutral", Output: output{title, summary}, Actions: buttons,
	}
}

func (d Desk) write(ctx context.Context, method, path string, c check) error {
	request, err := d.Repo.Client.NewRequest(method, fmt.Sprintf("repos/%s/%s/%s", url.PathEscape(d.Repo.Owner), url.PathEscape(d.Repo.Name), path), c)
	if err != nil {
		return err
	}
	_, err = d.Repo.Client.Do(ctx, request, nil)
	return err
}
