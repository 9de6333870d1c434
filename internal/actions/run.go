// Package actions is the GitHub Action: one step of a workflow that does what the workflow's
// event asks for, through the same use cases as the App, with the workflow's token.
package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/sethvargo/go-githubactions"

	"github.com/agent-corp/agent-lessons/internal/review"
)

// requestTimeout bounds one request to GitHub.
const requestTimeout = 30 * time.Second

// Step is one step of a workflow: the runner's environment around it.
type Step struct {
	// Getenv has GITHUB_* as the runner sets them, INPUT_* as action.yml does, and the keys of
	// models as the workflow does.
	Getenv func(string) string
	Out    io.Writer // the step's log, where workflow commands are read
	Now    time.Time
}

// ErrReported marks a failure that the log already tells of as an annotation.
var ErrReported = errors.New("see the step's log")

// Run does the step. A token that may not write is no failure: the summary and the log say what
// was left to the next scheduled run. Every error is ErrReported.
func (s Step) Run(ctx context.Context) error {
	toolkit := githubactions.New(githubactions.WithWriter(s.Out), githubactions.WithGetenv(s.Getenv))
	w := workflow{toolkit: toolkit, outputFile: s.Getenv("GITHUB_OUTPUT"), summaryFile: s.Getenv("GITHUB_STEP_SUMMARY")}
	if err := s.run(ctx, w); err != nil {
		w.fail("agent-lessons: %s", err)
		return ErrReported
	}
	return nil
}

func (s Step) run(ctx context.Context, w workflow) error {
	in, err := readInputs(w.toolkit)
	if err != nil {
		return err
	}
	event := s.Getenv("GITHUB_EVENT_NAME")
	var payload []byte
	if name := s.Getenv("GITHUB_EVENT_PATH"); name != "" {
		if payload, err = os.ReadFile(name); err != nil {
			return err
		}
	}
	j, err := jobOf(event, payload, in.mode)
	if err != nil {
		return err
	}
	if j.mode == quiet {
		w.say("Nothing to do: %s.", j.why)
		return nil
	}
	repo, err := s.repository(in.token)
	if err != nil {
		return err
	}
	r := run{workflow: w, inputs: in, job: j, repo: repo, now: s.Now, models: modelsOf(s.Getenv)}
	if event == "pull_request" { // of other events it is not the pull request's
		r.merged = s.Getenv("GITHUB_SHA")
	}
	w.toolkit.Group("agent-lessons: " + j.mode)
	defer w.toolkit.EndGroup()
	return r.do(ctx)
}

// repository is the one that the workflow runs in, by the API that the runner names.
func (s Step) repository(token string) (review.Repository, error) {
	owner, name, ok := strings.Cut(s.Getenv("GITHUB_REPOSITORY"), "/")
	if !ok {
		return review.Repository{}, errors.New("GITHUB_REPOSITORY is not set: this command runs as a step of a workflow")
	}
	api, err := url.Parse(strings.TrimSuffix(cmp.Or(s.Getenv("GITHUB_API_URL"), "https://api.github.com"), "/") + "/")
	if err != nil {
		return review.Repository{}, fmt.Errorf("GITHUB_API_URL: %w", err)
	}
	client := github.NewClient(&http.Client{Timeout: requestTimeout}).WithAuthToken(token)
	client.BaseURL = api
	return review.Repository{Client: client, Owner: owner, Name: name}, nil
}
