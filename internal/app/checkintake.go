package app

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/cifix"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// checks remembers failed checks between restarts; see package queue.
type checks interface {
	heads
	Failed(ctx context.Context, k queue.Check) error
	Passed(ctx context.Context, k queue.Check) (pull int, fixes bool, err error)
	IsHead(ctx context.Context, repo int64, sha string) (bool, error)
	Silent(ctx context.Context, k queue.Check) error
	Fixing(ctx context.Context, repo int64, sha string) (bool, error)
	Awaited(ctx context.Context, k queue.Check) (bool, error)
	Pending(ctx context.Context, k queue.Check) ([]string, error)
	Unlearned(ctx context.Context, repo int64, pull int) ([]string, error)
	Failures(ctx context.Context, repo int64, pull int, sha string) (failed, heads []string, err error)
	Learned(ctx context.Context, repo int64, sha string) error
	Closed(ctx context.Context, repo int64, pull int) error
}

// checkIntake turns the events of checks into intents. There are hundreds of them for a push, of
// which hardly any teaches: it decides from the payload and the failures that it remembers, and
// calls nobody (issue 4).
type checkIntake struct {
	intents intents
	checks  checks
	talk    githubapp.EventHandler // has the presses of buttons
	log     zerolog.Logger
	self    func() string // the App's own login, "" while unknown
	now     func() time.Time
}

// awaitChecks is how long what a push fixed waits for the other checks that had failed: some begin
// only when others have passed, and some never again.
const awaitChecks = 6 * time.Hour

// Handles lists the events. A workflow run concludes after the check runs of its jobs.
func (i *checkIntake) Handles() []string { return []string{"check_run", "workflow_run"} }

