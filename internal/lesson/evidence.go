package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Date is a UTC calendar day. The zero Date is "no date" and sorts before every other.
type Date struct{ t time.Time }

const dateLayout = "2006-01-02"

// DateOf returns the UTC day of t (design decision 11).
func DateOf(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	y, m, d := t.UTC().Date()
	return Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

// ParseDate reads YYYY-MM-DD and refuses days that do not exist.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(dateLayout, s)
	if err != nil {
		return Date{}, fmt.Errorf("date %q is not YYYY-MM-DD", s)
	}
	if t.Year() < 1970 {
		return Date{}, fmt.Errorf("date %q is before 1970", s)
	}
	return Date{t}, nil
}

// IsZero reports whether d is "no date".
func (d Date) IsZero() bool { return d.t.IsZero() }

// Before reports whether d is an earlier day than e.
func (d Date) Before(e Date) bool { return d.t.Before(e.t) }

// DaysSince returns the number of days from e to d; negative when d is earlier.
func (d Date) DaysSince(e Date) int { return int(d.t.Sub(e.t).Hours() / 24) }

// String returns YYYY-MM-DD, or "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.t.Format(dateLayout)
}

// MarshalText writes YYYY-MM-DD, or nothing for the zero Date.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Verdict is the channel that produced a bullet.
type Verdict string

// The verdicts of format.md's grammar.
const (
	ChangesRequested Verdict = "changes-requested"
	CIFix            Verdict = "ci-fix"
	FounderNote      Verdict = "founder-note"
	Finding          Verdict = "finding"
)

// Verdicts lists every known verdict in the order of the grammar.
var Verdicts = []Verdict{ChangesRequested, CIFix, FounderNote, Finding}

// Known reports whether v is a verdict of the grammar.
func (v Verdict) Known() bool {
	return slices.Contains(Verdicts, v)
}

// PullRequest names the pull request that earned a bullet. The zero value is "none".
// Owner and Repo are empty when the pull request is one of the store's own repository.
type PullRequest struct {
	Owner, Repo string
	Number      int
}

// IsZero reports whether no pull request is named.
func (p PullRequest) IsZero() bool { return p.Number == 0 }

// String returns "PR #41" or "PR owner/repo#41", and "" for none.
func (p PullRequest) String() string {
	switch {
	case p.IsZero():
		return ""
	case p.Owner == "":
		return "PR #" + strconv.Itoa(p.Number)
	default:
		return "PR " + p.Owner + "/" + p.Repo + "#" + strconv.Itoa(p.Number)
	}
}

// Same reports whether p and q are one pull request; GitHub's names ignore case.
func (p PullRequest) Same(q PullRequest) bool {
	return p.Number == q.Number && strings.EqualFold(p.Owner, q.Owner) && strings.EqualFold(p.Repo, q.Repo)
}

// Evidence is one event that earned a bullet.
type Evidence struct {
	PR      PullRequest
	Date    Date
	Verdict Verdict
}
