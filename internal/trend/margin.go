package trend

import (
	"fmt"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Margin is how far the pairs of a store keep from the floor that separates them.
type Margin = report.Margin

// MarginOf measures a file. It is not known where there is no pair to compare.
func MarginOf(file *lesson.File, rule similarity.Rule) *Margin { return report.Of(file, rule).Margin() }

// Series is the trend of one store.
type Series struct {
	Store string // as the user named the repository
	Path  string // of the lessons file
	Rule  similarity.Rule
	Weeks []Week
}

// maxMargins is how many weeks are measured, the newest: each costs a look at the file.
const maxMargins = 26

// Measure adds the margins of the newest weeks.
func (s *Series) Measure(versions Versions) error {
	for i := max(0, len(s.Weeks)-maxMargins); i < len(s.Weeks); i++ {
		content, err := versions(s.Weeks[i].SHA)
		if err != nil {
			return fmt.Errorf("the lessons file at %.10s: %w", s.Weeks[i].SHA, err)
		}
		s.Weeks[i].Margin = MarginOf(lesson.Parse(content), s.Rule)
	}
	return nil
}

// Warning says that the floor no longer separates, "" while it does or where that is not known.
func (s Series) Warning() string {
	since := len(s.Weeks)
	for since > 0 && s.Weeks[since-1].Margin != nil && s.Weeks[since-1].Margin.Closed() {
		since--
	}
	if since == len(s.Weeks) {
		return ""
	}
	m := s.Weeks[len(s.Weeks)-1].Margin
	return fmt.Sprintf("the floor %g hardly separates any more: since the week of %s pairs stand on both sides of it, now at %.4f and %.4f. "+
		"Label pairs (agent-lessons label) and calibrate.", s.Rule.Floor, s.Weeks[since].Monday, m.Below, m.Above)
}
