package main

import (
	"errors"
	"fmt"
	"os/exec"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type deleteCmd struct {
	homeFlag
	ID string `arg:"" help:"The id, or its beginning."`
}

// Run deletes one finding.
func (c *deleteCmd) Run(p *program) error {
	store, set, err := c.load(p)
	if err != nil {
		return err
	}
	r, err := set.Find(c.ID)
	if err != nil {
		return err
	}
	if err := store.Delete(p.ctx, r.ID); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "deleted %s/%s\n", r.TaskType, r.ID)
	return nil
}

type statsCmd struct {
	homeFlag
	JSON bool `name:"json" help:"Print the numbers as JSON."`
}

// statsJSON is stats.json and what only this store knows.
type statsJSON struct {
	findings.Stats
	Superseded int                   `json:"superseded"`
	Deleted    int                   `json:"deleted"`
	Refused    int                   `json:"refused"` // by the guard; shown to no agent
	Unreadable []findings.Unreadable `json:"unreadable"`
}

// Run counts.
func (c *statsCmd) Run(p *program) error {
	store, set, err := c.load(p)
	if err != nil {
		return err
	}
	refused, err := store.Refused()
	if err != nil {
		return err
	}
	s := statsJSON{set.Stats(), set.Superseded, set.Deleted, len(refused), emptyNotNull(set.Unreadable)}
	if c.JSON {
		return p.printJSON(s)
	}
	fmt.Fprintf(p.out, "findings:   %d\nsuperseded: %d\ndeleted:    %d\nrefused:    %d\nunreadable: %d\n",
		s.TotalFindings, s.Superseded, s.Deleted, s.Refused, len(s.Unreadable))
	if s.LastWrite != nil {
		fmt.Fprintf(p.out, "newest:     %s\n", *s.LastWrite)
	}
	for _, t := range s.TopTaskTypes {
		fmt.Fprintf(p.out, "task %6d  %s\n", t.Count, t.TaskType)
	}
	for _, t := range s.TopTags {
		fmt.Fprintf(p.out, "tag  %6d  %s\n", t.Count, t.Tag)
	}
	return nil
}

type reindexCmd struct {
	homeFlag
}

// Run derives anew.
func (c *reindexCmd) Run(p *program) error {
	store, err := c.open()
	if err != nil {
		return err
	}
	set, err := store.Reindex(p.ctx)
	if err != nil {
		return err
	}
	p.reportUnreadable(store, set)
	fmt.Fprintf(p.out, "indexed %d findings\n", len(set.Records))
	return p.reportRefused(store)
}

func (p *program) reportRefused(store findings.Store) error {
	refused, err := store.Refused()
	for _, f := range refused {
		fmt.Fprintf(p.err, "agent-lessons: %s is not shown to agents: %s\n", f.ID, guard.Visible(f.Refused))
	}
	return err
}

type syncCmd struct {
	homeFlag
	Remote string `placeholder:"URL" help:"The git repository to exchange with; needed the first time."`
	JSON   bool   `name:"json" help:"Print the outcome as JSON."`
}

// Run syncs. Being offline is said, and no failure: the next sync catches up.
func (c *syncCmd) Run(p *program) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("git"); err != nil {
		return errors.New("findings sync needs git on the PATH")
	}
	out, err := dir.Sync(p.ctx, c.Remote, store.Pause)
	if err != nil {
		return err
	}
	p.reportUnreadable(dir, out.Set)
	if out.Offline != "" {
		fmt.Fprintf(p.err, "agent-lessons: offline, committed here and sent with the next sync: %s\n", guard.Visible(out.Offline))
	}
	if err := p.reportRefused(dir); err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(out)
	}
	said := fmt.Sprintf("sent %d, received %d", out.Sent, out.Received)
	switch {
	case out.Offline != "":
		said = "not exchanged"
	case out.Sent+out.Received == 0:
		said = "in step"
	}
	if out.Branch != "" {
		said += " (branch " + guard.Visible(out.Branch) + ")"
	}
	fmt.Fprintf(p.out, "%s: %d findings here\n", said, len(out.Set.Records))
	return nil
}

type exportCmd struct {
	homeFlag
	storeFlag
	Write bool `help:"Write the lessons; without it they are shown."`
	JSON  bool `name:"json" help:"Print the proposals and their outcomes as JSON."`
}

// exported is a proposal and what became of it.
type exported struct {
	findings.Proposal
	Outcome string `json:"outcome"` // appended | refreshed | refused, as it was or would be
	Reason  string `json:"reason,omitempty"`
}

// Run proposes what this checkout's findings teach, and writes it with --write.
func (c *exportCmd) Run(p *program) error {
	_, set, err := c.load(p)
	if err != nil {
		return err
	}
	root, err := checkout()
	if err != nil {
		return err
	}
	tree, cfg, err := c.storeFlag.open(p)
	if err != nil {
		return err
	}
	teaches := cfg.Teaches(lesson.Finding)
	if c.Write && !teaches {
		return fmt.Errorf("the configuration leaves the channel %s out: add it to channels in %s", lesson.Finding, config.Path)
	}
	var here []findings.Record
	repository := findings.Repository(p.ctx, root)
	for _, r := range set.Records {
		if r.Concerns(repository, root) {
			here = append(here, r)
		}
	}
	proposals, refused, err := findings.Propose(p.ctx, here, distill.NewExtractive(), cfg.Rule())
	if err != nil {
		return err
	}
	for id, reason := range refused {
		fmt.Fprintf(p.err, "agent-lessons: %s: refused: %s\n", id, reason)
	}
	m := memory.Memory{Store: tree, Config: cfg, Pause: store.Pause}
	if !c.Write {
		m.Store = memory.ReadOnly{Store: tree}
	}
	out := []exported{}
	for _, proposal := range proposals {
		m.Distiller = findings.Distilled(proposal.Sentence)
		result, err := m.Learn(p.ctx, memory.Event{
			Source:   ledger.Source{Channel: string(lesson.Finding)},
			Evidence: lesson.Evidence{Date: lesson.DateOf(proposal.Timestamp), Verdict: lesson.Finding},
		})
		if err != nil {
			return err
		}
		for _, o := range result.Outcomes {
			out = append(out, exported{proposal, string(o.Kind), o.Reason})
		}
	}
	if c.JSON {
		return p.printJSON(out)
	}
	for _, e := range out {
		fmt.Fprintf(p.out, "%s: %s\n    %d of %d findings, sessions: %d, surest: %.2f\n", e.Outcome, e.Sentence, len(e.Findings), len(here), e.Sessions, e.Confidence)
	}
	switch {
	case len(out) == 0:
		fmt.Fprintf(p.out, "Nothing to propose: of %d findings of this repository, none is seen in two sessions or surer than 0.8.\n", len(here))
	case !c.Write:
		next := "write them with --write"
		if !teaches {
			next = fmt.Sprintf("to write them, add %s to channels in %s and give --write", lesson.Finding, config.Path)
		}
		fmt.Fprintf(p.out, "\nNothing was written: %s.\n", next)
	}
	return nil
}
