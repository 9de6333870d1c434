package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/hook"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

// hookCmd is what agents run. Whatever happens, it exits 0 and says nothing but what the agent
// asked for: what goes wrong is in the store's meta/hook.log.
type hookCmd struct {
	Before  beforeCmd  `cmd:"" help:"Before a task: add the pitfalls and findings that fit it to the agent's context."`
	After   afterCmd   `cmd:"" help:"After a turn: record what it taught, in the background."`
	Refresh refreshCmd `cmd:"" hidden:"" help:"Judge what others wrote into the store."`
	Distil  distilCmd  `cmd:"" hidden:"" help:"The background part of after."`
}

// Whoever distils is not to be distilled: a model's own session would call the hooks again. The
// second name is agent-findings', whose hooks may be installed as well.
const distilling, distillingToo = "AGENT_LESSONS_DISTILLING", "AGENT_FINDINGS_DISTILL"

const (
	beforeTimeout = 2 * time.Second
	distilTimeout = 3 * time.Minute
)

type beforeCmd struct {
	homeFlag
	storeFlag
	MaxChars int `default:"6000" placeholder:"N" help:"At most so many characters; ${default} by default."`
	Limit    int `default:"3" placeholder:"N" help:"At most so many findings; ${default} by default."`
}

// Run answers the agent, after beforeTimeout with what there is.
func (c *beforeCmd) Run(p *program) error {
	return p.quietly(c.homeFlag, func(p *program, dir findings.Store) error {
		ctx, cancel := context.WithTimeout(p.ctx, beforeTimeout)
		defer cancel()
		e, err := within(ctx, "the event", func() (hook.Event, error) { return hook.Read(p.in) })
		if err != nil {
			return err
		}
		if e.Name == "" {
			e.Name = hook.UserPromptSubmit
		}
		if e.Name != hook.UserPromptSubmit && e.Name != hook.SessionStart {
			return fmt.Errorf("hook before is not for the event %s", guard.Visible(e.Name))
		}
		found, err := within(ctx, "the findings", func() ([]findings.Shown, error) { return c.findings(p, dir, e) })
		if err != nil {
			p.complain(err) // the pitfalls are good all the same
		}
		told, err := within(ctx, "the pitfalls", func() (pitfalls, error) { return c.pitfalls(ctx, p, e) })
		fmt.Fprint(p.err, told.remarks)
		if err != nil {
			p.complain(err)
		}
		answer, err := hook.Answer(e.Name, hook.Context(told.block, found, c.MaxChars))
		if err != nil || answer == nil {
			return err
		}
		_, err = p.out.Write(append(answer, '\n'))
		return err
	})
}

// within waits for what do returns, but not longer than ctx: a hook that waits costs a prompt.
func within[T any](ctx context.Context, what string, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("%s took too long: %w", what, context.Cause(ctx))
	}
}

// findings returns what fits the prompt. What somebody else wrote into the store is judged in the
// background, and known from a later prompt on.
func (c *beforeCmd) findings(p *program, dir findings.Store, e hook.Event) ([]findings.Shown, error) {
	found, stale, err := dir.Recall(e.Prompt, c.Limit)
	if stale {
		err = errors.Join(err, p.background("hook", "refresh", "--home", dir.Dir))
	}
	return found, err
}

// pitfalls is a repository's block, and what was remarked about it.
type pitfalls struct{ block, remarks string }

// pitfalls returns the repository's block: all of the window when a session starts, what speaks of
// the prompt when there is one.
func (c *beforeCmd) pitfalls(ctx context.Context, p *program, e hook.Event) (told pitfalls, err error) {
	if e.Dir != "" {
		if err := os.Chdir(e.Dir); err != nil {
			return told, err
		}
	}
	var remarks strings.Builder
	defer func() { told.remarks = remarks.String() }()
	q := *p
	q.ctx, q.err = ctx, &remarks
	if e.Name == hook.UserPromptSubmit && strings.TrimSpace(e.Prompt) == "" {
		return told, nil
	}
	block := blockCmd{storeFlag: c.storeFlag, For: e.Prompt, MaxTokens: max(c.MaxChars/3, 1)}
	w, err := block.choose(&q)
	if err != nil {
		return told, err
	}
	if e.Name == hook.UserPromptSubmit {
		w.Lines = slices.DeleteFunc(w.Lines, func(l recall.Line) bool { return len(l.Files) == 0 && l.Weight == 0 })
	}
	told.block = w.Block()
	return told, nil
}

type afterCmd struct {
	homeFlag
	Distiller string `env:"AGENT_LESSONS_DISTILLER" default:"extractive" placeholder:"KIND" help:"extractive, the default, needs no model; auto, anthropic and openai spend your key at every turn."`
}

// Run starts the recording and returns at once.
func (c *afterCmd) Run(p *program) error {
	return p.quietly(c.homeFlag, func(p *program, dir findings.Store) error {
		e, err := hook.Read(p.in)
		if err != nil {
			return err
		}
		if e.Transcript == "" {
			return errors.New("hook after: the event names no transcript")
		}
		if e.Name != "" && e.Name != hook.Stop && e.Name != hook.SessionEnd {
			return fmt.Errorf("hook after is not for the event %s", guard.Visible(e.Name))
		}
		return p.background("hook", "distil", "--home", dir.Dir, "--distiller", c.Distiller,
			"--session", e.Session, "--dir", e.Dir, "--", e.Transcript)
	})
}

type distilCmd struct {
	homeFlag
	Distiller  string
	Session    string
	Dir        string
	Transcript string `arg:""`
}

// Run records what the session taught.
func (c *distilCmd) Run(p *program) error {
	return p.logged(c.homeFlag, func(p *program, dir findings.Store) error {
		ctx, cancel := context.WithTimeout(p.ctx, distilTimeout)
		defer cancel()
		anthropic, openAI := distill.Endpoints(os.Getenv)
		d, err := distill.Choose(distill.Kind(c.Distiller), anthropic, openAI)
		if err != nil {
			p.complain(fmt.Errorf("%w: the extractive distiller stands in", err))
			d = distill.NewExtractive()
		}
		e := hook.Event{Session: c.Session, Transcript: c.Transcript, Dir: c.Dir}
		repository := ""
		if c.Dir != "" && os.Chdir(c.Dir) == nil {
			repository = findings.Repository(ctx, c.Dir)
			if root, err := checkout(); err == nil {
				e.Dir = root
			}
		}
		_, err = hook.Record(ctx, e, dir, d, repository, time.Now())
		if errors.Is(err, hook.ErrNothing) || errors.Is(err, findings.ErrKnown) {
			return nil
		}
		return err
	})
}

type refreshCmd struct {
	homeFlag
}

// Run judges what others wrote into the store.
func (c *refreshCmd) Run(p *program) error {
	return p.logged(c.homeFlag, func(_ *program, dir findings.Store) error { return dir.Refresh() })
}
