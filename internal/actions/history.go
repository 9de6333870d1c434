package actions

import (
	"context"

	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

// readHistory reads from the commits what was done, by whom it may be (design decision 5): for
// the trend, and so that nothing is done twice. A commit that answers an event is younger than
// it, so that the days of the catch-up suffice.
func (r *run) readHistory(ctx context.Context) error {
	r.seen = map[string]bool{}
	tree := gittree.GitHub{Client: r.repo.Client, Owner: r.repo.Owner, Repo: r.repo.Name, Branch: r.file.Branch}
	commits, err := tree.Commits(ctx, r.file.Path, r.now.AddDate(0, 0, -max(trendDays, r.catchUpDays+1)))
	if err != nil {
		return err
	}
	for _, c := range commits {
		for _, entry := range ledger.Parse(c.Message) {
			r.see(entry)
		}
	}
	r.rows, err = trend.Rows(commits, nil)
	return err
}
