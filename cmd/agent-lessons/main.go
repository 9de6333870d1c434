// Command agent-lessons works on the lessons file of a checkout: it learns from findings, lists
// the bullets, and prints the block that agents are shown.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/alecthomas/kong"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitDone   = 0 // done, or nothing to do
	exitFailed = 1
	exitUsage  = 2
)

// commands is the command line. Kong reads the tags.
type commands struct {
	Learn   learnCmd   `cmd:"" help:"Learn from a review's findings, given as Markdown or JSON."`
	List    listCmd    `cmd:"" help:"List the bullets with status, age and times earned."`
	Block   blockCmd   `cmd:"" help:"Print the window of newest active lessons for an agent's context."`
	Sweep   sweepCmd   `cmd:"" help:"Retire the bullets that are expired, or whose files are gone."`
	Explain explainCmd `cmd:"" help:"Say why two bullets are one lesson, or are not."`

	Report    reportCmd    `cmd:"" help:"Measure any lessons files: which bullets say the same, which contradict, and whether the floor separates."`
	Stats     trendCmd     `cmd:"" help:"Tell from the commits how stores develop, week by week."`
	Label     labelCmd     `cmd:"" help:"Label the pairs of which it is uncertain whether they are one lesson."`
	Calibrate calibrateCmd `cmd:"" help:"Say which similarity floor labelled pairs bear out."`

	MCP      mcpCmd      `cmd:"" name:"mcp" help:"Serve the lessons to an agent by the Model Context Protocol, on standard input and output."`
	Layers   layersCmd   `cmd:"" help:"Look after the sources of lessons that the configuration lists."`
	Hooks    hooksCmd    `cmd:"" help:"Put hooks into the settings of Claude Code and Codex, and take them out again."`
	Findings findingsCmd `cmd:"" help:"Keep what agents learned in their sessions, across repositories."`
	Hook     hookCmd     `cmd:"" help:"What the hooks of an agent run."`
	SyncDocs syncDocsCmd `cmd:"" help:"Keep a copy of the window between markers in AGENTS.md, CLAUDE.md and the like."`

	Init    initCmd    `cmd:"" help:"Write the configuration and the workflows that a repository begins with, after showing them."`
	Doctor  doctorCmd  `cmd:"" help:"Say what keeps the lessons of this checkout from working, and what to do."`
	Version versionCmd `cmd:"" help:"Print version, commit, date and Go."`

	Action actionCmd `cmd:"" help:"Do what the event of a GitHub workflow asks for, as a step of it."`
}

// program is what commands need of the outside world.
type program struct {
	ctx          context.Context
	in           io.Reader
	out, err     io.Writer
	today        time.Time
	inIsTerminal bool
	columns      int       // how wide the output's lines may be
	progress     io.Writer // where progress is shown: a terminal, or nil
}

func main() { os.Exit(realMain()) }

// realMain exists so that deferred calls run before the exit.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := &program{ctx: ctx, in: os.Stdin, out: os.Stdout, err: os.Stderr, today: time.Now(), columns: 100}
	p.inIsTerminal = isatty.IsTerminal(os.Stdin.Fd())
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		p.columns = columns
	}
	if isatty.IsTerminal(os.Stderr.Fd()) {
		p.progress = os.Stderr
	}
	return p.run(os.Args[1:])
}

// usageError is an error of the command line that kong cannot see.
type usageError struct{ error }

// Unwrap returns what is wrong.
func (e usageError) Unwrap() error { return e.error }

func (p *program) run(args []string) int {
	var c commands
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("agent-lessons"),
		kong.Description("A repository's short, trustworthy memory of what code review taught."),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.UsageOnError())
	if err != nil {
		panic(err) // the tags above are wrong
	}
	command, err := parser.Parse(args)
	if exited >= 0 { // help was printed
		return exited
	}
	if err != nil {
		fmt.Fprintf(p.err, "agent-lessons: %s\nSee agent-lessons --help.\n", err)
		if len(args) > 0 && args[0] == "hook" {
			return exitFailed // an agent takes 2 for "stop": a flag that we do not know must not cost a prompt
		}
		return exitUsage
	}
	if err = command.Run(p); err == nil {
		return exitDone
	}
	fmt.Fprintf(p.err, "agent-lessons: %s\n", err)
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailed
}
