package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agent-corp/agent-lessons/internal/command"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// refuse answers that nothing was done, and why.
func refuse(format string, args ...any) (Answer, string, error) {
	why := fmt.Sprintf(format, args...)
	return Answer{Reason: "refused: " + why}, "Nothing was changed: " + prose(why) + ".", nil
}

// carryOut does one command and words the reply. What its event told of, with the time of the last
// change then, is obeyed, not what was written over it since.
func (d Desk) carryOut(ctx context.Context, said Said, told time.Time, w words, c command.Command) (Answer, string, error) {
	if !told.IsZero() && w.changed.After(told) {
		return refuse("the comment was edited before its turn came; give the command in a new one")
	}
	if c.Mistake != "" {
		return refuse("%s; `/lesson help` shows what I understand", c.Mistake)
	}
	switch c.Verb {
	case command.Help:
		return Answer{Done: true, Reason: "helped"}, help, nil
	case command.List:
		return d.list(ctx)
	case command.Why:
		return d.why(ctx, c.Handle)
	}
	if !d.Config.Teaches(lesson.FounderNote) && c.Verb != command.Retire {
		return refuse("the configuration leaves the channel %s out", lesson.FounderNote)
	}
	order := memory.Order{Source: ledger.Note(said.pull(), said.Place, said.ID), By: w.user.GetLogin(), Date: lesson.DateOf(w.at)}
	obeyed, why, err := d.order(ctx, said, w, c, order)
	if why != "" {
		return refuse("%s", why)
	}
	if final := refusal(err); final != "" {
		return refuse("%s", final)
	}
	if err != nil {
		return Answer{}, "", err
	}
	return wordsOf(obeyed)
}

func (d Desk) order(ctx context.Context, said Said, w words, c command.Command, order memory.Order) (done memory.Obeyed, why string, err error) {
	m := d.memory()
	switch c.Verb {
	case command.Keep:
		wanted, why, err := d.distilled(ctx, said, w)
		if err != nil || why != "" {
			return done, why, err
		}
		done, err = m.Keep(ctx, d.File, order, wanted...)
		return done, "", err
	case command.Retire:
		order.Source, order.Reason = ledger.Withdrawn(said.pull(), said.Place, said.ID), c.Text
		done, err = m.Withdraw(ctx, d.File, order, c.Handle)
	case command.Restore:
		done, err = m.Restore(ctx, d.File, order, c.Handle)
	default:
		done, err = m.Note(ctx, d.File, order, c.Text)
	}
	return done, "", err
}

// refusal returns what a person is told of an error that only a person can end, "" for others.
func refusal(err error) string {
	var (
		refused  *store.RefusedError
		rule     *store.RuleError
		declined *store.DeclinedError
	)
	if errors.As(err, &refused) || errors.As(err, &rule) || errors.As(err, &declined) {
		return err.Error()
	}
	return ""
}

// distilled returns what the inline comment teaches that a command replies to.
func (d Desk) distilled(ctx context.Context, said Said, w words) ([]memory.Wanted, string, error) {
	if said.Place != ledger.InRemark || w.replyTo == 0 {
		return nil, "`/lesson keep` keeps the inline comment that it replies to; elsewhere write the sentence: /lesson …", nil
	}
	c, response, err := d.Repo.Client.PullRequests.GetComment(ctx, d.Repo.Owner, d.Repo.Name, w.replyTo)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return nil, "the comment that it replies to is gone", nil
	}
	if err != nil {
		return nil, "", err
	}
	if c.GetUpdatedAt().After(w.changed) { // what was asked to be kept is not what it says now
		return nil, "the comment that it replies to was edited after the command; read it again, and give the command anew", nil
	}
	source := ledger.Note(said.pull(), said.Place, said.ID)
	result, err := d.Distil(source).Distill(ctx, []distill.Finding{{Path: c.GetPath(), Line: c.GetLine(), Body: command.Without(c.GetBody())}})
	if err != nil {
		return nil, "", fmt.Errorf("distil: %w", err)
	}
	var wanted []memory.Wanted
	for _, l := range result.Lessons {
		if checked := guard.Check(l.Text); !checked.Refused {
			wanted = append(wanted, memory.Wanted{Handle: lesson.Handle(checked.Sentence), Sentence: checked.Sentence})
		}
	}
	switch {
	case len(wanted) > 0:
		return wanted, "", nil
	case len(result.Refused) > 0:
		return nil, "the guard refuses what the comment says: " + result.Refused[0].Reason, nil
	}
	return nil, "the comment holds nothing that makes a lesson by itself; write the sentence: /lesson …", nil
}
