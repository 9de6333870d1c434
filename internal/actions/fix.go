package actions

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/cifix"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// push is a commit on which checks concluded.
type push struct {
	sha      string
	pull     int   // 0 where the event names none, as for forks
	headRepo int64 // 0 where the event does not tell
}

// concluded is what the events of checks have in common.
type concluded struct {
	SHA        string `json:"head_sha"`
	Conclusion string `json:"conclusion"`
	Event      string `json:"event"` // of a workflow run: what started it
	HeadRepo   struct {
		ID int64 `json:"id"`
	} `json:"head_repository"`
	Pulls []struct {
		Number int `json:"number"`
	} `json:"pull_requests"`
}

// jobOfChecks learns when checks conclude. One that fails may be the last that a fix waits for.
func jobOfChecks(event string, payload []byte) (job, error) {
	var e struct {
		Action      string    `json:"action"`
		WorkflowRun concluded `json:"workflow_run"`
		CheckRun    concluded `json:"check_run"`
		CheckSuite  concluded `json:"check_suite"`
	}
	if err := decode(event, payload, &e); err != nil {
		return job{}, err
	}
	c := map[string]concluded{"workflow_run": e.WorkflowRun, "check_run": e.CheckRun, "check_suite": e.CheckSuite}[event]
	j := job{mode: learn, push: push{sha: c.SHA, headRepo: c.HeadRepo.ID}}
	if len(c.Pulls) == 1 {
		j.push.pull = c.Pulls[0].Number
	}
	outcome := cifix.OutcomeOf(c.Conclusion)
	switch {
	case c.SHA == "":
		return job{}, fmt.Errorf("the payload of %s names no commit", event)
	case e.Action != "completed" || outcome != cifix.Passed && outcome != cifix.Failed:
		j.mode, j.why = quiet, "the check neither passed nor failed"
	case c.Event == "pull_request_target":
		j.mode, j.why = quiet, "the workflow ran on the base branch's commit"
	}
	return j, nil
}

// learnFromPush learns from what the push fixed, unless the commits say that it was learned before.
func (r *run) learnFromPush(ctx context.Context) error {
	pull, err := r.pushed(ctx)
	if err != nil {
		return err
	}
	if pull == nil {
		r.tell("Nothing to learn: %.10s is the head of no open pull request.", r.job.push.sha)
		return nil
	}
	fixed, err := r.repo.Fixed(ctx, r.cfg, review.Push{
		Pull: pull, SHA: r.job.push.sha,
		Learned: func(source ledger.Source) (bool, error) { return r.seen[source.String()], nil },
	})
	if forbidden(err) {
		return fmt.Errorf("reading checks: %w; the job needs the permissions checks: read and pull-requests: read", err)
	}
	if err != nil {
		return err
	}
	if len(fixed.Sources) == 0 {
		r.tell("%s: nothing was learned: %s.", numbered(pull), fixed.Reason)
		return nil
	}
	model, err := r.models.choose(r.cfg.Distiller)
	if err != nil {
		r.warn("The extractive distiller stands in: %s", err)
	}
	m := r.memory()
	m.Distiller = cifix.Distiller{Failures: fixed.Failures, Model: model}
	source := fixed.Sources[0]
	result, err := m.Learn(ctx, memory.Event{
		Source:   source,
		Also:     fixed.Sources[1:],
		Evidence: lesson.Evidence{PR: source.PR, Date: fixed.Date, Verdict: lesson.CIFix},
		From:     fixed.From,
		Findings: cifix.Findings(fixed.Failures),
	})
	if readOnly(err) {
		r.leave("what the checks of " + source.PR.String() + " teach is not learned.")
		return nil
	}
	if err != nil {
		return err
	}
	r.learned(source, "the output of "+fixed.From, result)
	return nil
}

// pushed returns the pull request of the push; nil for none.
func (r *run) pushed(ctx context.Context) (*github.PullRequest, error) {
	if r.job.push.pull == 0 {
		return r.repo.PullOf(ctx, r.job.push.sha, r.job.push.headRepo)
	}
	pull, _, err := r.repo.Client.PullRequests.Get(ctx, r.repo.Owner, r.repo.Name, r.job.push.pull)
	return pull, err
}

func forbidden(err error) bool {
	var refused *github.ErrorResponse
	return errors.As(err, &refused) && refused.Response.StatusCode == http.StatusForbidden
}
