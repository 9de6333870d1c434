package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/docsync"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// Checkout is what there is to know of a checkout.
type Checkout struct {
	Git       bool   // the folder is in a git checkout
	Own       bool   // it is agent-lessons' own, whose workflows run what is checked out
	Config    File   // .agent-corp/config.yml
	Misnamed  string // a file that was meant for it, "" for none
	Store     File   // the lessons file that the configuration names
	Ignored   bool   // git ignores the lessons file
	Documents []File // those of sync_docs
	Workflows []File // .github/workflows
	Layers    []Layer
	Hooks     []Hooks
	OnPath    bool // agents find agent-lessons
}

// File is a file as it was read.
type File struct {
	Path    string
	Content []byte
	Exists  bool
	Err     error // why it cannot be read
}

// Layer is a layer as it was read.
type Layer struct {
	Name    string
	Lessons int
	Notes   []string
}

// Hooks is what one settings file of an agent says of the hooks.
type Hooks struct {
	File      string
	Installed bool
	Note      string // why they do not run
}

// most findings of one kind that are told.
const few = 10

// Diagnose judges a checkout.
func (c Checkout) Diagnose() Report {
	var out []Finding
	if !c.Git {
		out = append(out, Finding{"checkout", Warning, "this folder is in no git checkout", "run this inside the checkout whose lessons you mean"})
	}
	cfg, finding := c.configuration()
	out = append(out, finding...)
	out = append(out, c.store(cfg)...)
	out = append(out, c.documents(cfg)...)
	out = append(out, c.workflows()...)
	for _, l := range c.Layers {
		out = append(out, l.finding()...)
	}
	return judged(append(out, c.hooks()...))
}

func (c Checkout) configuration() (config.Config, []Finding) {
	const check = "configuration"
	cfg, out := config.Default(), []Finding{}
	if c.Misnamed != "" {
		out = append(out, Finding{check, Broken, c.Misnamed + " is not read by anything", "rename it to " + config.Path})
	}
	if c.Config.Err != nil {
		return cfg, append(out, Finding{check, Broken, c.Config.Err.Error() + "; the defaults are in force", "make " + config.Path + " a short regular file"})
	}
	if !c.Config.Exists {
		return cfg, append(out, Finding{check, OK, "there is no " + config.Path + ": the defaults are in force, or those of the owner's .github repository", ""})
	}
	cfg, err := config.Parse(config.Path, c.Config.Content)
	if err != nil {
		return cfg, append(out, Finding{check, Broken, err.Error() + "; the defaults are in force", "correct that line: docs/configuration.md explains every key"})
	}
	return cfg, append(out, Finding{check, OK, config.Path + " can be read", ""})
}

var conflict = regexp.MustCompile(`(?m)^(?:<{7}|>{7}) `)

// nearlyFull is the size of a store, in bytes, from which on it is told.
const nearlyFull = store.MaxBytes / 10 * 8

func (c Checkout) store(cfg config.Config) []Finding {
	const check = "lessons"
	path := c.Store.Path
	switch {
	case c.Store.Err != nil:
		return []Finding{{check, Broken, c.Store.Err.Error(), "make " + path + " a regular file of less than 1 MB; git log shows what it was"}}
	case c.Ignored:
		return []Finding{{check, Broken, "git ignores " + path + ": what is learned here is never committed", "take it out of .gitignore, or name another path in " + config.Path}}
	case !c.Store.Exists:
		return []Finding{{check, OK, "there is no " + path + " yet: the first lesson makes it", ""}}
	}
	file := lesson.Parse(c.Store.Content)
	measured := report.Of(file, cfg.Rule())
	out := []Finding{{check, OK, fmt.Sprintf("%s: %d active, %d retired, %d bytes", path, measured.Active, measured.RetiredTotal(), len(c.Store.Content)), ""}}
	if !utf8.Valid(c.Store.Content) {
		out = append(out, Finding{check, Broken, path + " is not UTF-8", "save it as UTF-8: what is no text is shown to no agent"})
	}
	if at := conflict.FindIndex(c.Store.Content); at != nil {
		out = append(out, Finding{check, Broken, fmt.Sprintf("%s:%d: it holds the markers of a merge conflict", path, 1+bytes.Count(c.Store.Content[:at[0]], []byte("\n"))),
			"keep the bullets of both sides, and remove the marker lines"})
	}
	if len(c.Store.Content) > nearlyFull {
		out = append(out, Finding{check, Warning, fmt.Sprintf("%s holds %d of at most %d bytes", path, len(c.Store.Content), store.MaxBytes-1), "shorten what people wrote into it: all of it costs agents context"})
	}
	if measured.Bounded > cfg.Cap {
		out = append(out, Finding{check, Warning, fmt.Sprintf("%d bullets with a trailer are more than the cap of %d", measured.Bounded, cfg.Cap), "delete what has had its day, or raise cap: a write takes away no more than it adds"})
	}
	var odd []Finding
	for _, b := range file.Bullets() {
		if b.Oddity != "" {
			odd = append(odd, Finding{check, Warning, fmt.Sprintf("%s:%d: %s", path, b.Line, b.Oddity), "write it like the others, or leave the trailer out: then the line is yours"})
		}
	}
	out = append(out, clip(odd, "agent-lessons list names all of them")...)
	return append(out, pairs(measured)...)
}

