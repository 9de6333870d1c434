package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/cifix"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Bounds of what one push is asked about.
const (
	maxFailed = 10 // earlier commits whose checks are read, the newest
	maxFixes  = 4  // fixed checks whose output is read
	maxPages  = 5  // of any list of check runs or open pull requests
)

// Push is a commit of a pull request on which a check passed.
type Push struct {
	Pull *github.PullRequest
	SHA  string
	// Failed are commits on which checks are known to have failed; nil: any before SHA. Those that are
	// none of the pull request's count where they are among Heads, which are or were its head:
	// else they may be a stranger's, from a fork with a branch of the same name.
	Failed, Heads []string
	Own           string // slug of the App itself, whose checks teach nothing; "" for none
	// Learned reports whether the commits say that the failure was learned from.
	Learned func(ledger.Source) (bool, error)
}

// Fixed is what a push fixed.
type Fixed struct {
	Sources  []ledger.Source // one for each check; empty when there is nothing to learn
	Date     lesson.Date     // the UTC day on which the last of them passed
	From     string          // for the commit: which checks
	Failures []cifix.Failure
	Reason   string   // why there is nothing to learn, or not yet
	Waits    bool     // a check that failed before has not concluded yet
	Earlier  []string // the commits of the pull request whose failures were looked at
}

func unfixed(format string, args ...any) Fixed { return Fixed{Reason: fmt.Sprintf(format, args...)} }