// checkPayload holds what is decided by; conclusions have more values than are documented.
type checkPayload struct {
	Action   string `json:"action"`
	CheckRun *struct {
		checkFields
		CompletedAt time.Time `json:"completed_at"`
		App         struct {
			Slug string `json:"slug"`
		} `json:"app"`
		Suite struct {
			Branch string `json:"head_branch"`
		} `json:"check_suite"`
	} `json:"check_run"`
	WorkflowRun *struct {
		checkFields
		UpdatedAt time.Time `json:"updated_at"`
		Event     string    `json:"event"`
		Branch    string    `json:"head_branch"`
	} `json:"workflow_run"`
	Repository *struct {
		ID            int64  `json:"id"`
		FullName      string `json:"full_name"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	Installation *struct {
		ID int64 `json:"id"`
	} `json:"installation"`
}

type checkFields struct {
	Name       string `json:"name"`
	SHA        string `json:"head_sha"`
	Conclusion string `json:"conclusion"`
	Pulls      []struct {
		Number int `json:"number"`
		Base   struct {
			Repo struct {
				ID int64 `json:"id"`
			} `json:"repo"`
		} `json:"base"`
	} `json:"pull_requests"`
}

// isCommit matches the id of a commit, SHA-1 or SHA-256.
var isCommit = regexp.MustCompile(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)

const maxCheckName = 300 // bytes; GitHub's names are shorter

// concluded is a check that concluded, as its event tells.
type concluded struct {
	queue.Check
	outcome cifix.Outcome
	at      time.Time
}

// Handle puts an intent on disk where a push may have fixed something. It returns errMalformed, or
// the database's error.
func (i *checkIntake) Handle(ctx context.Context, event, delivery string, body []byte) error {
	var p checkPayload
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	if p.Action == "requested_action" {
		return i.talk.Handle(ctx, event, delivery, body)
	}
	log := i.log.With().Str("delivery", delivery).Str("event", event).Logger()
	k, reason := i.read(p)
	var (
		pull int
		err  error
	)
	if reason == "" {
		if pull, reason, err = i.decide(ctx, k, p.Repository.DefaultBranch); err != nil {
			return err
		}
	}
	if reason != "" {
		log.Debug().Str("action", p.Action).Str("reason", reason).Msg("nothing to do")
		return nil
	}
	pending, err := i.checks.Pending(ctx, k.Check)
	if err != nil {
		return err
	}
	in := queue.Intent{
		Delivery: delivery, Kind: kindCheck, Installation: p.Installation.ID, Repository: k.Repository,
		FullName: p.Repository.FullName, PullRequest: pull, Head: k.SHA, At: k.at,
	}
	if len(pending) > 0 { // one for the head, should they not conclude
		in.Delivery, in.NotBefore = fmt.Sprintf("checks of %d on %s", k.Repository, k.SHA), i.now().Add(awaitChecks)
		reason = "it waits for what failed before and has not concluded: " + review.Named(pending)
	}
	fresh, err := i.intents.Put(ctx, in)
	if err == nil {
		log.Info().Bool("fresh", fresh).Str("repository", p.Repository.FullName).Int("pull_request", pull).Str("head", k.SHA).
			Str("reason", reason).Msg("delivery accepted")
	}
	return err
}

// read returns the check of a payload, or why it teaches nothing whatever came before.
func (i *checkIntake) read(p checkPayload) (concluded, string) {
	if p.Installation == nil || p.Repository == nil || p.CheckRun == nil && p.WorkflowRun == nil {
		return concluded{}, "the payload names no installation, repository or check"
	}
	if p.Action != "completed" {
		return concluded{}, "the check did not conclude"
	}
	k := concluded{Check: queue.Check{Repository: p.Repository.ID}}
	var fields checkFields
	if run := p.CheckRun; run != nil {
		fields = run.checkFields
		k.Name, k.Branch, k.at = run.App.Slug+"/"+run.Name, run.Suite.Branch, run.CompletedAt
		if self := i.self(); self != "" && strings.EqualFold(run.App.Slug+"[bot]", self) {
			return k, "it is the App's own check"
		}
	} else {
		run := p.WorkflowRun
		fields = run.checkFields
		k.Name, k.Branch, k.at = "workflow "+run.Name, run.Branch, run.UpdatedAt
		if run.Event == "pull_request_target" {
			return k, "its head is the base branch's" // github.md 1.5
		}
	}
	k.SHA, k.outcome = fields.SHA, cifix.OutcomeOf(fields.Conclusion)
	if !isCommit.MatchString(k.SHA) || len(k.Name) > maxCheckName {
		return k, "it names no commit, or has no name"
	}
	for _, pull := range fields.Pulls {
		if id := pull.Base.Repo.ID; pull.Number > 0 && (id == 0 || id == k.Repository) && !slices.Contains(k.Pulls, pull.Number) {
			k.Pulls = append(k.Pulls, pull.Number)
		}
	}
	return k, ""
}

// decide takes note of the check, and returns the reason why there is nothing to learn by it: "" where
// it fixed something, or concluded, as a lesson waits for it to.
func (i *checkIntake) decide(ctx context.Context, k concluded, defaultBranch string) (pull int, reason string, err error) {
	if len(k.Pulls) == 0 && k.Branch == defaultBranch { // a fork's branch can have that name, too
		if head, err := i.checks.IsHead(ctx, k.Repository, k.SHA); err != nil || !head {
			return 0, "it is on the default branch", err
		}
	}
	if len(k.Pulls) > 0 {
		pull = k.Pulls[0]
	}
	switch k.outcome {
	case cifix.Passed:
		if of, fixes, err := i.checks.Passed(ctx, k.Check); err != nil || fixes {
			return of, "", err
		}
	case cifix.Failed:
		err = i.checks.Failed(ctx, k.Check)
	default:
		err = i.checks.Silent(ctx, k.Check)
	}
	if err != nil {
		return 0, "", err
	}
	if fixing, err := i.checks.Fixing(ctx, k.Repository, k.SHA); err != nil || !fixing {
		return 0, "nothing failed before that it could have fixed", err
	}
	if awaited, err := i.checks.Awaited(ctx, k.Check); err != nil || !awaited {
		return 0, "no lesson waits for this check", err
	}
	return pull, "", nil
}
