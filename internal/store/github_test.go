package store

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-github/v66/github"
)

// What GitHub answers to a write that it does not make, in its own words (github.md 2.2).
func TestRefusedWritesAreToldApart(t *testing.T) {
	t.Parallel()
	race := func(err error) bool { return errors.Is(err, ErrConflict) }
	rule := func(err error) bool { return errors.As(err, new(*RuleError)) }
	refused := func(err error) bool { return errors.As(err, new(*RefusedError)) }
	other := func(err error) bool { return !race(err) && !rule(err) && !refused(err) }
	for _, c := range []struct {
		status  int
		message string
		is      func(error) bool
	}{
		{409, ".agent-corp/lessons.md does not match 5f1c2a", race},
		{409, "is at 9c1b2d but expected 5f1c2a", race},
		{422, "Invalid request.\n\n\"sha\" wasn't supplied.", race},
		{422, "Update is not a fast forward", race},
		{422, "Reference already exists", race},
		{409, "Could not update file: 2 of 2 required status checks are expected. Changes must be made through a pull request.", rule},
		{422, "Could not update file: Changes must be made through a pull request.", rule},
		{409, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n", rule},
		{409, "Repository rule violations found\n\nChanges must be made through the merge queue\n\n", rule},
		{422, "Repository rule violations found\n\nCommits must have verified signatures.\n\n", rule},
		{422, "Reference update failed", rule},
		{403, "Protected branch update failed", other},
		{409, "Repository rule violations found\n\nSecret detected in content\n\n", refused},
		{422, "Validation Failed", other},
		{404, "Not Found", other},
		{500, "Changes must be made through a pull request.", other},
	} {
		err := GitHub{Path: ".agent-corp/lessons.md"}.classify(&github.ErrorResponse{Response: &http.Response{StatusCode: c.status}, Message: c.message})
		if !c.is(err) {
			t.Errorf("%d %q is taken for %T %v", c.status, c.message, err, err)
		}
	}
}
