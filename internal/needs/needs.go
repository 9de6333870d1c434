// Package needs says what the GitHub App asks of GitHub, and what for: the page that registers
// it, the doctor and the documentation go by it.
package needs

import "strings"

// Need is a permission or an event.
type Need struct {
	Name  string // as GitHub's API has it: "pull_requests"
	Level string // "read" or "write"; "" for an event
	Why   string
	// Without says what the product goes without; "" for what it cannot do without.
	Without string
}

// Title is the name as GitHub's pages show it.
func (n Need) Title() string {
	words := strings.ReplaceAll(n.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Permissions are the least that all of the product's work takes.
var Permissions = []Need{
	{"contents", "write", "read and commit the lessons file, read the configuration", ""},
	{"pull_requests", "write", "read reviews and merges; answer commands; propose lessons where a branch forbids direct commits", ""},
	{"checks", "write", "read which checks failed and were fixed; show what a review taught, with buttons to keep or withdraw it", "fixed checks teach nothing, and no buttons are offered"},
	{"actions", "read", "the name of the step that failed in a workflow", "that name stays unknown"},
	{"issues", "read", "hear of comments, which GitHub sends by this permission for pull requests, too", "commands in a conversation are not heard"},
	{"metadata", "read", "who has write permission: only their reviews teach", ""},
}

// Events are those that the App acts on. Of its installation GitHub tells without being asked.
var Events = []Need{
	{"pull_request_review", "", "changes were requested", ""},
	{"pull_request", "", "a pull request was merged, perhaps over a review", ""},
	{"check_run", "", "a check failed or was fixed; a button was pressed", "fixed checks teach nothing, and buttons do nothing"},
	{"workflow_run", "", "a workflow failed, or passes on a later commit", "workflows that were fixed teach nothing"},
	{"issue_comment", "", "a command in a conversation", "commands in a conversation are not heard"},
	{"pull_request_review_comment", "", "a command on lines of code", "commands on lines of code are not heard"},
	{"push", "", "a person edited the lessons file", "a mistake in an edited lessons file is told at the next write only"},
	{"repository", "", "a repository was renamed or moved: what waits follows it", "work for a repository that moves may be given up"},
}
