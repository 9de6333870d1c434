package memory

import (
	"context"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Tree is a repository's files and their past, as the default branch has them; never the disk,
// which a sparse checkout thins out.
type Tree interface {
	// Files lists the paths of all files and submodules.
	Files(ctx context.Context) ([]string, error)
	// Past tells of a name that is no file now. A name without a slash is sought in all folders.
	Past(ctx context.Context, name string) (lesson.Past, error)
}

// Swept is what a sweep did.
type Swept struct {
	Write
	Changes []lesson.Swept
	Spared  []string // names that could not be proven gone, and where renamed files are now
}

// Sweep retires active bullets that are expired or stale today, and does what the configuration's
// sweep section asks for. Without a tree nothing is stale.
func (m Memory) Sweep(ctx context.Context, tree Tree, today lesson.Date) (Swept, error) {
	return Swept{}, nil
}
