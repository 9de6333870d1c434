// Package setup is the first run: a page on which a person registers the GitHub App by GitHub's
// manifest flow, installs it, and sees the first delivery arrive.
package setup

import (
	"encoding/json"
	"strings"
)

// Need is a permission or an event that the App asks for, with what it is for.
type Need struct {
	Name  string // as a manifest has it: "pull_requests"
	Level string // "read" or "write"; "" for an event
	Why   string
}

// Title is the name as GitHub's pages show it.
func (n Need) Title() string {
	words := strings.ReplaceAll(n.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Permissions are the least that all of the product's work takes; docs/operations.md says the same.
var Permissions = []Need{
	{"contents", "write", "read and commit the lessons file, read the configuration"},
	{"pull_requests", "write", "read reviews and merges; answer commands; propose lessons where a branch forbids direct commits"},
	{"checks", "write", "read which checks failed and were fixed; show what a review taught, with buttons to keep or withdraw it"},
	{"actions", "read", "the name of the step that failed in a workflow"},
	{"issues", "read", "hear of comments, which GitHub sends by this permission for pull requests, too"},
	{"metadata", "read", "who has write permission: only their reviews teach"},
}

// Events are those that the App acts on. Of its installation GitHub tells without being asked.
var Events = []Need{
	{"pull_request_review", "", "changes were requested"},
	{"pull_request", "", "a pull request was merged, perhaps over a review"},
	{"check_run", "", "a check failed or was fixed; a button was pressed"},
	{"workflow_run", "", "a workflow was run again"},
	{"issue_comment", "", "a command in a conversation"},
	{"pull_request_review_comment", "", "a command on lines of code"},
	{"push", "", "a person edited the lessons file"},
	{"repository", "", "a repository was renamed or moved: what waits follows it"},
}

// manifest describes the App to GitHub. https://docs.github.com/apps, "Registering a GitHub App
// from a manifest".
func (c choice) manifest(name, private string) (string, error) {
	permissions := map[string]string{}
	for _, p := range Permissions {
		permissions[p.Name] = p.Level
	}
	var events []string
	for _, e := range Events {
		events = append(events, e.Name)
	}
	text, err := json.Marshal(map[string]any{
		"name":                name,
		"url":                 "https://github.com/agent-corp/agent-lessons",
		"description":         "A repository's short, trustworthy memory of what code review taught.",
		"hook_attributes":     map[string]any{"url": c.URL + "/api/github/hook", "active": true},
		"redirect_url":        private + "/setup/created",
		"callback_urls":       []string{c.URL + "/login/callback", private + "/login/callback"},
		"setup_url":           c.URL + "/installed",
		"public":              false,
		"default_permissions": permissions,
		"default_events":      events,
	})
	return string(text), err
}
