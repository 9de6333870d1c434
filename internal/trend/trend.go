// Package trend reads from the commits how a store develops: how much of what is learned was known
// already, how large the store is, what leaves it, and whether the floor still separates. It renders
// what it reads. Pure.
package trend

import (
	"slices"
	"time"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Row is one write: when it was committed, and its numbers.
type Row struct {
	At    time.Time
	SHA   string // the commit
	Entry ledger.Entry
}

// Week sums the writes of one week in UTC.
type Week struct {
	Monday    lesson.Date
	Appended  int
	Refreshed int
	Retired   int
	Evicted   int
	Active    int     // after the week's last write
	SHA       string  // the week's last commit
	Margin    *Margin // of the file after that commit; nil where it was not measured
}

// RefreshShare is refreshed ÷ (appended + refreshed) over the weeks, from 0 to 1. It is not
// known where nothing was learned.
func RefreshShare(weeks ...Week) (share float64, known bool) {
	appended, refreshed := 0, 0
	for _, w := range weeks {
		appended += w.Appended
		refreshed += w.Refreshed
	}
	if appended+refreshed == 0 {
		return 0, false
	}
	return float64(refreshed) / float64(appended+refreshed), true
}

// Weeks returns the weeks with writes, oldest first. Rows may come in any order. A row without
// numbers of the file leaves the size that was known.
func Weeks(rows []Row) []Week {
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return a.At.Compare(b.At) })
	var weeks []Week
	active := 0
	for _, r := range rows {
		monday := mondayOf(r.At)
		if n := len(weeks); n == 0 || weeks[n-1].Monday != monday {
			weeks = append(weeks, Week{Monday: monday})
		}
		if r.Entry.Active > 0 || r.Entry.Total > 0 {
			active = r.Entry.Active
		}
		w := &weeks[len(weeks)-1]
		w.Appended += r.Entry.Appended
		w.Refreshed += r.Entry.Refreshed
		w.Retired += r.Entry.Retired
		w.Evicted += r.Entry.Evicted
		w.Active, w.SHA = active, r.SHA
	}
	return weeks
}

// Learned returns the newest limit weeks in which something was learned.
func Learned(weeks []Week, limit int) []Week {
	learned := slices.DeleteFunc(slices.Clone(weeks), func(w Week) bool { return w.Appended+w.Refreshed == 0 })
	return learned[max(0, len(learned)-limit):]
}

func mondayOf(at time.Time) lesson.Date {
	at = at.UTC()
	return lesson.DateOf(at.AddDate(0, 0, -(int(at.Weekday())+6)%7))
}
