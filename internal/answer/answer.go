// Package answer does what people ask for on a pull request, by a command in a comment or by a
// button on a check run, and tells them what became of it. The App and the Action share it, so that
// both ask the same permission and answer alike.
package answer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/command"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// File is a lessons file with the commits that made it.
type File interface {
	memory.File
	Commits(ctx context.Context, recent bool) ([]ledger.Commit, error)
}

// Desk answers in one repository.
type Desk struct {
	Repo   review.Repository
	Config config.Config
	File   File
	// Distil chooses what distils a comment or a review, which the source names.
	Distil func(ledger.Source) distill.Distiller
	Pause  func(ctx context.Context, n int) error // as memory.Memory's
	Warn   func(error)                            // told of what failed and changes nothing
	Self   string                                 // our own login, whose replies and check runs count
	Now    time.Time                              // dates what carries no time of its own: presses
}

// Answer is what became of a command or a press.
type Answer struct {
	Done    bool   // what was asked for was done, or shown
	Reason  string // one line for the log
	Obeyed  memory.Obeyed
	Ignored bool // nobody was answered
	// Declined says that somebody who may not write asked, and was told so.
	Declined bool
}

func ignored(format string, args ...any) Answer {
	return Answer{Ignored: true, Reason: fmt.Sprintf(format, args...)}
}

func (d Desk) memory() memory.Memory {
	return memory.Memory{Store: d.File, Config: d.Config, Pause: d.Pause}
}

// Command does the command that somebody wrote, once however often it is told of: a reply that
// names the comment says that it was done, and the commits say it where the reply is still to come.
// told is when the comment had last been changed when its event was sent; zero where that is unknown.
func (d Desk) Command(ctx context.Context, said Said, told time.Time) (Answer, error) {
	w, reason, err := d.read(ctx, said)
	if err != nil || reason != "" {
		return ignored("%s", reason), err
	}
	commands := command.Parse(w.body)
	switch {
	case len(commands) == 0:
		return ignored("it holds no command any more"), nil
	case w.user.GetType() == "Bot" || w.user.GetLogin() == "":
		return ignored("bots are not answered"), nil
	}
	may, err := d.Repo.MayWrite(ctx, w.user.GetLogin())
	if err != nil {
		return Answer{}, err
	}
	if !may {
		return d.decline(ctx, said.Pull, w.user.GetLogin(), w.at)
	}
	answers, err := d.answers(ctx, said.Pull, w.at)
	if err != nil {
		return Answer{}, err
	}
	if answers.done[said] {
		return ignored("it was answered before"), nil
	}
	d.acknowledge(ctx, said)
	answer, text, err := d.carryOut(ctx, said, told, w, commands[0])
	if err != nil {
		return answer, err
	}
	if more := len(commands) - 1; more > 0 {
		text += fmt.Sprintf("\n\nThis answers the first command alone. Please give the other %d in comments of their own.", more)
	}
	if err := d.reply(ctx, said.Pull, marker(said, answer.Done)+"\n"+text); err != nil {
		return answer, err
	}
	d.react(ctx, said, answer.Done)
	return answer, nil
}

// declineEvery is how often somebody is told on a pull request that they may not write.
const declineEvery = 24 * time.Hour

// decline answers somebody who may not write: politely, and once a day on a pull request.
func (d Desk) decline(ctx context.Context, pull int, who string, at time.Time) (Answer, error) {
	reason := who + " has no write permission"
	answers, err := d.answers(ctx, pull, at.Add(-declineEvery))
	if err != nil {
		return Answer{}, err
	}
	if answers.declined[strings.ToLower(who)] {
		return Answer{Ignored: true, Declined: true, Reason: reason + ", and was told so"}, nil
	}
	err = d.reply(ctx, pull, declinedMarker(who)+"\nThank you! Lessons of this repository are kept by people who may write to it, "+
		"so nothing was changed. Somebody who may can give the same command.")
	return Answer{Declined: true, Reason: reason}, err
}
