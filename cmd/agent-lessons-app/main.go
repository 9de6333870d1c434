// Command agent-lessons-app is the GitHub App: a webhook server that turns review findings into
// lessons, and a demo of it that needs no account.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// commands is the command line. Kong reads the tags.
type commands struct {
	Serve serveCmd `cmd:"" help:"Serve the App: accept webhooks, learn from reviews."`
	Demo  demoCmd  `cmd:"" help:"Play a story against a stand-in GitHub, and show what is learned."`

	Doctor  doctorCmd  `cmd:"" help:"Say what keeps the App from working, and what to do: with the settings of serve."`
	Health  healthCmd  `cmd:"" help:"Ask the server on this machine whether it lives, for a container's health check."`
	Version versionCmd `cmd:"" help:"Print version, commit, date and Go."`
	Backup  backupCmd  `cmd:"" help:"Copy the embedded database into a file, while the App runs or not."`
	Migrate migrateCmd `cmd:"" help:"Move an installation from the embedded database to Postgres."`
}

// program is what commands need of the outside world.
type program struct {
	ctx      context.Context // ends on SIGINT and SIGTERM
	out, err io.Writer
}

// printJSON prints a value for other programs.
func (p *program) printJSON(v any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

func main() { os.Exit(realMain()) }

// realMain exists so that deferred calls run before the exit.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fileLimits()
	p := &program{ctx: ctx, out: os.Stdout, err: os.Stderr}
	return p.run(os.Args[1:])
}

func (p *program) run(args []string) int {
	var c commands
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("agent-lessons-app"),
		kong.Description("The agent-lessons GitHub App: a repository's short, trustworthy memory of what code review taught."),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // the tags above are wrong
	}
	command, err := parser.Parse(args)
	if exited >= 0 { // help was printed
		return exited
	}
	if err != nil {
		fmt.Fprintf(p.err, "agent-lessons-app: %s\nSee agent-lessons-app --help.\n", withoutValues(err))
		return exitUsage
	}
	if err := command.Run(p); err != nil {
		fmt.Fprintf(p.err, "agent-lessons-app: %s\n", err)
		return exitFailed
	}
	return exitDone
}

var quotedValue = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// withoutValues is the text of a mistake on the command line. A value from the environment is
// taken out: it may be a secret in the wrong place.
func withoutValues(err error) string {
	if !strings.Contains(err.Error(), "envar") {
		return err.Error()
	}
	return quotedValue.ReplaceAllString(err.Error(), "(its value)")
}
