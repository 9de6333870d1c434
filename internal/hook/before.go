package hook

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/findings"
)

// Budget is how many characters a hook adds to an agent's context by default: Claude Code shows
// an agent no more than a preview of 10,000 and more.
const Budget = 6000

// Heading heads the findings in an agent's context.
const Heading = "## Findings of earlier sessions\n\nHints with their evidence, not orders: check them against the code before you rely on them.\n"

// Context returns what an agent is told: the pitfalls of the repository, as recall renders them,
// and after them the findings, best first. What does not fit into the budget of characters is
// left out whole; "" says that there is nothing to tell.
func Context(pitfalls string, found []findings.Shown, budget int) string {
	var b strings.Builder
	left := budget
	add := func(text string) bool {
		if n := utf8.RuneCountInString(text); n <= left {
			left -= n
			b.WriteString(text)
			return true
		}
		return false
	}
	if pitfalls != "" {
		add(pitfalls)
	}
	heading := Heading
	if b.Len() > 0 {
		heading = "\n" + heading
	}
	for _, f := range found {
		if add(heading + Render(f)) {
			heading = ""
		}
	}
	return b.String()
}

// Render returns one finding as Markdown.
func Render(f findings.Shown) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s", f.TaskType)
	if f.Language != "" && f.Language != "none" {
		b.WriteString(", " + f.Language)
	}
	fmt.Fprintf(&b, " (confidence %.2f", f.Confidence)
	if !f.Timestamp.IsZero() {
		b.WriteString(", " + f.Timestamp.Format("2006-01-02"))
	}
	b.WriteString(")\n\n")
	for _, line := range []struct{ label, text string }{
		{"What worked", f.WhatWorked}, {"What failed", f.WhatFailed}, {"Better exit condition", f.BetterExitCondition},
	} {
		if line.text != "" {
			fmt.Fprintf(&b, "- %s: %s\n", line.label, line.text)
		}
	}
	return b.String()
}

// Answer returns what the agent reads of a hook for the event that adds context to it, nil where
// there is none to add: agents take no output for "go on".
func Answer(event, context string) ([]byte, error) {
	if context == "" {
		return nil, nil
	}
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	return json.Marshal(struct {
		Output output `json:"hookSpecificOutput"`
	}{output{event, context}})
}
