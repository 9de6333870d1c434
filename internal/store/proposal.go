package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

const (
	// ProposalBranch is the head of the standing pull request (issue 8).
	ProposalBranch = "agent-lessons/memory"
	// Declined is how long nothing is proposed after a person closed the pull request unmerged.
	Declined = 14 * 24 * time.Hour

	proposalTitle = "Lessons from code review"
)

// DeclinedError reports that a person closed the standing pull request unmerged: the file stays as
// it is until then.
type DeclinedError struct {
	Number int
	Until  time.Time
}

// Error names the pull request and the day.
func (e *DeclinedError) Error() string {
	return fmt.Sprintf("the standing pull request #%d was closed unmerged: nothing is proposed before %s", e.Number, e.Until.UTC().Format(time.DateOnly))
}

// Proposal is a lessons file that is written through one standing pull request, where a rule
// forbids the direct write (design decision 13). What is read is the base with everything that is
// pending, so that waiting for the merge loses nothing. The branch is only ever appended to: a
// person's commits on it stay.
type Proposal struct {
	GitHub     // the base
	Cap    int // the most bullets with a trailer that a rebase leaves (lesson.File.Rebase)
	// Describe returns the Markdown body of the pull request that leads from base to pending.
	Describe func(base, pending *lesson.File) string
	Today    time.Time

	seen standing // what the last Read found
}

// standing is the pull request and its branch at one moment.
type standing struct {
	base    Snapshot
	tip     string              // newest commit of the branch; "" when there is none
	stale   bool                // the branch belongs to a pull request that is over
	ahead   bool                // the branch has commits that the base has not
	pull    *github.PullRequest // the open pull request, nil for none
	head    Snapshot            // the file on the branch, while ahead
	rebased []byte              // the file as it would be on a fresh base; nil where the branch can simply be appended to
	foreign string              // a file besides ours that the branch changes, "" for none
}

// head is the file on the standing branch.
func (p *Proposal) head() GitHub {
	g := p.GitHub
	g.Branch = ProposalBranch
	return g
}

// Read returns the file as it would be if the pull request were merged now. It returns a
// *DeclinedError while a person's refusal holds.
func (p *Proposal) Read(ctx context.Context) (Snapshot, error) {
	if err := p.look(ctx); err != nil {
		return Snapshot{}, err
	}
	s := p.seen
	switch {
	case !s.ahead:
		return s.base, nil
	case s.rebased == nil:
		return s.head, nil
	}
	return Snapshot{Content: s.rebased, Exists: true, Version: s.base.Version + " " + s.head.Version}, nil
}

// look reads how things stand, and opens the pull request of a branch that lost its own to a crash.
func (p *Proposal) look(ctx context.Context) error {
	p.seen = standing{}
	s := &p.seen
	if err := p.openPull(ctx); err != nil {
		return err
	}
	var err error
	if s.base, err = p.GitHub.Read(ctx); err != nil || s.tip == "" || s.stale {
		return err
	}
	base, err := p.base(ctx)
	if err != nil {
		return err
	}
	between, response, err := p.Client.Repositories.CompareCommits(ctx, p.Owner, p.Repo, base, ProposalBranch, nil)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return &RefusedError{ProposalBranch, "the branch shares no history with " + base + "; delete it"}
	}
	if err != nil {
		return err
	}
	if s.ahead = between.GetAheadBy() > 0; !s.ahead {
		return nil
	}
	if s.head, err = p.head().Read(ctx); err != nil {
		return err
	}
	for _, f := range between.Files {
		if !p.ours(f.GetFilename()) {
			s.foreign = f.GetFilename()
		}
	}
	if between.GetBehindBy() > 0 {
		at := p.GitHub
		at.Branch = between.GetMergeBaseCommit().GetSHA()
		was, err := at.Read(ctx)
		if err != nil {
			return err
		}
		if was.Version != s.base.Version {
			fresh := lesson.Parse(s.base.Content)
			fresh.Rebase(lesson.Parse(was.Content), lesson.Parse(s.head.Content), p.Cap)
			s.rebased = fresh.Bytes()
		}
	}
	if s.pull == nil {
		return p.propose(ctx, base, s.head.Content)
	}
	return nil
}

func (p *Proposal) ours(path string) bool {
	for _, document := range p.Documents.Paths {
		if path == document {
			return true
		}
	}
	return path == p.Path
}

// openPull finds the branch, and the newest pull request that was made of it.
func (p *Proposal) openPull(ctx context.Context) error {
	s := &p.seen
	ref, response, err := p.Client.Git.GetRef(ctx, p.Owner, p.Repo, "heads/"+ProposalBranch)
	switch {
	case err == nil:
		s.tip = ref.GetObject().GetSHA()
	case response == nil || response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusConflict:
		return err
	}
	pulls, _, err := p.Client.PullRequests.List(ctx, p.Owner, p.Repo, &github.PullRequestListOptions{
		State: "all", Head: p.Owner + ":" + ProposalBranch, ListOptions: github.ListOptions{PerPage: 1}, // newest first
	})
	if err != nil || len(pulls) == 0 {
		return err
	}
	newest := pulls[0]
	if newest.GetState() == "open" {
		s.pull = newest
		return nil
	}
	s.stale = s.tip == newest.GetHead().GetSHA()
	if until := newest.GetClosedAt().Add(Declined); newest.MergedAt == nil && p.Today.Before(until) {
		return &DeclinedError{newest.GetNumber(), until}
	}
	return nil
}