// pairs tells of bullets that do not go together.
func pairs(measured report.Store) []Finding {
	var out []Finding
	for _, p := range measured.Pairs {
		if p.Decision.Contradiction {
			out = append(out, Finding{"lessons", Warning, fmt.Sprintf("lines %d and %d contradict each other (%s)", p.A.Line, p.B.Line, p.Decision.Reason),
				fmt.Sprintf("delete or retire the one that no longer holds: agent-lessons explain %s %s", p.A.Handle(), p.B.Handle())})
		}
	}
	out = clip(out, "agent-lessons list shows all of them")
	if n := measured.Superfluous; n > 0 {
		out = append(out, Finding{"lessons", Warning, fmt.Sprintf("%d bullets say what an earlier one says", n), "set sweep.consolidate: true, and the next sweep brings them together"})
	}
	return out
}

func (c Checkout) documents(cfg config.Config) []Finding {
	const check = "documents"
	render := docsync.Renderer(cfg.Window)
	var out []Finding
	for _, d := range c.Documents {
		after, err := render(c.Store.Content, d.Content)
		switch {
		case d.Err != nil:
			out = append(out, Finding{check, Broken, d.Err.Error(), "make it a regular file, or take it out of sync_docs"})
		case !d.Exists:
			out = append(out, Finding{check, Broken, d.Path + " does not exist", "agent-lessons sync-docs --add " + d.Path})
		case errors.Is(err, docsync.ErrNoMarkers):
			out = append(out, Finding{check, Broken, d.Path + " has no markers", "agent-lessons sync-docs --add " + d.Path})
		case err != nil:
			out = append(out, Finding{check, Broken, d.Path + ": " + err.Error(), "leave exactly one pair of markers"})
		case !bytes.Equal(after, d.Content):
			out = append(out, Finding{check, Warning, d.Path + " is out of step with the lessons", "agent-lessons sync-docs"})
		default:
			out = append(out, Finding{check, OK, d.Path + " is in step", ""})
		}
	}
	return out
}

// uses matches a step of the Action; local is how its own repository runs it.
var (
	uses   = regexp.MustCompile(`(?mi)^\s*(?:-\s*)?uses:\s*["']?agent-corp/agent-lessons@([^\s"'#]*)`)
	local  = regexp.MustCompile(`(?m)^\s*(?:-\s*)?uses:\s*\./\s*$`)
	pinned = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// Running returns the workflows that run the Action.
func (c Checkout) Running() []string {
	var out []string
	for _, w := range c.Workflows {
		if uses.Match(w.Content) || c.Own && local.Match(w.Content) {
			out = append(out, w.Path)
		}
	}
	return out
}

func (c Checkout) workflows() []Finding {
	const check = "workflows"
	var out []Finding
	scheduled, running := false, c.Running()
	for _, w := range c.Workflows {
		if w.Err != nil {
			out = append(out, Finding{check, Warning, w.Err.Error(), "make it a regular file"})
			continue
		}
		scheduled = scheduled || slices.Contains(running, w.Path) && bytes.Contains(w.Content, []byte("schedule:"))
		for _, step := range uses.FindAllSubmatch(w.Content, -1) {
			if ref := string(step[1]); !pinned.MatchString(ref) {
				out = append(out, Finding{check, Warning, fmt.Sprintf("%s runs agent-corp/agent-lessons@%s, which can be moved", w.Path, ref), "pin it to a release's whole commit id"})
			}
		}
	}
	const install = "agent-lessons init writes the workflows"
	switch {
	case len(running) == 0:
		out = append(out, Finding{check, Warning, "no workflow runs the Action: nothing comments on pull requests, and only an App that is told to sweeps", install})
	case !scheduled:
		out = append(out, Finding{check, Warning, "no workflow of the Action has a schedule: nothing retires what is stale or expired, unless the App is told to", install})
	default:
		out = append(out, Finding{check, OK, "the Action runs on a schedule", ""})
	}
	return out
}

func (l Layer) finding() []Finding {
	out := []Finding{{"layers", OK, fmt.Sprintf("%s: %d lessons", l.Name, l.Lessons), ""}}
	if l.Lessons == 0 {
		out[0].Severity, out[0].Fix = Warning, "correct its place in "+config.Path+", or take it out"
	}
	var notes []Finding
	for _, note := range l.Notes {
		notes = append(notes, Finding{"layers", Warning, l.Name + ": " + note, "agent-lessons layers audit says more of folders with lessons"})
	}
	return append(out, clip(notes, "agent-lessons block --explain shows all of them")...)
}

func (c Checkout) hooks() []Finding {
	const check = "hooks"
	var out []Finding
	var installed []string
	for _, h := range c.Hooks {
		if h.Note != "" {
			out = append(out, Finding{check, Warning, h.File + ": " + h.Note, "correct that file, then agent-lessons hooks install"})
		}
		if h.Installed {
			installed = append(installed, h.File)
		}
	}
	switch {
	case len(installed) == 0:
		out = append(out, Finding{check, OK, "no agent has the hooks; agent-lessons hooks install puts them in", ""})
	case !c.OnPath:
		out = append(out, Finding{check, Broken, "hooks are installed, but agent-lessons is not on the PATH: agents do not find it", "put it into a folder of the PATH"})
	default:
		out = append(out, Finding{check, OK, "installed in " + strings.Join(installed, ", "), ""})
	}
	return out
}
