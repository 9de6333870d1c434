package actions

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
)

// compare adds to the page what the pull request has to do with the lessons: what it changes in
// their file, and which of them speak of the files that it touches.
func (r *run) compare(ctx context.Context, base *lesson.File, p *page) error {
	files, err := r.pullFiles(ctx)
	if readOnly(err) {
		r.leave("the files of the pull request are not known. Grant pull-requests: read.")
		return nil
	}
	if err != nil {
		return err
	}
	p.touching = report.Touching(base.Bullets(), files)
	target := cmp.Or(r.file.Branch, r.job.pull.GetBase().GetRepo().GetDefaultBranch())
	if !slices.Contains(files, r.file.Path) || r.job.pull.GetBase().GetRef() != target {
		return nil
	}
	head, err := r.proposedFile(ctx)
	if err != nil {
		return err
	}
	p.proposed = true
	p.store = report.Of(head, r.cfg.Rule())
	p.changes = changes(base, head)
	return nil
}

// proposedFile is the lessons file as it would be once the pull request is merged or, where
// GitHub has no such commit (it conflicts, say), as it is at the head.
func (r *run) proposedFile(ctx context.Context) (*lesson.File, error) {
	at := r.file.GitHub
	for _, at.Branch = range []string{r.merged, r.job.pull.GetHead().GetSHA()} {
		if at.Branch == "" {
			continue
		}
		snapshot, err := at.Read(ctx)
		if err != nil || snapshot.Exists {
			return lesson.Parse(snapshot.Content), err
		}
	}
	return lesson.Parse(nil), nil
}

// pullFiles lists the paths that the pull request touches, former names included.
func (r *run) pullFiles(ctx context.Context) ([]string, error) {
	var out []string
	page := &github.ListOptions{PerPage: 100}
	for {
		files, response, err := r.repo.Client.PullRequests.ListFiles(ctx, r.repo.Owner, r.repo.Name, r.job.pull.GetNumber(), page)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			out = append(out, f.GetFilename())
			if former := f.GetPreviousFilename(); former != "" {
				out = append(out, former)
			}
		}
		if response.NextPage == 0 {
			return out, nil
		}
		page.Page = response.NextPage
	}
}

// changes compares two versions of the file bullet by bullet, in the order of the files.
func changes(base, head *lesson.File) []change {
	was := map[string]lesson.Bullet{}
	for _, b := range base.Bullets() {
		was[b.Handle()] = b
	}
	var out []change
	for _, b := range head.Bullets() {
		switch before, known := was[b.Handle()]; {
		case !known:
			out = append(out, change{"adds", b})
		case before.String() != b.String():
			out = append(out, change{"changes", b})
		}
		delete(was, b.Handle())
	}
	for _, b := range base.Bullets() {
		if _, gone := was[b.Handle()]; gone {
			out = append(out, change{"removes", b})
		}
	}
	return out
}

// comment writes the page as the pull request's comment, where one is wanted.
func (r *run) comment(ctx context.Context, p *page) error {
	if r.inputs.comment == never {
		return nil
	}
	s := sticky{repo: r.repo, pull: r.job.pull.GetNumber()}
	existing, err := s.find(ctx)
	if err == nil {
		worth := len(existing) > 0 || p.store.Superfluous > 0 || len(p.changes) > 0 || len(p.touching) > 0
		if r.inputs.comment == auto && !worth {
			r.say("No comment: this pull request has nothing to do with a lesson. comment: always writes one.")
			return nil
		}
		err = s.write(ctx, existing, p.render(maxComment))
	}
	if readOnly(err) {
		r.leave("the comment is in the step's summary instead.")
		return nil
	}
	return err
}
