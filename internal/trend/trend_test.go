package trend

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

func TestWeeks(t *testing.T) {
	t.Parallel()
	at := func(day string) time.Time {
		when, err := time.Parse(time.DateTime, day)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	monday := func(day string) lesson.Date { return lesson.DateOf(at(day + " 00:00:00")) }
	rows := []Row{ // as GitHub lists commits, newest first
		{At: at("2026-11-23 00:00:00"), SHA: "e", Entry: ledger.Entry{Appended: 1, Refreshed: 3, Active: 9}},
		{At: at("2026-11-22 23:59:59"), Entry: ledger.Entry{Refreshed: 1, Active: 8}},
		{At: at("2026-11-20 08:00:00"), Entry: ledger.Entry{}}, // of a message that lost its numbers
		{At: at("2026-11-16 08:00:00"), Entry: ledger.Entry{Appended: 1, Active: 7}},
		{At: at("2026-11-10 08:00:00"), Entry: ledger.Entry{Retired: 4, Evicted: 1, Active: 6}}, // a sweep teaches nothing
		{At: at("2026-10-30 08:00:00"), Entry: ledger.Entry{Appended: 2, Active: 10}},
	}
	want := []Week{
		{Monday: monday("2026-10-26"), Appended: 2, Active: 10},
		{Monday: monday("2026-11-09"), Retired: 4, Evicted: 1, Active: 6},
		{Monday: monday("2026-11-16"), Appended: 1, Refreshed: 1, Active: 8},
		{Monday: monday("2026-11-23"), Appended: 1, Refreshed: 3, Active: 9, SHA: "e"},
	}
	dates := cmp.AllowUnexported(lesson.Date{})
	if diff := cmp.Diff(want, Weeks(rows), dates); diff != "" {
		t.Errorf("weeks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[2:], Learned(Weeks(rows), 2), dates); diff != "" {
		t.Errorf("the newest two (-want +got):\n%s", diff)
	}
	if share, known := RefreshShare(want...); !known || share != 0.5 {
		t.Errorf("share %v, %v", share, known)
	}
	if _, known := RefreshShare(); known {
		t.Error("a share of nothing is known")
	}
}
