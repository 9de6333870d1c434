package main

import (
	"fmt"
	"io"

	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type sweepCmd struct {
	storeFlag
	Date   string `placeholder:"YYYY-MM-DD" help:"The day that counts as today, in UTC."`
	DryRun bool   `help:"Show what would change, and write nothing."`
	JSON   bool   `name:"json" help:"Print the outcome as JSON."`
}

// Run sweeps the file in the working tree, by the files that HEAD has and had. Committing is the
// caller's.
func (c *sweepCmd) Run(p *program) error {
	day := lesson.DateOf(p.today)
	if c.Date != "" {
		var err error
		if day, err = lesson.ParseDate(c.Date); err != nil {
			return usageError{fmt.Errorf("--date: %w", err)}
		}
	}
	tree, cfg, err := c.open(p)
	if err != nil {
		return err
	}
	root, err := checkout()
	if err != nil {
		return err
	}
	m := memory.Memory{Store: tree, Config: cfg, Pause: store.Pause}
	if c.DryRun {
		m.Store = memory.ReadOnly{Store: tree}
	}
	swept, err := m.Sweep(p.ctx, gittree.Checkout{Dir: root}, day)
	if err != nil {
		return err
	}
	for _, notice := range append(swept.Notices, swept.Spared...) {
		fmt.Fprintf(p.err, "agent-lessons: %s: %s\n", tree.Path, guard.Visible(notice))
	}
	if c.JSON {
		return p.printJSON(sweptOf(swept))
	}
	printSwept(p.out, swept)
	printDocuments(p.out, swept.Write)
	if c.DryRun {
		return p.printDiff(tree.Path, swept.Before, swept.After)
	}
	return err
}

// printDocuments names the documents that a write brought in step.
func printDocuments(w io.Writer, write memory.Write) {
	for _, document := range write.Commit.Documents {
		fmt.Fprintf(w, "brought in step: %s\n", document)
	}
}

func printSwept(w io.Writer, swept memory.Swept) {
	if len(swept.Changes) == 0 {
		fmt.Fprintln(w, "Nothing to sweep.")
	}
	for _, change := range swept.Changes {
		fmt.Fprintf(w, "%s line %d: %s\n    %s\n", change.What, change.Bullet.Line, guard.Visible(change.Bullet.Sentence), guard.Visible(change.Reason))
	}
}

// sweepAnswer is the outcome of sweep as other programs read it.
type sweepAnswer struct {
	Changes []sweepChange `json:"changes"`
	Spared  []string      `json:"spared"` // renamed files, and names of which nothing can be told
	// Documents are those that were brought in step.
	Documents []string `json:"documents,omitempty"`
	Retired   int      `json:"retired"`
	Active    int      `json:"active"`
	Total     int      `json:"total"`
}

type sweepChange struct {
	What   string `json:"what"` // stale | expired | merged | renamed
	Text   string `json:"text"`
	Handle string `json:"handle"`
	Line   int    `json:"line"`         // 1-based line in the file before the write
	To     string `json:"to,omitempty"` // the handle that it was merged into, or became
	Reason string `json:"reason"`
}

func sweptOf(swept memory.Swept) sweepAnswer {
	a := sweepAnswer{
		Changes: []sweepChange{}, Spared: append([]string{}, swept.Spared...),
		Documents: swept.Commit.Documents,
		Retired:   swept.Entry.Retired, Active: swept.Entry.Active, Total: swept.Entry.Total,
	}
	for _, c := range swept.Changes {
		change := sweepChange{What: c.What, Text: c.Bullet.Sentence, Handle: c.Bullet.Handle(), Line: c.Bullet.Line, Reason: c.Reason}
		if c.To.Trailer != nil {
			change.To = c.To.Handle()
		}
		a.Changes = append(a.Changes, change)
	}
	return a
}
