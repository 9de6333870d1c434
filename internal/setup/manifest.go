// Package setup is the first run: a page on which a person registers the GitHub App by GitHub's
// manifest flow, installs it, and sees the first delivery arrive.
package setup

import (
	"encoding/json"

	"github.com/agent-corp/agent-lessons/internal/needs"
)

// manifest describes the App to GitHub. https://docs.github.com/apps, "Registering a GitHub App
// from a manifest".
func (c choice) manifest(name, private string) (string, error) {
	permissions := map[string]string{}
	for _, p := range needs.Permissions {
		permissions[p.Name] = p.Level
	}
	var events []string
	for _, e := range needs.Events {
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
