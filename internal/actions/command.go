package actions

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/answer"
	"github.com/agent-corp/agent-lessons/internal/command"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// jobOfComment answers commands in new comments by people on pull requests.
func jobOfComment(event string, payload []byte) (job, error) {
	var e struct {
		Action string `json:"action"`
		Issue  struct {
			Number      int                      `json:"number"`
			PullRequest *github.PullRequestLinks `json:"pull_request"`
		} `json:"issue"`
		PullRequest *github.PullRequest `json:"pull_request"`
		Comment     struct {
			ID        int64        `json:"id"`
			Body      string       `json:"body"`
			User      *github.User `json:"user"`
			UpdatedAt time.Time    `json:"updated_at"`
		} `json:"comment"`
	}
	if err := decode(event, payload, &e); err != nil {
		return job{}, err
	}
	said := answer.Said{Place: ledger.InRemark, Pull: e.PullRequest.GetNumber(), ID: e.Comment.ID}
	if event == "issue_comment" {
		said.Place, said.Pull = ledger.InComment, e.Issue.Number
	}
	switch {
	case said.Pull == 0 || said.ID == 0:
		return job{}, fmt.Errorf("the payload of %s names no comment", event)
	case event == "issue_comment" && e.Issue.PullRequest == nil:
		return job{mode: quiet, why: "it is no pull request's comment"}, nil
	case e.Action != "created":
		return job{mode: quiet, why: "the comment was " + e.Action + ", not created"}, nil
	case !commands(e.Comment.User, e.Comment.Body):
		return job{mode: quiet, why: "the comment holds no command by a person"}, nil
	}
	return job{mode: reply, said: said, told: e.Comment.UpdatedAt}, nil
}

// commands reports whether a person gives a command in the text.
func commands(by *github.User, text string) bool {
	return by.GetType() != "Bot" && len(command.Parse(text)) > 0
}

// answer does the command that the event tells of, if there is one.
func (r *run) answer(ctx context.Context) error {
	if r.job.said.ID == 0 {
		return nil
	}
	distiller, err := r.models.choose(r.cfg.Distiller)
	if err != nil {
		r.warn("The extractive distiller stands in: %s", err)
	}
	desk := answer.Desk{
		Repo: r.repo, Config: r.cfg, File: r.file, Pause: store.Pause, Now: r.now,
		Distil: func(ledger.Source) distill.Distiller { return distiller },
		Self:   sticky{repo: r.repo}.self(ctx),
		Warn:   func(err error) { r.say("Somebody was not told: %s", err) },
	}
	given, err := desk.Command(ctx, r.job.said, r.job.told)
	if readOnly(err) {
		r.leave("the command is not answered. In the conversation of the pull request it is, as the run for that may write.")
		return nil
	}
	if err != nil {
		return err
	}
	r.tell("The command in %s %d: %s.", r.job.said.Place, r.job.said.ID, given.Reason)
	r.wrote(given.Obeyed.Write)
	return nil
}
