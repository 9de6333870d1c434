package findings

import (
	"context"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/similarity"
	"github.com/agent-corp/agent-lessons/internal/transcript"
)

// How sure a lesson is that a person said to the agent, and one that the agent said itself.
const (
	saidByUser  = 0.7
	saidByAgent = 0.6
)

// maxTags is the most that a record may have (docs/finding.schema.json).
const maxTags = 16

// Distil turns what was said in a session into a draft. ok is false when that taught nothing. The
// first message of a session is its task, and no objection to anything.
func Distil(ctx context.Context, s transcript.Session, d distill.Distiller) (r Record, ok bool, err error) {
	messages := s.Messages
	if !s.Partial {
		if first := slices.IndexFunc(messages, func(m transcript.Message) bool { return m.Role == transcript.User }); first >= 0 {
			messages = messages[first+1:]
		}
	}
	var said []distill.Finding
	var roles []transcript.Role
	for _, m := range messages {
		if m.Text != "" {
			said, roles = append(said, distill.Finding{Body: m.Text}), append(roles, m.Role)
		}
	}
	result, err := d.Distill(ctx, said)
	if err != nil || len(result.Lessons) == 0 {
		return Record{}, false, err
	}
	r = Record{TaskType: "general", Language: "none", Confidence: saidByAgent}
	var sentences []string
	for _, l := range result.Lessons {
		sentences = append(sentences, l.Text)
		if l.Source < len(roles) && roles[l.Source] == transcript.User {
			r.Confidence = saidByUser
		}
	}
	r.WhatWorked = strings.Join(sentences, " ")
	r.Tags = tagsOf(r.WhatWorked)
	r.Source = &Source{Agent: string(s.Agent), SessionID: s.ID, CWD: s.Dir}
	return r, true, nil
}

// tagsOf names a text by its words that carry a subject.
func tagsOf(text string) []string {
	prepared := similarity.Prepare(text)
	subjects, _ := similarity.Shared(prepared, prepared)
	var tags []string
	for _, word := range subjects {
		if tag := kebab(word); len(tag) >= minWord && len(tags) < maxTags {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
