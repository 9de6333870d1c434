package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/mcp"
	"github.com/agent-corp/agent-lessons/internal/recall"
)

type mcpCmd struct {
	storeFlag
}

// Run serves until the agent closes standard input. Standard output carries messages alone.
func (c *mcpCmd) Run(p *program) error {
	if p.inIsTerminal {
		fmt.Fprintln(p.err, "agent-lessons: an agent is to start this and talk to it; end it with Ctrl-D")
	}
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	return mcp.Serve(p.ctx, mcp.New(checkoutMemory{p, c.storeFlag}, p.recordFinding, version), p.in, p.out)
}

// checkoutMemory answers an agent from the checkout of the working folder, as it is at that moment.
type checkoutMemory struct {
	p     *program
	store storeFlag
}

// Recall is what block shows.
func (m checkoutMemory) Recall(ctx context.Context, task recall.Task, limit int) (*recall.Window, error) {
	block := blockCmd{storeFlag: m.store, For: task.Prompt, Files: task.Files, Limit: limit}
	return block.choose(m.with(ctx))
}

// Lessons reads the lessons file.
func (m checkoutMemory) Lessons(ctx context.Context) ([]byte, error) {
	tree, _, err := m.store.open(m.with(ctx))
	if err != nil {
		return nil, err
	}
	snapshot, err := tree.Read(ctx)
	return snapshot.Content, err
}

// Commits reads the history of the lessons file in the clone that holds it.
func (m checkoutMemory) Commits(ctx context.Context) ([]ledger.Commit, error) {
	tree, _, err := m.store.open(m.with(ctx))
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(tree.Root)
	if err != nil {
		return nil, err
	}
	return gittree.Checkout{Dir: root}.Commits(ctx, tree.Path)
}

func (m checkoutMemory) with(ctx context.Context) *program {
	p := *m.p
	p.ctx = ctx
	return &p
}
