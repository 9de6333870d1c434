package findings

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// What makes a finding a lesson (issue 7): two sessions, or one that is this sure.
const (
	minSessions = 2
	sureAlone   = 0.8
)

// Proposal is a lesson that findings of a repository teach.
type Proposal struct {
	Sentence   string    `json:"sentence"`
	Sessions   int       `json:"sessions"`   // that say so
	Confidence float64   `json:"confidence"` // of the surest of them
	Findings   []string  `json:"findings"`   // ids, newest first
	Timestamp  time.Time `json:"timestamp"`  // of the newest
}

// Propose distils the records, newest first, and returns what two sessions say, or one that is
// sure of it, oldest first. Two sentences are one by the rule of collapse. What the guard refuses
// is returned beside, by id.
func Propose(ctx context.Context, records []Record, d distill.Distiller, rule similarity.Rule) (proposals []Proposal, refused map[string]string, err error) {
	refused = map[string]string{}
	type group struct {
		Proposal
		said     *similarity.Text
		sessions map[string]bool
	}
	var groups []*group
	for _, r := range records {
		result, err := d.Distill(ctx, r.remarks())
		if err != nil {
			return nil, nil, err
		}
		for _, no := range result.Refused {
			refused[r.ID] = no.Reason
		}
		if len(result.Lessons) == 0 {
			result.Lessons = r.asItStands()
		}
		for _, l := range result.Lessons {
			said := similarity.Prepare(l.Text)
			i := slices.IndexFunc(groups, func(g *group) bool { return rule.Compare(g.said, said).Collapse })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &group{said: said, sessions: map[string]bool{}, Proposal: Proposal{Sentence: l.Text, Timestamp: r.Timestamp}})
			}
			g := groups[i]
			session := r.Session()
			if session == "" {
				session = r.ID // nobody knows: it speaks for itself
			}
			g.sessions[session] = true
			g.Sessions, g.Confidence = len(g.sessions), max(g.Confidence, r.Confidence)
			if !slices.Contains(g.Findings, r.ID) {
				g.Findings = append(g.Findings, r.ID)
			}
		}
	}
	for _, g := range slices.Backward(groups) {
		if g.Sessions >= minSessions || g.Confidence >= sureAlone {
			proposals = append(proposals, g.Proposal)
		}
	}
	return proposals, refused, nil
}

// remarks returns the record's texts as a reviewer would have written them.
func (r Record) remarks() []distill.Finding {
	var out []distill.Finding
	for _, t := range r.texts() {
		if text := strings.TrimSpace(*t.text); text != "" {
			out = append(out, distill.Finding{Body: text})
		}
	}
	return out
}

// asItStands returns the record's advice where that is a sentence fit for a bullet already: people
// and models write findings in another manner than reviewers write their remarks.
func (r Record) asItStands() []distill.Lesson {
	for _, text := range []string{r.BetterExitCondition, r.WhatWorked} {
		if judged := guard.Check(text); !judged.Refused && len(similarity.Tokens(judged.Sentence)) >= distill.MinTokens {
			return []distill.Lesson{{Text: judged.Sentence}}
		}
	}
	return nil
}

// Distilled is a distiller for what has been distilled.
type Distilled string

// Distill returns the sentence.
func (d Distilled) Distill(context.Context, []distill.Finding) (distill.Result, error) {
	return distill.Result{Lessons: []distill.Lesson{{Text: string(d)}}}, nil
}
