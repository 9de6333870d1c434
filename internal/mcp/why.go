package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// WhyInput is what the tool why takes.
type WhyInput struct {
	Handle string `json:"handle" jsonschema:"the lesson's handle, as recall returns it; its first digits do while they are unique"`
}

// WhyOutput is what the tool why returns.
type WhyOutput struct {
	Lesson  PitfallOutput `json:"lesson"`
	History []StepOutput  `json:"history" jsonschema:"what the commits say, oldest first"`
}

// StepOutput is what one commit did to a lesson.
type StepOutput struct {
	What     string   `json:"what" jsonschema:"appended, refreshed, overridden, stale, …"`
	Date     string   `json:"date" jsonschema:"the day of the commit, YYYY-MM-DD in UTC"`
	Commit   string   `json:"commit"`
	By       string   `json:"by" jsonschema:"the author of the commit"`
	Source   string   `json:"source" jsonschema:"the review, check, merge or command behind it"`
	Replaced string   `json:"replaced,omitempty" jsonschema:"the evidence that the trailer showed before"`
	Says     []string `json:"says,omitempty" jsonschema:"the commit's own explanation"`
}

func addWhy(server *sdk.Server, repo Repository) {
	sdk.AddTool(server, &sdk.Tool{
		Name: "why", Annotations: readOnly("What stands behind a lesson"),
		Description: "The history of one lesson: who taught it, when, in which pull request, and what became of it since.",
	}, func(ctx context.Context, _ *sdk.CallToolRequest, in WhyInput) (*sdk.CallToolResult, WhyOutput, error) {
		out := WhyOutput{History: []StepOutput{}}
		content, err := repo.Lessons(ctx)
		if err != nil {
			return nil, out, err
		}
		bullet, err := named(lesson.Parse(content), in.Handle)
		if err != nil {
			return nil, out, err
		}
		out.Lesson = pitfall(bullet)
		commits, err := repo.Commits(ctx)
		if err != nil {
			return nil, out, err
		}
		for _, s := range ledger.Trace(commits, bullet.Handle()) {
			out.History = append(out.History, step(s))
		}
		return text(told(bullet, out.History)), out, nil
	})
}

// named returns the bullet whose handle begins like that.
func named(f *lesson.File, handle string) (lesson.Bullet, error) {
	handle = strings.ToLower(strings.TrimSpace(handle))
	if handle == "" {
		return lesson.Bullet{}, errors.New("say the handle of a lesson, as recall returns it")
	}
	var found []lesson.Bullet
	for _, b := range f.Bullets() {
		if strings.HasPrefix(b.Handle(), handle) && !slices.ContainsFunc(found, func(other lesson.Bullet) bool { return other.Handle() == b.Handle() }) {
			found = append(found, b)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return lesson.Bullet{}, fmt.Errorf("%d lessons have a handle that begins so: say more of it", len(found))
	case len(f.Bullets()) == 0:
		return lesson.Bullet{}, errors.New("this repository has no lessons yet")
	}
	return lesson.Bullet{}, errors.New("no lesson of the repository's own store has that handle; recall lists them")
}

func step(s ledger.Step) StepOutput {
	out := StepOutput{
		What: s.What, Date: s.At.UTC().Format(time.DateOnly), Commit: s.SHA, By: guard.Visible(s.Author),
		Source: s.Source.String(),
	}
	for _, line := range s.Says {
		out.Says = append(out.Says, guard.Visible(line))
	}
	if s.To != "" {
		out.What += " to " + s.To
	}
	if !s.From.Date.IsZero() {
		out.Replaced = strings.TrimSpace(s.From.PR.String() + " " + s.From.Date.String())
	}
	return out
}

// told is the history as a person reads it.
func told(b lesson.Bullet, history []StepOutput) string {
	var out strings.Builder
	out.WriteString(guard.Visible(b.String()) + "\n")
	if len(history) == 0 {
		out.WriteString("\nNo commit of this clone tells of it: it was written by hand, its history was squashed away, or the clone is shallow.\n")
	}
	for _, s := range history {
		fmt.Fprintf(&out, "\n%s %s by %s (%s, commit %.10s)", s.Date, s.What, s.By, s.Source, s.Commit)
		for _, line := range s.Says {
			out.WriteString("\n    " + line)
		}
	}
	return out.String()
}
