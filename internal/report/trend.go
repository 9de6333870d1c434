package report

import (
	"slices"
	"time"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Row is one write: when it was committed, and its numbers.
type Row struct {
	At    time.Time
	Entry ledger.Entry
}

// Week sums the writes of one week in UTC.
type Week struct {
	Monday    lesson.Date
	Appended  int
	Refreshed int
	Active    int // after the week's last write
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

// Weeks returns the newest limit weeks in which something was learned, oldest first. Rows may
// come in any order.
func Weeks(rows []Row, limit int) []Week {
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return a.At.Compare(b.At) })
	var weeks []Week
	for _, r := range rows {
		if r.Entry.Appended+r.Entry.Refreshed == 0 {
			continue
		}
		monday := mondayOf(r.At)
		if n := len(weeks); n == 0 || weeks[n-1].Monday != monday {
			weeks = append(weeks, Week{Monday: monday})
		}
		w := &weeks[len(weeks)-1]
		w.Appended += r.Entry.Appended
		w.Refreshed += r.Entry.Refreshed
		w.Active = r.Entry.Active
	}
	return weeks[max(0, len(weeks)-limit):]
}

func mondayOf(at time.Time) lesson.Date {
	at = at.UTC()
	return lesson.DateOf(at.AddDate(0, 0, -(int(at.Weekday())+6)%7))
}
