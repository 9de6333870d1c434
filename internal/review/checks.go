package review

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/cifix"
)

// checks reads the check runs of commits, each commit's once.
type checks struct {
	Repository
	own  string
	runs map[string][]*github.CheckRun
}

func (c checks) on(ctx context.Context, ref string) ([]cifix.Run, error) {
	if _, known := c.runs[ref]; !known {
		filter := "all" // re-runs, too: what fails and passes on one commit is a flake
		options := &github.ListCheckRunsOptions{Filter: &filter, ListOptions: github.ListOptions{PerPage: 100}}
		c.runs[ref] = []*github.CheckRun{}
		for range maxPages {
			list, response, err := c.Client.Checks.ListCheckRunsForRef(ctx, c.Owner, c.Name, ref, options)
			if err != nil && absent(response) {
				break // a commit that a push has replaced can be gone
			}
			if err != nil {
				return nil, err
			}
			c.runs[ref] = append(c.runs[ref], list.CheckRuns...)
			if response.NextPage == 0 {
				break
			}
			options.Page = response.NextPage
		}
	}
	var out []cifix.Run
	for _, run := range c.runs[ref] {
		if slug := run.GetApp().GetSlug(); c.own == "" || !strings.EqualFold(slug, c.own) {
			out = append(out, cifix.Run{ID: run.GetID(), App: slug, Name: run.GetName(), Conclusion: run.GetConclusion(), Completed: run.GetCompletedAt().Time})
		}
	}
	return out, nil
}

func absent(response *github.Response) bool {
	return response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusUnprocessableEntity)
}

// failure reads what the first leg of the failed check said, and what the commits since did.
func (c checks) failure(ctx context.Context, fix cifix.Fix, between []*github.RepositoryCommit) (cifix.Failure, error) {
	f := cifix.Failure{Check: fix.Check}
	plain := true
	for _, k := range between {
		subject, _, _ := strings.Cut(k.GetCommit().GetMessage(), "\n")
		f.Subjects = append(f.Subjects, subject)
		plain = plain && len(k.Parents) < 2
	}
	if plain { // else the base branch's files would be among them
		compared, response, err := c.Client.Repositories.CompareCommits(ctx, c.Owner, c.Name, fix.Before, fix.After, &github.ListOptions{PerPage: 1})
		if err != nil && !absent(response) {
			return f, err
		}
		if err == nil {
			for _, file := range compared.Files {
				f.Touched = append(f.Touched, file.GetFilename())
			}
		}
	}
	id := fix.Failed[0].ID
	var run *github.CheckRun
	for _, runs := range c.runs {
		for _, candidate := range runs {
			if candidate.GetID() == id {
				run = candidate
			}
		}
	}
	f.Title, f.Summary, f.Text = run.GetOutput().GetTitle(), run.GetOutput().GetSummary(), run.GetOutput().GetText()
	if run.GetOutput().GetAnnotationsCount() > 0 {
		annotations, _, err := c.Client.Checks.ListCheckRunAnnotations(ctx, c.Owner, c.Name, id, &github.ListOptions{PerPage: 100})
		if err != nil {
			return f, err
		}
		for _, a := range annotations {
			f.Annotations = append(f.Annotations, cifix.Annotation{Path: a.GetPath(), Line: a.GetStartLine(), Level: a.GetAnnotationLevel(), Title: a.GetTitle(), Message: a.GetMessage()})
		}
	}
	if fix.App == "github-actions" {
		return f, c.step(ctx, id, &f)
	}
	return f, nil
}

// step reads which step of a workflow's job failed. Without the permission it stays unknown.
func (c checks) step(ctx context.Context, id int64, f *cifix.Failure) error {
	job, _, err := c.Client.Actions.GetWorkflowJobByID(ctx, c.Owner, c.Name, id)
	var refused *github.ErrorResponse // rate limits have types of their own
	if errors.As(err, &refused) && (refused.Response.StatusCode == http.StatusForbidden || refused.Response.StatusCode == http.StatusNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, s := range job.Steps {
		if s.GetConclusion() == "failure" {
			f.Step = s.GetName()
		}
	}
	return nil
}
