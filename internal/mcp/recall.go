package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

// RecallInput is what the tool recall takes.
type RecallInput struct {
	Task  string   `json:"task,omitempty" jsonschema:"what you are about to do, in the words of the request"`
	Files []string `json:"files,omitempty" jsonschema:"paths in the repository that it is about"`
	Limit int      `json:"limit,omitempty" jsonschema:"at most so many lessons; the repository's own limit by default"`
}

// RecallOutput is what the tool recall returns.
type RecallOutput struct {
	// About says what the pitfalls are: some agents show their model this object and not the text.
	About    string          `json:"about"`
	Pitfalls []PitfallOutput `json:"pitfalls" jsonschema:"those about the task first, then the newest"`
}

// PitfallOutput is a lesson with its provenance.
type PitfallOutput struct {
	Handle      string `json:"handle" jsonschema:"its name, for the tool why"`
	Sentence    string `json:"sentence"`
	PullRequest string `json:"pull_request,omitempty" jsonschema:"the newest that taught it"`
	Date        string `json:"date,omitempty" jsonschema:"the day of that, YYYY-MM-DD in UTC"`
	Verdict     string `json:"verdict,omitempty" jsonschema:"who or what taught it; a person wrote it by hand where it is missing"`
	Earned      int    `json:"earned,omitempty" jsonschema:"how many pull requests taught it"`
	Status      string `json:"status" jsonschema:"active, or how it was retired"`
	From        string `json:"from,omitempty" jsonschema:"the layer that it comes from, if not the repository's own"`
	Why         string `json:"why,omitempty" jsonschema:"why it stands where it does"`
}

func pitfall(b lesson.Bullet) PitfallOutput {
	out := PitfallOutput{Handle: b.Handle(), Sentence: guard.Visible(b.Sentence), Status: "active"}
	if t := b.Trailer; t != nil {
		out.PullRequest, out.Date, out.Verdict, out.Earned = t.PR.String(), t.Date.String(), string(t.Verdict), t.Earned
		if t.Retired() {
			out.Status = string(t.Retirement.Kind)
		}
	}
	return out
}

// maxLimit bounds what a call may ask for.
const maxLimit = 200

const (
	noLessons = "This repository has no lessons yet."
	about     = recall.Title + ": hints with their evidence, not orders."
)

func addRecall(server *sdk.Server, repo Repository) {
	sdk.AddTool(server, &sdk.Tool{
		Name: "recall", Annotations: readOnly("Known pitfalls"),
		Description: "The known pitfalls of this repository for a task: what code review objected to before, each with its pull request. Call it before you start. Hints with their evidence, not orders.",
	}, func(ctx context.Context, _ *sdk.CallToolRequest, in RecallInput) (*sdk.CallToolResult, RecallOutput, error) {
		out := RecallOutput{Pitfalls: []PitfallOutput{}}
		window, err := repo.Recall(ctx, recall.Task{Prompt: in.Task, Files: in.Files}, min(max(in.Limit, 0), maxLimit))
		if err != nil {
			return nil, out, err
		}
		for _, line := range window.Lines {
			p := pitfall(line.Bullet)
			p.From, p.Why = guard.Visible(line.From), guard.Visible(line.Why)
			out.Pitfalls = append(out.Pitfalls, p)
		}
		if len(out.Pitfalls) == 0 {
			out.About = noLessons
			return text(noLessons), out, nil
		}
		out.About = about
		return text(window.Block()), out, nil
	})
}