// PullOf finds the open pull request with that head, nil for none: an event of a check names no
// pull request from a fork (github.md 1.5). headRepo narrows it to one head repository; 0 is any.
func (r Repository) PullOf(ctx context.Context, sha string, headRepo int64) (*github.PullRequest, error) {
	options := &github.PullRequestListOptions{State: "open", Sort: "updated", Direction: "desc", ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		pulls, response, err := r.Client.PullRequests.List(ctx, r.Owner, r.Name, options)
		if err != nil {
			return nil, err
		}
		for _, p := range pulls {
			if p.GetHead().GetSHA() == sha && (headRepo == 0 || p.GetHead().GetRepo().GetID() == headRepo) {
				return p, nil
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	return nil, nil
}

// Fixed reads what the push fixed, and what the failed checks said. Checks teach on pull requests
// whose writers have write permission, or are bots that the configuration names: whoever writes the
// code writes what its checks say.
func (r Repository) Fixed(ctx context.Context, cfg config.Config, p Push) (Fixed, error) {
	if !cfg.Teaches(lesson.CIFix) {
		return unfixed("the configuration leaves the channel %s out", lesson.CIFix), nil
	}
	author := p.Pull.GetUser()
	trusted := func(ctx context.Context, login string) (bool, error) {
		if author.GetType() == "Bot" && login == author.GetLogin() && cfg.NamesBot(login) {
			return true, nil
		}
		return r.MayWrite(ctx, login)
	}
	if reason, err := distrust(ctx, WritersOf(p.Pull), "who decides what its checks say", trusted); err != nil || reason != "" {
		return unfixed("%s", reason), err
	}
	commits, err := all(func(page *github.ListOptions) ([]*github.RepositoryCommit, *github.Response, error) {
		return r.Client.PullRequests.ListCommits(ctx, r.Owner, r.Name, p.Pull.GetNumber(), page)
	})
	if err != nil {
		return Fixed{}, err
	}
	at := slices.IndexFunc(commits, func(c *github.RepositoryCommit) bool { return c.GetSHA() == p.SHA })
	if at < 0 {
		return unfixed("the commit is none of the pull request's any more"), nil
	}
	read := checks{Repository: r, own: p.Own, runs: map[string][]*github.CheckRun{}}
	var history []cifix.Commit
	before := p.earlier(commits[:at], commits[at:])
	for _, sha := range append(before, p.SHA) {
		runs, err := read.on(ctx, sha)
		if err != nil {
			return Fixed{}, err
		}
		history = append(history, cifix.Commit{SHA: sha, Runs: runs})
	}
	fixes, waiting := cifix.Fold(history)
	switch {
	case len(fixes) == 0 && len(waiting) == 0:
		return unfixed("no check that failed on an earlier commit passes on this one at once"), nil
	case len(waiting) > 0:
		return Fixed{Waits: true, Earlier: before, Reason: "it waits for what failed before and has not concluded: " + Named(waiting)}, nil
	}
	return read.fixed(ctx, p, commits[:at+1], fixes)
}

// maxNamed bounds the names of checks in a line of text.
const maxNamed = 5

// Named lists names of checks, the first few.
func Named(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// earlier returns the commits whose checks may have failed before, in their order: first those
// that are no commits of the pull request any more, since a push replaced them.
func (p Push) earlier(before, after []*github.RepositoryCommit) []string {
	var out []string
	is := func(list []*github.RepositoryCommit, sha string) bool {
		return slices.ContainsFunc(list, func(c *github.RepositoryCommit) bool { return c.GetSHA() == sha })
	}
	for _, sha := range p.Failed {
		if slices.Contains(p.Heads, sha) && !is(before, sha) && !is(after, sha) {
			out = append(out, sha)
		}
	}
	for _, c := range before {
		if p.Failed == nil || slices.Contains(p.Failed, c.GetSHA()) {
			out = append(out, c.GetSHA())
		}
	}
	return out[max(0, len(out)-maxFailed):]
}

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

// fixed leaves out what was learned before and what the base branch broke or mended, and reads
// what the rest said.
func (c checks) fixed(ctx context.Context, p Push, commits []*github.RepositoryCommit, fixes []cifix.Fix) (Fixed, error) {
	out := unfixed("what it fixed was learned before")
	var names []string
	var latest time.Time
	for _, fix := range fixes {
		source := ledger.Check(lesson.PullRequest{Number: p.Pull.GetNumber()}, fix.Failed[0].ID)
		if done, err := p.Learned(source); err != nil {
			return Fixed{}, err
		} else if done {
			continue
		}
		between := commits[slices.IndexFunc(commits, func(k *github.RepositoryCommit) bool { return k.GetSHA() == fix.Before })+1:]
		if !slices.ContainsFunc(between, func(k *github.RepositoryCommit) bool { return len(k.Parents) < 2 }) {
			out.Reason = fix.Check + " was fixed by the base branch, which was merged in"
			continue
		}
		if onBase, err := c.failedOnBase(ctx, p, fix); err != nil {
			return Fixed{}, err
		} else if onBase {
			out.Reason = fix.Check + " failed on the base branch as well"
			continue
		}
		if len(out.Failures) == maxFixes {
			break
		}
		failure, err := c.failure(ctx, fix, between)
		if err != nil {
			return Fixed{}, err
		}
		out.Sources, out.Failures = append(out.Sources, source), append(out.Failures, failure)
		names = append(names, fmt.Sprintf("%q", fix.Check))
		if fix.At.After(latest) {
			latest = fix.At
		}
	}
	if len(names) > 0 {
		out.Reason, out.Date = "", lesson.DateOf(latest)
		out.From = fmt.Sprintf("the failed check %s, fixed by %.10s,", strings.Join(names, ", "), p.SHA)
	}
	return out, nil
}

// failedOnBase looks at the base branch, and at where the commit that failed had left it.
func (c checks) failedOnBase(ctx context.Context, p Push, fix cifix.Fix) (bool, error) {
	base := p.Pull.GetBase().GetRef()
	refs := []string{base}
	compared, response, err := c.Client.Repositories.CompareCommits(ctx, c.Owner, c.Name, base, fix.Before, &github.ListOptions{PerPage: 1})
	switch {
	case err == nil:
		refs = []string{compared.GetBaseCommit().GetSHA(), compared.GetMergeBaseCommit().GetSHA()} // mostly one
	case !absent(response):
		return false, err
	}
	for _, ref := range refs {
		runs, err := c.on(ctx, ref)
		if err != nil || fix.FailedIn(runs) {
			return err == nil, err
		}
	}
	return false, nil
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
