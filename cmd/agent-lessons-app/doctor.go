package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/palantir/go-githubapp/githubapp"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/doctor"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// doctorCmd takes all that serve takes: it looks at what serve would run with.
type doctorCmd struct {
	serveCmd
	Repository string `placeholder:"OWNER/NAME" help:"Look at the rules and the configuration of a repository, too."`
	JSON       bool   `name:"json" help:"Print the findings as JSON."`
}

// lookTime bounds one question.
const lookTime = 15 * time.Second

var errBroken = errors.New("something is broken: see above")

// Run looks, and fails when something is broken.
func (c *doctorCmd) Run(p *program) error {
	if owner, name, ok := strings.Cut(c.Repository, "/"); c.Repository != "" && (!ok || owner == "" || name == "" || strings.Contains(name, "/")) {
		return fmt.Errorf("--repository %q is not OWNER/NAME", c.Repository)
	}
	facts := doctor.Server{Distiller: lookAtDistiller(p.ctx, c.models()), Database: lookAtDatabase(p.ctx, c.place())}
	var credentials app.Credentials
	settings, err := c.settings()
	if err == nil {
		credentials, err = settings.Credentials()
	}
	if err != nil {
		facts.Settings = each(err)
	} else {
		c.lookAtGitHub(p.ctx, credentials, &facts)
	}
	report := facts.Diagnose()
	if c.JSON {
		if err := p.printJSON(report); err != nil {
			return err
		}
	} else {
		report.Print(p.out)
	}
	if !report.Healthy {
		return errBroken
	}
	return nil
}

// each takes joined errors apart.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // as Credentials joins them
		return joined.Unwrap()
	}
	return []error{err}
}

func lookAtDistiller(ctx context.Context, models app.Models) doctor.Distiller {
	auto, err := models.Check()
	out := doctor.Distiller{Auto: auto, Err: err}
	d, _ := distill.Choose(distill.AutoKind, models.Anthropic, models.OpenAI)
	if model, ok := d.(*distill.Model); ok && err == nil {
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		out.Answer, out.Unanswered = model.Reach(ctx)
	}
	return out
}

func lookAtDatabase(ctx context.Context, place queue.Config) doctor.Database {
	ctx, cancel := context.WithTimeout(ctx, 4*lookTime) // a large one takes a while to check
	defer cancel()
	out := doctor.Database{Place: place.Place()}
	backlog, err := queue.Inspect(ctx, place)
	if out.Missing = errors.Is(err, queue.ErrNoDatabase); !out.Missing {
		out.Err = err
	}
	out.Due, out.Parked, out.GaveUp, out.Oldest = backlog.Due, backlog.Waiting-backlog.Due, backlog.GaveUp, backlog.Age
	return out
}

// lookAtGitHub asks as the App, and about the repository as its installation.
func (c *doctorCmd) lookAtGitHub(ctx context.Context, credentials app.Credentials, facts *doctor.Server) {
	creator := githubapp.NewClientCreator(credentials.V3APIURL, credentials.V4APIURL, credentials.AppID, credentials.PrivateKey,
		githubapp.WithClientUserAgent("agent-lessons"), githubapp.WithClientTimeout(lookTime))
	facts.GitHub = &doctor.GitHub{}
	client, err := creator.NewAppClient()
	if err != nil {
		facts.GitHub.Err = err
		return
	}
	lookAtApp(ctx, client, facts.GitHub)
	if c.Repository != "" && facts.GitHub.Err == nil {
		repository := lookAtRepository(ctx, creator, client, c.Repository)
		facts.Repository = &repository
	}
}

func lookAtApp(ctx context.Context, client *github.Client, out *doctor.GitHub) {
	self, response, err := client.Apps.Get(ctx, "")
	if response != nil {
		if theirs, err := http.ParseTime(response.Header.Get("Date")); err == nil {
			out.Drift = time.Since(theirs)
		}
	}
	if err != nil {
		out.Err = said(err)
		return
	}
	out.Slug, out.Events = self.GetSlug(), self.Events
	out.Permissions, err = granted(self.Permissions)
	out.Failed = failed(out.Failed, "the App's permissions", err)
	installations, _, err := client.Apps.ListInstallations(ctx, &github.ListOptions{PerPage: 100})
	out.Failed = failed(out.Failed, "the installations", err)
	for _, in := range installations {
		permissions, err := granted(in.Permissions)
		out.Failed = failed(out.Failed, "the permissions of "+in.GetAccount().GetLogin(), err)
		out.Installations = append(out.Installations, doctor.Installation{Account: in.GetAccount().GetLogin(), Suspended: in.SuspendedAt != nil, Permissions: permissions})
	}
	deliveries, _, err := client.Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 100})
	out.Failed = failed(out.Failed, "the deliveries", err)
	for _, d := range deliveries {
		out.Deliveries = append(out.Deliveries, doctor.Delivery{At: d.GetDeliveredAt().Time, Event: d.GetEvent(), Status: d.GetStatusCode(), Text: d.GetStatus()})
	}
}

// granted are permissions by their names in the API.
func granted(p *github.InstallationPermissions) (map[string]string, error) {
	out := map[string]string{}
	text, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

func failed(all []error, what string, err error) []error {
	if err == nil {
		return all
	}
	return append(all, fmt.Errorf("%s could not be asked for: %w", what, said(err)))
}

// said is an error without its address, which may be long.
func said(err error) error {
	var answer *github.ErrorResponse
	var unsent *url.Error
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		return fmt.Errorf("GitHub answers %d %s", answer.Response.StatusCode, answer.Message)
	case errors.As(err, &unsent):
		return fmt.Errorf("GitHub cannot be reached: %w", unsent.Err)
	}
	return err
}

func lookAtRepository(ctx context.Context, creator githubapp.ClientCreator, client *github.Client, fullName string) doctor.Repository {
	owner, name, _ := strings.Cut(fullName, "/")
	out := doctor.Repository{Name: fullName}
	installation, _, err := client.Apps.FindRepositoryInstallation(ctx, owner, name)
	if err != nil {
		out.Err = fmt.Errorf("the App is not installed there: %w", said(err))
		return out
	}
	if client, err = creator.NewInstallationClient(installation.GetID()); err != nil {
		out.Err = err
		return out
	}
	out.Err = said(lookInside(ctx, review.Repository{Client: client, Owner: owner, Name: name}, &out))
	return out
}

func lookInside(ctx context.Context, r review.Repository, out *doctor.Repository) error {
	repository, _, err := r.Client.Repositories.Get(ctx, r.Owner, r.Name)
	if err != nil {
		return err
	}
	cfg, mistake, err := review.NewConfigs(time.Now).Of(ctx, r)
	if err != nil {
		return err
	}
	out.Archived, out.Mistake, out.Mode, out.Branch = repository.GetArchived(), mistake, cfg.Commit.Mode, cfg.Branch
	if out.Branch == "" {
		out.Branch = repository.GetDefaultBranch()
	}
	// go-github's own method fails for a list with a rule that it does not know.
	request, err := r.Client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/rules/branches/%s?per_page=100",
		url.PathEscape(r.Owner), url.PathEscape(r.Name), url.PathEscape(out.Branch)), nil)
	if err != nil {
		return err
	}
	var rules []struct {
		Type string `json:"type"`
	}
	if _, err := r.Client.Do(ctx, request, &rules); err != nil {
		return err
	}
	for _, rule := range rules {
		out.Rules = append(out.Rules, rule.Type)
	}
	return nil
}
