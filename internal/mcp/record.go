package mcp

import (
	"cmp"
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// RecordInput is what the tool record_finding takes: the seven fields of a finding.
type RecordInput struct {
	TaskType            string   `json:"task_type" jsonschema:"the kind of task, in kebab-case, e.g. fix-flaky-test"`
	Language            string   `json:"language,omitempty" jsonschema:"the main language of the task; none or multiple"`
	WhatWorked          string   `json:"what_worked" jsonschema:"what solved it, for another agent to act on"`
	WhatFailed          string   `json:"what_failed,omitempty" jsonschema:"dead ends"`
	BetterExitCondition string   `json:"better_exit_condition,omitempty" jsonschema:"the sign that should have ended the work sooner"`
	Tags                []string `json:"tags,omitempty" jsonschema:"what it is to be found by, in kebab-case"`
	Confidence          float64  `json:"confidence" jsonschema:"how sure and how general it is, 0 to 1; below 0.5 nothing is kept"`
}

// RecordOutput is what the tool record_finding returns.
type RecordOutput struct {
	ID string `json:"id" jsonschema:"the name of the record"`
}

func addRecord(server *sdk.Server, record Record) {
	no := false
	sdk.AddTool(server, &sdk.Tool{
		Name:        "record_finding",
		Annotations: &sdk.ToolAnnotations{Title: "Record a finding", DestructiveHint: &no, OpenWorldHint: &no},
		Description: "Keep what a finished task taught, for the next agent that does the like. It is kept with the findings of earlier tasks, not in the repository.",
	}, func(ctx context.Context, _ *sdk.CallToolRequest, in RecordInput) (*sdk.CallToolResult, RecordOutput, error) {
		src, err := json.Marshal(map[string]any{ // a record has every field
			"task_type": in.TaskType, "language": cmp.Or(in.Language, "none"), "what_worked": in.WhatWorked, "what_failed": in.WhatFailed,
			"better_exit_condition": in.BetterExitCondition, "tags": append([]string{}, in.Tags...), "confidence": in.Confidence,
		})
		if err != nil {
			return nil, RecordOutput{}, err
		}
		id, err := record(ctx, src)
		if err != nil {
			return nil, RecordOutput{}, err
		}
		return text("Recorded as " + id + "."), RecordOutput{ID: id}, nil
	})
}
