package actions

import (
	"context"
	"errors"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// sweep catches up, and then retires what is stale or expired, even where the former failed.
func (r *run) sweep(ctx context.Context) error {
	missed := r.catchUp(ctx)
	tree := gittree.GitHub{Client: r.repo.Client, Owner: r.repo.Owner, Repo: r.repo.Name, Branch: r.file.Branch}
	swept, err := r.memory().Sweep(ctx, tree, lesson.DateOf(r.now))
	if readOnly(err) {
		r.leave("the sweep is left to the next scheduled run.")
		return missed
	}
	for _, spared := range swept.Spared {
		r.tell("%s, %s.", r.cfg.Path, spared)
	}
	for _, change := range swept.Changes {
		r.say("%s is %s: %s.", change.Bullet.Handle(), change.What, change.Reason)
	}
	r.wrote(swept.Write)
	if err == nil && len(swept.Changes) == 0 {
		r.tell("Nothing to sweep.")
	}
	if documents := swept.Commit.Documents; !swept.Written && len(documents) > 0 {
		r.tell("Brought in step: %s.", strings.Join(documents, ", "))
	}
	return errors.Join(missed, err)
}
