package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
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
	maxLog        = 1 << 20 // bytes, after which the log is begun anew and the old one kept once
)

type beforeCmd struct {
	homeFlag
	storeFlag
	MaxChars int `default:"6000" placeholder:"N" help:"At most so many characters."`
	Limit    int `default:"3" placeholder:"N" help:"At most so many findings."`
}

// Run answers the agent.
func (c *beforeCmd) Run(p *program) error {
	return p.quietly(c.homeFlag, func(p *program, dir findings.Store) error {
		e, err := hook.Read(p.in)
		if err != nil {
			return err
		}
		if e.Name == "" {
			e.Name = hook.UserPromptSubmit
		}
		if e.Name != hook.UserPromptSubmit && e.Name != hook.SessionStart {
			return fmt.Errorf("hook before is not for the event %s", guard.Visible(e.Name))
		}
		pitfalls, err := c.pitfalls(p, e)
		if err != nil {
			fmt.Fprintln(p.err, err) // the findings are good all the same
		}
		found, stale, err := dir.Recall(e.Prompt, c.Limit)
		if err != nil {
			fmt.Fprintln(p.err, err)
		}
		if stale { // somebody else wrote into the store: known from the next prompt on
			if err := p.background(dir, "hook", "refresh", "--home", dir.Dir); err != nil {
				fmt.Fprintln(p.err, err)
			}
		}
		answer, err := hook.Answer(e.Name, hook.Context(pitfalls, found, c.MaxChars))
		if err != nil || answer == nil {
			return err
		}
		_, err = p.out.Write(append(answer, '\n'))
		return err
	})
}

// pitfalls returns the repository's block: all of the window when a session starts, what speaks of
// the prompt when there is one.
func (c *beforeCmd) pitfalls(p *program, e hook.Event) (string, error) {
	if e.Dir != "" {
		if err := os.Chdir(e.Dir); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(p.ctx, beforeTimeout)
	defer cancel()
	q := *p
	q.ctx = ctx
	if e.Name == hook.UserPromptSubmit && strings.TrimSpace(e.Prompt) == "" {
		return "", nil
	}
	block := blockCmd{storeFlag: c.storeFlag, For: e.Prompt, MaxTokens: max(c.MaxChars/3, 1)}
	w, err := block.choose(&q)
	if err != nil {
		return "", err
	}
	if e.Name == hook.UserPromptSubmit {
		w.Lines = slices.DeleteFunc(w.Lines, func(l recall.Line) bool { return len(l.Files) == 0 && l.Weight == 0 })
	}
	return w.Block(), nil
}

type afterCmd struct {
	homeFlag
	Distiller string `env:"AGENT_LESSONS_DISTILLER" default:"extractive" placeholder:"KIND" help:"extractive needs no model; auto, anthropic and openai spend your key at every turn."`
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
		return p.background(dir, "hook", "distil", "--home", dir.Dir, "--distiller", c.Distiller,
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

// Run records what the session taught. Its log is standard error.
func (c *distilCmd) Run(p *program) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, distilTimeout)
	defer cancel()
	anthropic, openAI := distill.Endpoints(os.Getenv)
	d, err := distill.Choose(distill.Kind(c.Distiller), anthropic, openAI)
	if err != nil {
		fmt.Fprintf(p.err, "%s: the extractive distiller stands in\n", err)
		d = distill.NewExtractive()
	}
	repository := ""
	if c.Dir != "" {
		repository = findings.Repository(ctx, c.Dir)
	}
	e := hook.Event{Session: c.Session, Transcript: c.Transcript, Dir: c.Dir}
	_, err = hook.Record(ctx, e, dir, d, repository, time.Now())
	if errors.Is(err, hook.ErrNothing) {
		return nil
	}
	return err
}

type refreshCmd struct {
	homeFlag
}

// Run judges what others wrote into the store.
func (c *refreshCmd) Run(*program) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	return dir.Refresh()
}

// quietly runs a hook so that it cannot fail its agent: errors and remarks go to the log, a panic
// too, which would exit with the code that agents take for "stop".
func (p *program) quietly(h homeFlag, run func(p *program, dir findings.Store) error) error {
	if os.Getenv(distilling) != "" || os.Getenv(distillingToo) != "" {
		return nil
	}
	dir, err := h.open()
	if err != nil {
		return nil // without a home there is no log
	}
	var remarks strings.Builder
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(&remarks, "panic: %v\n%s", r, debug.Stack())
		}
		p.log(dir, remarks.String())
	}()
	q := *p
	q.err = &remarks
	if err := run(&q, dir); err != nil {
		fmt.Fprintln(&remarks, err)
	}
	return nil
}

func logFile(dir findings.Store) string { return filepath.Join(dir.Dir, "meta", "hook.log") }

// log appends remarks to the store's log, each line with the time. There is nobody to tell when
// that fails.
func (p *program) log(dir findings.Store, remarks string) {
	if remarks == "" {
		return
	}
	file, err := openLog(dir)
	if err != nil {
		return
	}
	defer file.Close()
	for line := range strings.Lines(remarks) {
		fmt.Fprintf(file, "%s %s\n", p.today.UTC().Format(time.RFC3339), strings.TrimRight(line, "\r\n"))
	}
}

func openLog(dir findings.Store) (*os.File, error) {
	name := logFile(dir)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		_ = os.Rename(name, name+".old")
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

// background starts this program again, apart from the agent: it holds none of the agent's pipes
// and outlives its session. What it says goes to the log.
func (p *program) background(dir findings.Store, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := openLog(dir)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), distilling+"=1", distillingToo+"=1")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
