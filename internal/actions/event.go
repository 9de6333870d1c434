package actions

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/answer"
	"github.com/agent-corp/agent-lessons/internal/ledger"
)

// job is what a run has to do, and about what.
type job struct {
	mode   string
	pull   *github.PullRequest // nil for an event without one
	review int64
	push   push        // of checks that concluded; zero for other events
	said   answer.Said // where a command was given; zero for none
	told   time.Time   // when that was last changed, as the event says; zero where it does not
	why    string      // of a quiet run
}

// jobOf chooses by the event's name, the payload, and the input mode, which overrules both.
func jobOf(event string, payload []byte, mode string) (job, error) {
	j, err := jobOfEvent(event, payload)
	switch {
	case err != nil || mode == auto:
		return j, err
	case mode == learn && j.review == 0 && j.push.sha == "":
		return j, fmt.Errorf("mode learn needs the event pull_request_review, workflow_run, check_run or check_suite, not %s", event)
	case mode == override && j.pull == nil:
		return j, fmt.Errorf("mode override needs the event pull_request, not %s", event)
	}
	j.mode, j.said = mode, answer.Said{} // who overrules the event wants that and no more
	return j, nil
}

func jobOfEvent(event string, payload []byte) (job, error) {
	switch event {
	case "pull_request", "pull_request_target":
		var e github.PullRequestEvent
		if err := decode(event, payload, &e); err != nil {
			return job{}, err
		}
		if e.GetPullRequest().GetNumber() == 0 {
			return job{}, fmt.Errorf("the payload of %s names no pull request", event)
		}
		if e.GetAction() == "closed" {
			return job{mode: override, pull: e.PullRequest}, nil
		}
		return job{mode: metrics, pull: e.PullRequest}, nil
	case "pull_request_review":
		return jobOfReview(payload)
	case "workflow_run", "check_run", "check_suite":
		return jobOfChecks(event, payload)
	case "schedule", "workflow_dispatch":
		return job{mode: sweep}, nil
	case "issue_comment", "pull_request_review_comment":
		return jobOfComment(event, payload)
	default:
		return job{mode: quiet, why: "the event " + event + " asks for nothing; mode: metrics gives the outputs all the same"}, nil
	}
}

// jobOfReview learns from submitted reviews that request changes. Every inline comment comes as
// a review of its own, too, which only comments: whether those teach the configuration says.
func jobOfReview(payload []byte) (job, error) {
	var e github.PullRequestReviewEvent
	if err := decode("pull_request_review", payload, &e); err != nil {
		return job{}, err
	}
	j := job{mode: learn, pull: e.PullRequest, review: e.GetReview().GetID()}
	switch state := e.GetReview().GetState(); {
	case j.pull.GetNumber() == 0 || j.review == 0:
		return job{}, fmt.Errorf("the payload of pull_request_review names no review")
	case e.GetAction() != "submitted":
		j.mode, j.why = quiet, "the review was "+e.GetAction()+", not submitted"
	case !strings.EqualFold(state, "changes_requested") && !strings.EqualFold(state, "commented"):
		j.mode, j.why = quiet, "the review requests no changes"
	}
	if e.GetAction() == "submitted" && commands(e.GetReview().GetUser(), e.GetReview().GetBody()) {
		j.said = answer.Said{Place: ledger.InReview, Pull: j.pull.GetNumber(), ID: j.review}
		if j.mode == quiet {
			j.mode = reply
		}
	}
	return j, nil
}

func decode(event string, payload []byte, into any) error {
	if err := json.Unmarshal(payload, into); err != nil {
		return fmt.Errorf("the payload of %s: %w", event, err)
	}
	return nil
}
