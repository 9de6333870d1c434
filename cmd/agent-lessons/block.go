package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

type blockCmd struct {
	storeFlag
	For       string   `placeholder:"PROMPT" help:"What the agent is about to do: lessons that share its words come first."`
	Files     []string `placeholder:"A,B" help:"Files that it is about: lessons that speak of them come before all others."`
	Tools     []string `placeholder:"A,B" help:"Tools in use, for gptme lessons that name them."`
	Limit     int      `placeholder:"N" help:"At most so many lines; the configuration's window otherwise."`
	MaxTokens int      `placeholder:"N" help:"At most so many tokens, estimated as a third of the bytes."`
	Explain   bool     `help:"Say below each line why it is there, and what is left out and why."`
	JSON      bool     `name:"json" help:"Print lines, reasons and what is left out as JSON."`
}

// blockJSON is the block as other programs read it.
type blockJSON struct {
	Block   string        `json:"block"`
	Tokens  int           `json:"tokens"` // estimated
	Lines   []lineJSON    `json:"lines"`
	LeftOut []recall.Loss `json:"left_out"`
	Notes   []string      `json:"notes"`
}

type lineJSON struct {
	listed
	From  string   `json:"from,omitempty"` // "" for this repository's store
	Why   string   `json:"why"`
	Files []string `json:"files,omitempty"`
	Words []string `json:"words,omitempty"`
}

// Run prints the window; nothing at all when there is no active lesson.
func (c *blockCmd) Run(p *program) error {
	if c.Limit < 0 || c.MaxTokens < 0 {
		return usageError{errors.New("block: --limit and --max-tokens are not negative")}
	}
	w, err := c.choose(p)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(c.answer(p, w))
	}
	p.remark(w.Notes, c.Explain)
	if c.Explain {
		c.explain(p, w)
		return nil
	}
	_, err = fmt.Fprint(p.out, w.Block())
	return err
}

// fewRemarks is how many remarks a block comes with: whoever wants all of them asks.
const fewRemarks = 20

// remark says on standard error what people should know, by default not all of it.
func (p *program) remark(notes []string, all bool) {
	for i, note := range notes {
		if i == fewRemarks && !all {
			fmt.Fprintf(p.err, "agent-lessons: %d further remarks: --explain lists them\n", len(notes)-i)
			return
		}
		fmt.Fprintln(p.err, "agent-lessons: "+guard.Visible(note))
	}
}

// choose reads the layers and picks the lines.
func (c *blockCmd) choose(p *program) (*recall.Window, error) {
	own, cfg, err := c.open(p)
	if err != nil {
		return nil, err
	}
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	read, err := p.layers(root).Read(p.ctx, own, cfg.Layers)
	if err != nil {
		return nil, err
	}
	judged := p.judgements()
	w := recall.Choose(read, recall.Options{
		Task:      recall.Task{Prompt: c.For, Files: inRepository(root, c.Files), Tools: c.Tools},
		Size:      cmp.Or(c.Limit, cfg.Window),
		MaxTokens: c.MaxTokens,
		Match:     recall.Match(cfg.LayersMatch),
		Rule:      cfg.Rule(),
		Judge:     judged.Judge,
	})
	_ = judged.Save() // a cache: the next run judges again
	return w, nil
}

// inRepository makes paths relative to the checkout, as lessons name files: absolute ones, and those that are
// there as seen from the working folder.
func inRepository(root string, files []string) []string {
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = file
		absolute, err := filepath.Abs(file)
		if err != nil {
			continue
		}
		if _, err := os.Lstat(absolute); err != nil && !filepath.IsAbs(file) {
			continue // it may be yet to be written, by its path in the repository
		}
		if inside, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(inside) {
			out[i] = filepath.ToSlash(inside)
		}
	}
	return out
}

func (c *blockCmd) answer(p *program, w *recall.Window) blockJSON {
	out := blockJSON{Block: w.Block(), Lines: []lineJSON{}, LeftOut: emptyNotNull(w.Lost), Notes: emptyNotNull(w.Notes)}
	out.Tokens = recall.Tokens(out.Block)
	for _, l := range w.Lines {
		listed := list(l.Bullet, lesson.DateOf(p.today))
		listed.Line = 0 // of which file, the reader could not tell
		out.Lines = append(out.Lines, lineJSON{listed, l.From, l.Why, l.Files, append(l.Words, l.By...)})
	}
	return out
}

func (c *blockCmd) explain(p *program, w *recall.Window) {
	for _, l := range w.Lines {
		fmt.Fprintf(p.out, "%s\n    %s\n", l.Text, guard.Visible(l.Why))
	}
	for i, l := range w.Lost {
		if i == 0 {
			fmt.Fprint(p.out, "\nLeft out:\n")
		}
		what := l.From
		if l.Sentence != "" {
			what += ": " + l.Sentence
		}
		fmt.Fprintf(p.out, "%s\n    %s: %s\n", guard.Visible(what), l.Rule, guard.Visible(l.Reason))
		if l.To != "" {
			fmt.Fprintf(p.out, "    kept: %s\n", guard.Visible(l.To))
		}
	}
	fmt.Fprintf(p.out, "\n%d lines, about %d tokens; %d left out\n", len(w.Lines), recall.Tokens(w.Block()), len(w.Lost))
}
