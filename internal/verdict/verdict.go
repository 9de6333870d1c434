// Package verdict decides which reviews a pull request was merged over, from the reviews and not
// from GitHub's reviewDecision, which is null where no rule requires reviews (design decision 6).
// It is pure.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The states of a review that say something; COMMENTED and PENDING change no verdict.
const (
	Approved         = "APPROVED"
	ChangesRequested = "CHANGES_REQUESTED"
	Dismissed        = "DISMISSED"
)

// Pull is a merged pull request.
type Pull struct {
	MergedAt time.Time
	Head     string // the commit at the head when it was merged
}

// Review is a review as it is now.
type Review struct {
	ID        int64
	Reviewer  string // login; "" for an account that is gone
	State     string // in any case
	Submitted time.Time
	Commit    string     // the head that was reviewed; "" where GitHub no longer has it
	Dismissal *Dismissal // of a DISMISSED review; nil where nobody knows of it
	MayTeach  bool       // design decision 7; of no matter for an approval
}

// Dismissal is how a review was dismissed: its own state no longer tells what it was.
type Dismissal struct {
	By  string // login; "" for an account that is gone
	At  time.Time
	Was string // the state before, in any case
}

// Ruling is what became of the last word of a reviewer who had asked for changes.
type Ruling struct {
	Review Review
	Over   bool   // it was merged over
	Why    string // one line for people
}

// Rule returns a ruling for each reviewer who ever asked for changes before the merge, in the
// order of their last words.
func Rule(p Pull, reviews []Review) []Ruling {
	last := map[string]Review{}
	asked := map[string]bool{}
	for _, r := range slices.SortedStableFunc(slices.Values(reviews), order) {
		who := strings.ToLower(r.Reviewer)
		if who == "" || r.Submitted.After(p.MergedAt) {
			continue
		}
		switch r.at(p.MergedAt) {
		case ChangesRequested:
			asked[who] = true
		case Dismissed:
			asked[who] = asked[who] || r.wasRequest()
		case Approved:
		default:
			continue
		}
		last[who] = r
	}
	var out []Ruling
	for who, r := range last {
		if asked[who] {
			out = append(out, rule(p, r))
		}
	}
	slices.SortFunc(out, func(a, b Ruling) int { return order(a.Review, b.Review) })
	return out
}

func order(a, b Review) int {
	return cmp.Or(a.Submitted.Compare(b.Submitted), cmp.Compare(a.ID, b.ID))
}

// at returns the state that the review had at a time: a later dismissal had not happened yet.
func (r Review) at(t time.Time) string {
	if d := r.Dismissal; d != nil && d.At.After(t) {
		return strings.ToUpper(d.Was)
	}
	return strings.ToUpper(r.State)
}

// wasRequest reports whether a dismissed review had requested changes.
func (r Review) wasRequest() bool {
	return r.Dismissal != nil && strings.EqualFold(r.Dismissal.Was, ChangesRequested)
}

// rule decides about the last word of one reviewer. A dismissed review revives no earlier one.
func rule(p Pull, r Review) Ruling {
	by := "@" + r.Reviewer
	no := func(format string, args ...any) Ruling { return Ruling{Review: r, Why: fmt.Sprintf(format, args...)} }
	over := func(format string, args ...any) Ruling {
		if !r.MayTeach {
			return no("the review by %s stood at the merge, but may not teach", by)
		}
		return Ruling{Review: r, Over: true, Why: fmt.Sprintf(format, args...)}
	}
	switch state := r.at(p.MergedAt); {
	case state == Approved:
		return no("%s approved before the merge", by)
	case state == ChangesRequested:
		return over("the changes that %s requested were still asked for at the merge", by)
	case r.Dismissal == nil:
		return no("the review by %s was dismissed, nobody knows by whom", by)
	case !r.wasRequest():
		return no("the approval by %s was dismissed, which revives no earlier review", by)
	case strings.EqualFold(r.Dismissal.By, r.Reviewer):
		return no("%s took the review back", by)
	case r.Commit == "" || r.Commit != p.Head:
		return no("the review by %s was dismissed after further commits", by)
	default:
		return over("the review by %s was dismissed by %s, and no commit followed it", by, account(r.Dismissal.By))
	}
}

func account(login string) string {
	if login == "" {
		return "an account that is gone"
	}
	return "@" + login
}

// Comment is an inline comment of a review.
type Comment struct {
	// Line is false for a comment on a whole file, which never gets outdated.
	Line bool
	// Outdated is true when the code under the comment changed after the review.
	Outdated bool
}

// Addressed reports whether a review that stood at the merge had been acted on all the same: it
// has at least one comment on a line, and all of those are outdated.
func Addressed(comments []Comment) bool {
	lines := slices.DeleteFunc(slices.Clone(comments), func(c Comment) bool { return !c.Line })
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(c Comment) bool { return !c.Outdated })
}
