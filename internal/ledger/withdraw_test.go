package ledger

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// What retires says more than what teaches, and is read back all the same. The stories of evidence
// that is taken back are told in package memory.
func TestRetirementsRoundTrip(t *testing.T) {
	t.Parallel()
	from := lesson.Evidence{PR: lesson.PullRequest{Number: 30}, Date: day("2026-08-14")}
	note := lesson.Evidence{Date: day("2026-08-14")}
	for _, e := range []Entry{
		{
			Source: MergeOver(Review(lesson.PullRequest{Number: 41}, 1)), Also: []Source{MergeOver(Review(lesson.PullRequest{Number: 41}, 2))},
			Bullets: []Touched{{Handle: "9f3c01ab", What: "taken back", From: from}, {Handle: "04be77d2", What: "overridden", From: note}},
			Retired: 1, Active: 3, Total: 4, Floor: 0.25,
		},
		{
			Source:    Note(lesson.PullRequest{Number: 41}, InRemark, 7),
			Bullets:   []Touched{{Handle: "9f3c01ab", What: "kept"}, {Handle: "04be77d2", What: "restored"}, {Handle: "04be77d3", What: "refreshed", From: note}},
			Refreshed: 1, Active: 3, Total: 4, Floor: 0.25,
		},
		{
			Source:  Withdrawn(lesson.PullRequest{Number: 41}, ByPress, 9),
			Bullets: []Touched{{Handle: "9f3c01ab", What: "withdrawn", From: from}},
			Retired: 1, Active: 3, Total: 4, Floor: 0.25,
		},
		{
			Source: Sweep(),
			Bullets: []Touched{
				{Handle: "9f3c01ab", What: "stale"}, {Handle: "04be77d2", What: "joined", From: note},
				{Handle: "04be77d2", What: "merged", To: "9f3c01ab", From: from}, {Handle: "04be77d2", What: "renamed", To: "9f3c01ac", From: note},
			},
			Retired: 1, Floor: 0.3,
		},
	} {
		if diff := cmp.Diff([]Entry{e}, Parse(Message([]Entry{e}, []string{"Why."}, true)), dates); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
	}
}
