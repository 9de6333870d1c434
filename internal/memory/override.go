package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// History is the past of the lessons file: the messages of the commits that touched it, newest
// first; the newest page alone when recent is set.
type History interface {
	Messages(ctx context.Context, recent bool) ([]string, error)
}

// File is a lessons file with its past.
type File interface {
	Store
	History
}

// Overruled is a pull request that was merged over changes-requested reviews.
type Overruled struct {
	Reviews []ledger.Source // one or more, all of one pull request
	Date    lesson.Date     // the UTC day of the merge
	Why     []string        // for the commit: who was merged over, and who was spared
}

// Override takes back the evidence of reviews that were merged over (design decision 6): bullets
// that nothing else has earned are retired as overridden, others go back to the evidence that is
// left. Doing it again changes nothing, since the commits tell what was taken back. The entry's
// Bullets say what happened to each bullet.
func (m Memory) Override(ctx context.Context, past History, o Overruled) (Write, error) {
	return m.update(ctx, func(f *lesson.File) (ledger.Entry, []string, error) {
		messages, err := past.Messages(ctx, false)
		if err != nil {
			return ledger.Entry{}, nil, fmt.Errorf("read what the commits say: %w", err)
		}
		var entries []ledger.Entry
		for _, message := range slices.Backward(messages) {
			entries = append(entries, ledger.Parse(message)...)
		}
		entry := ledger.Entry{Source: ledger.MergeOver(o.Reviews[0])}
		for _, also := range o.Reviews[1:] {
			entry.Also = append(entry.Also, ledger.MergeOver(also))
		}
		for _, w := range ledger.Withdraw(f, entries, o.Reviews) {
			withdraw(f, w, o.Date, &entry)
		}
		return entry, o.Why, nil
	})
}

// withdraw applies w to the file and enters it.
func withdraw(f *lesson.File, w ledger.Withdrawal, date lesson.Date, entry *ledger.Entry) {
	touched := ledger.Touched{Handle: w.Bullet.Handle(), What: "taken back", From: w.Bullet.Trailer.Evidence}
	if w.Earned > 0 {
		if f.TakeBack(w.Bullet, w.Shown, w.Earned) {
			entry.Bullets = append(entry.Bullets, touched)
		}
		return
	}
	touched.What = string(lesson.Overridden)
	if f.Retire(w.Bullet, lesson.Overridden, date) {
		entry.Retired++
		entry.Bullets = append(entry.Bullets, touched)
	}
}