// base returns the name of the branch that the pull request leads to.
func (p *Proposal) base(ctx context.Context) (string, error) {
	if p.Branch != "" {
		return p.Branch, nil
	}
	repository, _, err := p.Client.Repositories.Get(ctx, p.Owner, p.Repo)
	return repository.GetDefaultBranch(), err
}

// Messages returns the messages of the commits on the base and of those that are pending, newest
// first. Whoever asks because a write was cut off finds the pull request opened, too.
func (p *Proposal) Messages(ctx context.Context, recent bool) ([]string, error) {
	if err := p.look(ctx); err != nil && !errors.As(err, new(*DeclinedError)) {
		return nil, err
	}
	landed, err := p.GitHub.Messages(ctx, recent)
	if err != nil {
		return nil, err
	}
	pending, err := p.head().Messages(ctx, recent)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, message := range landed {
		known[message] = true
	}
	var out []string
	for _, message := range pending {
		if !known[message] {
			out = append(out, message)
		}
	}
	return append(out, landed...), nil
}

// Write appends a commit to the standing branch, and opens the pull request or tells it what it
// leads to now. It returns ErrConflict when anything moved since Read.
func (p *Proposal) Write(ctx context.Context, was Snapshot, content []byte, message string) (Commit, error) {
	message = strings.Replace(message, " [skip ci]", "", 1) // required checks would wait forever (github.md 2.4)
	base, err := p.base(ctx)
	if err != nil {
		return Commit{}, err
	}
	commit, err := p.append(ctx, base, was, content, message)
	if err != nil {
		return Commit{}, err
	}
	return commit, p.propose(ctx, base, content)
}

func (p *Proposal) append(ctx context.Context, base string, was Snapshot, content []byte, message string) (Commit, error) {
	s := p.seen
	switch {
	case s.ahead && s.rebased == nil:
		return p.head().Write(ctx, was, content, message)
	case s.ahead && s.foreign != "":
		return Commit{}, &RefusedError{p.Path, fmt.Sprintf("it changed on %s, and the standing pull request #%d changes %s too: merge %s into it, or merge or close it", base, s.pull.GetNumber(), s.foreign, base)}
	case s.ahead:
		return p.merge(ctx, base, content, message)
	}
	if err := p.start(ctx, base); err != nil {
		return Commit{}, err
	}
	return p.head().Write(ctx, was, content, message)
}

// start makes the branch begin at the base's newest commit.
func (p *Proposal) start(ctx context.Context, base string) error {
	tip, _, err := p.Client.Git.GetRef(ctx, p.Owner, p.Repo, "heads/"+base)
	if err != nil {
		return err
	}
	ref := &github.Reference{Ref: github.String("refs/heads/" + ProposalBranch), Object: &github.GitObject{SHA: tip.GetObject().SHA}}
	if p.seen.tip != "" && !p.seen.stale {
		_, _, err = p.Client.Git.UpdateRef(ctx, p.Owner, p.Repo, ref, false)
		return p.classify(err)
	}
	if p.seen.stale { // its commits stay with the pull request that is over
		if _, err := p.Client.Git.DeleteRef(ctx, p.Owner, p.Repo, ref.GetRef()); err != nil {
			return p.classify(err)
		}
	}
	_, _, err = p.Client.Git.CreateRef(ctx, p.Owner, p.Repo, ref)
	return p.classify(err)
}

// merge commits content on top of both the branch and a base that changed the file since.
func (p *Proposal) merge(ctx context.Context, base string, content []byte, message string) (Commit, error) {
	onto := p.GitHub
	onto.Branch = base
	at, found, err := onto.tip(ctx)
	if err != nil || !found {
		return Commit{}, errors.Join(err, ErrConflict)
	}
	lessons, err := at.entry(ctx, p.Path)
	if err != nil {
		return Commit{}, err
	}
	if lessons.GetSHA() != p.seen.base.Version {
		return Commit{}, ErrConflict
	}
	files, notices, err := onto.together(ctx, at, lessons, content)
	if err != nil {
		return Commit{}, err
	}
	at.branch, at.parents = ProposalBranch, []string{p.seen.tip, at.commit}
	commit, err := onto.commit(ctx, at, files, message)
	commit.Notices = notices
	return commit, err
}

// Landed deletes the branch of a pull request that was merged with this head, unless somebody
// pushed to it since.
func (p *Proposal) Landed(ctx context.Context, head string) error {
	ref, response, err := p.Client.Git.GetRef(ctx, p.Owner, p.Repo, "heads/"+ProposalBranch)
	if response != nil && response.StatusCode == http.StatusNotFound || err == nil && ref.GetObject().GetSHA() != head {
		return nil
	}
	if err == nil {
		_, err = p.Client.Git.DeleteRef(ctx, p.Owner, p.Repo, ref.GetRef())
	}
	return err
}

// propose opens the pull request, or brings the description of the open one up to date.
func (p *Proposal) propose(ctx context.Context, base string, pending []byte) error {
	body := p.Describe(lesson.Parse(p.seen.base.Content), lesson.Parse(pending))
	var err error
	if p.seen.pull != nil {
		_, _, err = p.Client.PullRequests.Edit(ctx, p.Owner, p.Repo, p.seen.pull.GetNumber(), &github.PullRequest{Body: &body})
	} else {
		p.seen.pull, _, err = p.Client.PullRequests.Create(ctx, p.Owner, p.Repo, &github.NewPullRequest{
			Title: github.String(proposalTitle), Head: github.String(ProposalBranch), Base: &base, Body: &body,
		})
	}
	if err != nil {
		return fmt.Errorf("the lessons are on branch %s, but their pull request is not up to date: %w", ProposalBranch, err)
	}
	return nil
}
