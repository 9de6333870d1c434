package actions

import (
	"context"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/report"
)

// readHistory reads from the commits what was done, by whom it may be (design decision 5): for
// the trend, and so that nothing is done twice. A commit that answers an event is younger than
// it, so that the days of the catch-up suffice.
func (r *run) readHistory(ctx context.Context) error {
	r.seen = map[string]bool{}
	options := &github.CommitsListOptions{
		SHA: r.file.Branch, Path: r.file.Path,
		Since:       r.now.AddDate(0, 0, -max(trendDays, r.catchUpDays+1)),
		ListOptions: github.ListOptions{PerPage: 100},
	}
	for {
		commits, response, err := r.repo.Client.Repositories.ListCommits(ctx, r.repo.Owner, r.repo.Name, options)
		if err != nil {
			if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusConflict) {
				return nil // no such branch yet, or an empty repository
			}
			return err
		}
		for _, c := range commits {
			for _, entry := range ledger.Parse(c.GetCommit().GetMessage()) {
				r.rows = append(r.rows, report.Row{At: c.GetCommit().GetCommitter().GetDate().Time, Entry: entry})
				r.see(entry)
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		options.Page = response.NextPage
	}
}
