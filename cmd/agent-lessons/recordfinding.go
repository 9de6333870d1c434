package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

type recordCmd struct {
	homeFlag
	JSON bool   `name:"json" help:"Print the outcome as JSON."`
	File string `arg:"" optional:"" default:"-" help:"The finding as JSON; - is standard input. Needed are task_type, what_worked, what_failed, better_exit_condition, tags and confidence."`
}

// recorded is the outcome of record as other programs read it.
type recorded struct {
	Recorded bool             `json:"recorded"`
	Reason   string           `json:"reason,omitempty"`  // why not
	Finding  *findings.Record `json:"finding,omitempty"` // the known one, where it was known
}

// Run adds a finding. One that is known, or below the floor, is nothing to do, and no failure.
func (c *recordCmd) Run(p *program) error {
	store, err := c.open()
	if err != nil {
		return err
	}
	name, src, err := (&learnCmd{File: c.File}).input(p)
	if err != nil {
		return err
	}
	r, err := p.addFinding(p.ctx, store, src)
	outcome := recorded{Recorded: err == nil, Finding: &r}
	said := fmt.Sprintf("recorded %s/%s", r.TaskType, r.ID)
	switch {
	case err == nil:
	case errors.Is(err, findings.ErrKnown):
		outcome.Reason, said = err.Error(), fmt.Sprintf("not recorded: %s as %s/%s", err, r.TaskType, r.ID)
	case errors.Is(err, findings.ErrBelowFloor):
		outcome.Reason, outcome.Finding, said = err.Error(), nil, fmt.Sprintf("not recorded: %s", err)
	default:
		return fmt.Errorf("%s: %w", name, err)
	}
	if c.JSON {
		return p.printJSON(outcome)
	}
	fmt.Fprintln(p.out, said)
	return nil
}

// addFinding adds a draft, with the checkout that it belongs to where it does not say.
func (p *program) addFinding(ctx context.Context, store findings.Store, src []byte) (findings.Record, error) {
	r, err := findings.Draft(src)
	if err != nil {
		return r, err
	}
	if r.Source == nil {
		r.Source = &findings.Source{}
	}
	if r.Source.Repository == "" && r.Source.CWD == "" {
		if root, err := checkout(); err == nil {
			if r.Source.Repository = findings.Repository(ctx, root); r.Source.Repository == "" {
				r.Source.CWD = filepath.Base(root) // the rest of it tells others about this machine
			}
		}
	}
	return store.Add(ctx, r, time.Now())
}

// recordFinding is what the MCP server's tool does.
func (p *program) recordFinding(ctx context.Context, src json.RawMessage) (string, error) {
	store, err := homeFlag{Home: os.Getenv("AGENT_FINDINGS_HOME")}.open()
	if err != nil {
		return "", err
	}
	r, err := p.addFinding(ctx, store, src)
	if errors.Is(err, findings.ErrKnown) {
		err = nil
	}
	return r.ID, err
}

// findingEntries reads a folder of findings as a layer: of each what an agent would act on.
func findingEntries(folder string) (entries []recall.Entry, notes []string, err error) {
	if _, err := os.Stat(folder); err != nil {
		return nil, nil, err
	}
	store := findingsIn(folder)
	shown, stale, err := store.Shown()
	if err == nil && stale {
		if err = store.Refresh(); errors.Is(err, findings.ErrJudging) {
			notes, err = append(notes, err.Error()), nil
		} else if err == nil {
			shown, _, err = store.Shown()
		}
	}
	for _, f := range shown {
		sentence := f.WhatWorked
		if sentence == "" {
			sentence = f.BetterExitCondition
		}
		if sentence != "" {
			entries = append(entries, recall.FindingEntry(sentence, lesson.DateOf(f.Timestamp), append([]string{f.TaskType}, f.Tags...)))
		}
	}
	if refused, _ := store.Refused(); len(refused) > 0 {
		notes = append(notes, fmt.Sprintf("the guard keeps %d findings from agents; agent-lessons findings reindex names them", len(refused)))
	}
	return entries, notes, err
}
