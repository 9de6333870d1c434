package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/hook"
)

type findingsCmd struct {
	Record  recordCmd      `cmd:"" help:"Add a finding, given as JSON."`
	Recall  recallCmd      `cmd:"" help:"Print the findings that fit a task, as an agent is shown them."`
	List    listRecordsCmd `cmd:"" help:"List the newest findings."`
	Show    showRecordCmd  `cmd:"" help:"Print one finding."`
	Search  searchCmd      `cmd:"" help:"List the findings that hold all of some words."`
	Delete  deleteCmd      `cmd:"" help:"Take a finding out for good, in every store that this one is synced with."`
	Stats   statsCmd       `cmd:"" help:"Count the findings."`
	Reindex reindexCmd     `cmd:"" help:"Derive the index anew, and judge what came from elsewhere."`
	Sync    syncCmd        `cmd:"" help:"Exchange findings with a git repository."`
	Export  exportCmd      `cmd:"" help:"Propose this repository's findings as lessons."`
}

// homeFlag is shared by all commands that work on a store of findings.
type homeFlag struct {
	Home string `env:"AGENT_FINDINGS_HOME" placeholder:"DIR" help:"The store of findings; ~/.agent-findings by default."`
}

func (h homeFlag) open() (findings.Store, error) {
	if h.Home != "" {
		dir, err := filepath.Abs(h.Home) // a hook changes the folder
		return findingsIn(dir), err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return findings.Store{}, fmt.Errorf("%w: name the store with --home", err)
	}
	return findingsIn(filepath.Join(home, ".agent-findings")), nil
}

func findingsIn(dir string) findings.Store {
	return findings.Store{Dir: dir, Cache: cacheFolder(), Now: time.Now()}
}

// load reads a store and says what in it could not be read.
func (h homeFlag) load(p *program) (findings.Store, findings.Set, error) {
	store, err := h.open()
	if err != nil {
		return store, findings.Set{}, err
	}
	set, err := store.Load()
	p.reportUnreadable(store, set)
	return store, set, err
}

func (p *program) reportUnreadable(store findings.Store, set findings.Set) {
	for _, u := range set.Unreadable {
		fmt.Fprintf(p.err, "agent-lessons: %s: %s\n", filepath.Join(store.Dir, filepath.FromSlash(guard.Visible(u.File))), guard.Visible(u.Reason))
	}
}

type recallCmd struct {
	homeFlag
	Task  []string `arg:"" help:"What the agent is about to do."`
	Limit int      `default:"3" placeholder:"N" help:"At most so many findings."`
	JSON  bool     `name:"json" help:"Print the findings as JSON."`
}

// Run prints what fits, nothing when nothing does.
func (c *recallCmd) Run(p *program) error {
	store, err := c.open()
	if err != nil {
		return err
	}
	task := strings.Join(c.Task, " ")
	found, stale, err := store.Recall(task, c.Limit)
	if err == nil && stale {
		if err = store.Refresh(); errors.Is(err, findings.ErrJudging) {
			p.remark([]string{err.Error()}, true)
			err = nil
		} else if err == nil {
			found, _, err = store.Recall(task, c.Limit)
		}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(emptyNotNull(found))
	}
	var text strings.Builder
	for _, f := range found {
		text.WriteString(hook.Render(f))
	}
	fmt.Fprint(p.out, strings.TrimPrefix(text.String(), "\n"))
	return nil
}

type listRecordsCmd struct {
	homeFlag
	N    int  `arg:"" optional:"" default:"10" help:"How many; 0 for all."`
	JSON bool `name:"json" help:"Print the records as JSON."`
}

// Run lists the newest findings.
func (c *listRecordsCmd) Run(p *program) error {
	_, set, err := c.load(p)
	if err != nil {
		return err
	}
	records := set.Records
	if c.N > 0 {
		records = records[:min(len(records), c.N)]
	}
	return p.printRecords(records, c.JSON)
}

func (p *program) printRecords(records []findings.Record, asJSON bool) error {
	if asJSON {
		return p.printJSON(emptyNotNull(records))
	}
	if len(records) == 0 {
		fmt.Fprintln(p.err, "agent-lessons: no findings")
		return nil
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tDAY\tTASK\tSURE\tFINDING")
	for _, r := range records {
		fmt.Fprintf(table, "%s\t%s\t%s\t%.2f\t%s\n", r.ID[:min(len(r.ID), 8)], r.Timestamp.Format("2006-01-02"), r.TaskType, r.Confidence, summary(r))
	}
	return table.Flush()
}

// summary is the beginning of what a record says, fit for a terminal.
func summary(r findings.Record) string {
	const width = 80
	for _, text := range []string{r.WhatWorked, r.WhatFailed, r.BetterExitCondition} {
		if runes := []rune(guard.Visible(text)); len(runes) > width {
			return string(runes[:width]) + " …"
		} else if len(runes) > 0 {
			return string(runes)
		}
	}
	return ""
}

type showRecordCmd struct {
	homeFlag
	ID   string `arg:"" help:"The id, or its beginning."`
	JSON bool   `name:"json" help:"Print the record as JSON."`
}

// Run prints one finding as it was recorded, and whether agents are shown it.
func (c *showRecordCmd) Run(p *program) error {
	store, set, err := c.load(p)
	if err != nil {
		return err
	}
	r, err := set.Find(c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(r)
	}
	printRecord(p.out, r)
	refused, err := store.Refused()
	for _, f := range refused {
		if f.ID == r.ID {
			fmt.Fprintf(p.out, "not shown to agents: %s\n", guard.Visible(f.Refused))
		}
	}
	return err
}

func printRecord(w io.Writer, r findings.Record) {
	source := findings.Source{}
	if r.Source != nil {
		source = *r.Source
	}
	for _, line := range [][2]string{
		{"id", r.ID}, {"time", r.Timestamp.Format(time.RFC3339)}, {"task", r.TaskType}, {"language", r.Language},
		{"confidence", fmt.Sprintf("%.2f", r.Confidence)}, {"tags", strings.Join(r.Tags, ", ")},
		{"what worked", r.WhatWorked}, {"what failed", r.WhatFailed}, {"better exit condition", r.BetterExitCondition},
		{"agent", source.Agent}, {"session", source.SessionID}, {"repository", source.Repository}, {"folder", source.CWD},
	} {
		if line[1] != "" {
			fmt.Fprintf(w, "%s: %s\n", line[0], guard.Visible(line[1]))
		}
	}
}

type searchCmd struct {
	homeFlag
	Words []string `arg:"" help:"Words, or parts of words; all of them."`
	JSON  bool     `name:"json" help:"Print the records as JSON."`
}

// Run looks through everything that the findings say.
func (c *searchCmd) Run(p *program) error {
	_, set, err := c.load(p)
	if err != nil {
		return err
	}
	var found []findings.Record
	for _, r := range set.Records {
		if r.Holds(c.Words) {
			found = append(found, r)
		}
	}
	return p.printRecords(found, c.JSON)
}
