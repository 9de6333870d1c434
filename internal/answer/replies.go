package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-github/v66/github"
)

// answers are the replies that were given on a pull request, by the markers that begin them.
type answers struct {
	done     map[Said]bool   // whether what was asked for was done
	declined map[string]bool // logins, in lower case, of people who were told that they may not
}

func (a answers) of(said Said) (done, before bool) {
	done, before = a.done[said]
	return done, before
}

// marker begins the reply to a command. It is not shown.
func marker(said Said, done bool) string {
	return fmt.Sprintf("<!-- agent-lessons: %s %d done=%t -->", said.Place, said.ID, done)
}

func declinedMarker(login string) string {
	return fmt.Sprintf("<!-- agent-lessons: may not write: %s -->", strings.ToLower(login))
}

var (
	markerPattern   = regexp.MustCompile(`^<!-- agent-lessons: ([a-z]+) (\d+) done=(true|false) -->`)
	declinedPattern = regexp.MustCompile(`^<!-- agent-lessons: may not write: ([\w-]+) -->`)
)

// answers reads the replies. A person may write a marker as well: only a bot's counts, the App's or
// the workflow's, so that two that work in one repository do not answer twice.
func (d Desk) answers(ctx context.Context, pull int) (answers, error) {
	out := answers{map[Said]bool{}, map[string]bool{}}
	page := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		comments, response, err := d.Repo.Client.Issues.ListComments(ctx, d.Repo.Owner, d.Repo.Name, pull, page)
		if err != nil {
			return out, fmt.Errorf("look for what was answered: %w", err)
		}
		for _, c := range comments {
			if c.GetUser().GetType() != "Bot" {
				continue
			}
			if m := markerPattern.FindStringSubmatch(c.GetBody()); m != nil {
				id, _ := strconv.ParseInt(m[2], 10, 64) // an id that is none is nobody's
				out.done[Said{m[1], pull, id}] = m[3] == "true"
			}
			if m := declinedPattern.FindStringSubmatch(c.GetBody()); m != nil {
				out.declined[m[1]] = true
			}
		}
		if response.NextPage == 0 {
			return out, nil
		}
		page.Page = response.NextPage
	}
}

// reply comments on a pull request. Where that is forbidden for good, what was asked for is done all
// the same, and the log says so.
func (d Desk) reply(ctx context.Context, pull int, body string) error {
	_, _, err := d.Repo.Client.Issues.CreateComment(ctx, d.Repo.Owner, d.Repo.Name, pull, &github.IssueComment{Body: &body})
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && refused.Response.StatusCode == http.StatusForbidden &&
		(strings.Contains(refused.Message, "not accessible by") || strings.Contains(refused.Message, "locked")) {
		d.Warn(fmt.Errorf("the answer could not be given: is the conversation locked, or the permission Pull requests: read and write missing? %w", err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("answer in the conversation: %w", err)
	}
	return nil
}
