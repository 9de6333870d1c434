// Package ledger writes and reads the product's commit messages: each is the evidence of what
// was done, and its row of statistics (design decision 4, format.md "The commit"). Pure.
package ledger

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Source names the one event that a commit answers; what was done is what the commits say
// (design decision 5).
type Source struct {
	Channel string // a verdict, or "merge-over", "sweep", "withdraw"
	PR      lesson.PullRequest
	Object  string // "review", "check", "merge", or where a person said it; "" for none
	ID      int64  // the object's id on GitHub; 0 for none
}

// Review is the source of lessons from a review.
func Review(pr lesson.PullRequest, id int64) Source {
	return Source{Channel: string(lesson.ChangesRequested), PR: pr, Object: "review", ID: id}
}

// Check is the source of lessons from a check that was fixed: its run, of that id, failed last.
func Check(pr lesson.PullRequest, id int64) Source {
	return Source{Channel: string(lesson.CIFix), PR: pr, Object: "check", ID: id}
}

// The channels of what retires instead of teaching.
const (
	channelMergeOver = "merge-over"
	channelSweep     = "sweep"
	channelWithdraw  = "withdraw" // by a person
	channelEdit      = "edit"     // by a person
)

// Note is the source of what a person keeps on a pull request. The place, which is the object, is
// one of those below; ids of different places may be equal.
func Note(pr lesson.PullRequest, place string, id int64) Source {
	return Source{Channel: string(lesson.FounderNote), PR: pr, Object: place, ID: id}
}

// Withdrawn is the source of what a person retires on a pull request.
func Withdrawn(pr lesson.PullRequest, place string, id int64) Source {
	return Source{Channel: channelWithdraw, PR: pr, Object: place, ID: id}
}

// Edited is the source of another sentence that a person gave a bullet.
func Edited(place string, id int64) Source {
	return Source{Channel: channelEdit, Object: place, ID: id}
}

// ByPerson reports whether s is what Note, Withdrawn or Edited returns.
func (s Source) ByPerson() bool {
	return s.Channel == string(lesson.FounderNote) || s.Channel == channelWithdraw || s.Channel == channelEdit
}

// Where people tell the product what to do.
const (
	InComment = "comment" // in the conversation of a pull request
	InRemark  = "remark"  // in a comment on lines of code
	InReview  = "review"  // in the body of a review
	ByPress   = "press"   // on a check run's button
	OnPage    = "page"    // on the dashboard
)

// MergeOver is the source of withdrawing the evidence of a review that was merged over. A pull
// request is merged once, so that the review names the event.
func MergeOver(review Source) Source {
	return Source{Channel: channelMergeOver, PR: review.PR, Object: review.Object, ID: review.ID}
}

// IsMergeOver reports whether s is what MergeOver returns.
func (s Source) IsMergeOver() bool { return s.Channel == channelMergeOver }

// Sweep is the source of a scheduled pass.
func Sweep() Source { return Source{Channel: channelSweep} }

// String returns the source as its trailer holds it: "changes-requested PR #41 review 1234567".
func (s Source) String() string {
	parts := []string{s.Channel}
	if !s.PR.IsZero() {
		parts = append(parts, s.PR.String())
	}
	if s.Object != "" {
		parts = append(parts, s.Object, strconv.FormatInt(s.ID, 10))
	}
	return strings.Join(parts, " ")
}

const pullPattern = `PR (?:([\w.-]+)/([\w.-]+))?#(\d+)`

var sourcePattern = regexp.MustCompile(`^([a-z][a-z-]*)(?: ` + pullPattern + `)?(?: ([a-z]+) (\d+))?$`)

// ParseSource reads what String wrote.
func ParseSource(text string) (Source, bool) {
	m := sourcePattern.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Source{}, false
	}
	s := Source{Channel: m[1], Object: m[5]}
	s.PR = pullRequest(m[2:5])
	if m[6] != "" {
		id, err := strconv.ParseInt(m[6], 10, 64)
		if err != nil {
			return Source{}, false
		}
		s.ID = id
	}
	return s, true
}

// pullRequest reads the three groups of pullPattern; none where there is no number.
func pullRequest(groups []string) lesson.PullRequest {
	number, err := strconv.Atoi(groups[2])
	if err != nil || number == 0 {
		return lesson.PullRequest{}
	}
	return lesson.PullRequest{Owner: groups[0], Repo: groups[1], Number: number}
}
