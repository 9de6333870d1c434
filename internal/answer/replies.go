package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
)

// answers are the replies that were given on a pull request, by the markers that begin them.
type answers struct {
	done     map[Said]bool   // what was answered
	declined map[string]bool // logins, in lower case, of people who were told that they may not
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

// maxPages bounds how far replies are looked for. What we say to somebody soon follows what they
// said, and is on the first page; a conversation can be as long as strangers like.
const maxPages = 3

// answers reads the replies that were given since a time. Only our own count: others may be made to
// write a marker.
func (d Desk) answers(ctx context.Context, pull int, since time.Time) (answers, error) {
	out := answers{map[Said]bool{}, map[string]bool{}}
	page := &github.IssueListCommentsOptions{Since: &since, ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		comments, response, err := d.Repo.Client.Issues.ListComments(ctx, d.Repo.Owner, d.Repo.Name, pull, page)
		if err != nil {
			return out, fmt.Errorf("look for what was answered: %w", err)
		}
		for _, c := range comments {
			if !strings.EqualFold(c.GetUser().GetLogin(), d.Self) {
				continue
			}
			if m := markerPattern.FindStringSubmatch(c.GetBody()); m != nil {
				id, _ := strconv.ParseInt(m[2], 10, 64) // an id that is none is nobody's
				out.done[Said{m[1], pull, id}] = true
			}
			if m := declinedPattern.FindStringSubmatch(c.GetBody()); m != nil {
				out.declined[m[1]] = true
			}
		}
		if response.NextPage == 0 {
			break
		}
		page.Page = response.NextPage
	}
	return out, nil
}

// reply comments on a pull request. Where that is refused for good, what was asked for is done all
// the same, and the log says so.
func (d Desk) reply(ctx context.Context, pull int, body string) error {
	_, _, err := d.Repo.Client.Issues.CreateComment(ctx, d.Repo.Owner, d.Repo.Name, pull, &github.IssueComment{Body: &body})
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && forGood(refused) {
		d.Warn(fmt.Errorf("the answer could not be given: is the conversation locked, or the permission Pull requests: read and write missing? %w", err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("answer in the conversation: %w", err)
	}
	return nil
}

func forGood(refused *github.ErrorResponse) bool {
	switch refused.Response.StatusCode {
	case http.StatusForbidden: // or a limit
		return strings.Contains(refused.Message, "not accessible by") || strings.Contains(refused.Message, "locked")
	case http.StatusNotFound, http.StatusGone, http.StatusUnprocessableEntity:
		return true
	}
	return false
}
