package lesson

import (
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	const a, b = "Close what you open.", "Keep `main` green."
	f := Parse([]byte("- " + a + " (2026-11-02, founder-note)\n- " + a + " (PR #1, 2026-11-01, changes-requested; stale 2026-11-20)\n- " + b + "\n"))
	for handle, want := range map[string]string{
		Handle(a):       "",
		Handle(a)[:3]:   "",
		Handle(b)[:4]:   "",
		"1":             "by the list as it is now it would have meant the handle " + Handle(b), // a person's line is shown first
		"2":             "would have meant the handle " + Handle(a),
		"":              "a handle is eight of the digits",
		"xyz":           "a handle is eight of the digits",
		Handle(a) + "0": "a handle is eight of the digits",
		"ffffffff":      "no bullet has a handle that begins with ffffffff",
	} {
		found, err := f.Resolve(handle, 20)
		switch {
		case want == "" && (err != nil || !strings.HasPrefix(found[0].Handle(), handle)):
			t.Errorf("%q: %v, %v", handle, found, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", handle, err, want)
		}
	}
	if found, _ := f.Resolve(Handle(a), 20); len(found) != 2 {
		t.Errorf("both bullets that say so are meant: %v", found)
	}
}

func TestAShortHandleMustBeUnique(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 40 { // of 40 handles, two begin with the same digit
		lines = append(lines, "- Sentence number "+strings.Repeat("x", i)+" says something. (2026-11-02, founder-note)")
	}
	f := Parse([]byte(strings.Join(lines, "\n") + "\n"))
	for _, digit := range "abcdef" {
		if found, err := f.Resolve(string(digit), 20); err == nil && len(found) != 1 {
			t.Errorf("%c: %v", digit, found)
		} else if err != nil && !strings.Contains(err.Error(), "is short for several handles: ") && !strings.Contains(err.Error(), "no bullet") {
			t.Errorf("%c: %v", digit, err)
		}
	}
}

// Only automation is kept from teaching what a person withdrew.
func TestWhatWasWithdrawnIsNotLearned(t *testing.T) {
	t.Parallel()
	const (
		said  = "Always pass the request's context to outgoing calls, otherwise a cancelled request keeps waiting for the upstream service."
		again = "Outgoing calls must always be passed the request's context, otherwise a cancelled request keeps waiting for the upstream service."
		other = "Bump the schema version after adding a column to the invoices table, or the migration is skipped in production."
	)
	for name, c := range map[string]struct {
		file, sentence string
		verdict        Verdict
		want           OutcomeKind
	}{
		"the same":                  {said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)", said, ChangesRequested, Refused},
		"in other words":            {said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)", again, ChangesRequested, Refused},
		"by a check":                {said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)", again, CIFix, Refused},
		"a note that was withdrawn": {said + " (2026-11-01, founder-note; withdrawn 2026-11-20)", again, ChangesRequested, Refused},
		"a person's note":           {said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)", again, FounderNote, Appended},
		"another lesson":            {said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)", other, ChangesRequested, Appended},
		"retired for other reasons": {said + " (PR #1, 2026-11-01, changes-requested; expired 2026-11-20)", again, ChangesRequested, Appended},
		"said by an active bullet, too": {
			said + " (PR #1, 2026-11-01, changes-requested; withdrawn 2026-11-20)\n- " + said + " (PR #2, 2026-11-02, changes-requested)", again, ChangesRequested, Refreshed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := Parse([]byte("- " + c.file + "\n"))
			date, _ := ParseDate("2026-12-01")
			out := f.Add([]Candidate{{Sentence: c.sentence, Evidence: Evidence{PR: PullRequest{Number: 9}, Date: date, Verdict: c.verdict}}}, similarity.DefaultRule(), 40).Outcomes[0]
			if out.Kind != c.want || (c.want == Refused) != strings.Contains(out.Reason, "a person withdrew "+Handle(said)) {
				t.Errorf("%+v, want %s", out, c.want)
			}
		})
	}
}
