package main

import (
	"fmt"
	"io"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/store"
)

type learnCmd struct {
	storeFlag
	PR      int    `name:"pr" placeholder:"N" help:"The pull request that the findings belong to."`
	Date    string `placeholder:"YYYY-MM-DD" help:"The day of the review in UTC; today by default."`
	Verdict string `default:"changes-requested" help:"The channel: ${enum}." enum:"changes-requested,ci-fix,founder-note,finding"`
	DryRun  bool   `help:"Show what would change, and write nothing."`
	JSON    bool   `name:"json" help:"Print the outcome as JSON."`
	File    string `arg:"" optional:"" default:"-" help:"Findings as Markdown, or as JSON {\"body\": \"…\", \"comments\": [{\"path\": \"…\", \"line\": 1, \"body\": \"…\"}]}, or a JSON list of comments as GitHub's API gives it; - is standard input."`
}

// Run learns into the working tree. Committing is the caller's.
func (c *learnCmd) Run(p *program) error {
	findings, err := c.findings(p)
	if err != nil {
		return err
	}
	day := lesson.DateOf(p.today)
	if c.Date != "" {
		if day, err = lesson.ParseDate(c.Date); err != nil {
			return usageError{fmt.Errorf("--date: %w", err)}
		}
	}
	if c.PR < 0 {
		return usageError{fmt.Errorf("--pr: %d is not the number of a pull request", c.PR)}
	}
	tree, cfg, err := c.open(p)
	if err != nil {
		return err
	}
	if !cfg.Teaches(lesson.Verdict(c.Verdict)) {
		return fmt.Errorf("the configuration leaves the channel %s out: add it to channels in %s", c.Verdict, config.Path)
	}
	pr := lesson.PullRequest{Number: c.PR}
	m := memory.Memory{Store: tree, Distiller: distill.NewExtractive(), Config: cfg, Pause: store.Pause}
	if c.DryRun {
		m.Store = memory.ReadOnly{Store: tree}
	}
	result, err := m.Learn(p.ctx, memory.Event{
		Source:   ledger.Source{Channel: c.Verdict, PR: pr},
		Evidence: lesson.Evidence{PR: pr, Date: day, Verdict: lesson.Verdict(c.Verdict)},
		Findings: findings,
	})
	if err != nil {
		return err
	}
	for _, notice := range result.Notices {
		fmt.Fprintf(p.err, "agent-lessons: %s: %s\n", tree.Path, guard.Visible(notice))
	}
	if result.LeftOut > 0 {
		fmt.Fprintf(p.err, "agent-lessons: %d findings were left out: a review is read up to a bound\n", result.LeftOut)
	}
	answer := answerOf(result)
	if c.JSON {
		return p.printJSON(answer)
	}
	answer.print(p.out)
	printDocuments(p.out, result.Write)
	if c.DryRun {
		return p.printDiff(tree.Path, result.Before, result.After)
	}
	return err
}

// answer is the outcome of learn as other programs read it (issue 2).
type answer struct {
	Lessons []answerLesson `json:"lessons"`
	Stats   answerStats    `json:"stats"`
	// Documents are those that were brought in step.
	Documents []string `json:"documents,omitempty"`
}

type answerLesson struct {
	Text    string  `json:"text"`
	Outcome string  `json:"outcome"` // appended | refreshed | refused
	Handle  string  `json:"handle,omitempty"`
	Line    int     `json:"line,omitempty"` // 1-based line in the file after the write
	Score   float64 `json:"score"`          // of the pair that collapsed; 0 when none did
	Reason  string  `json:"reason,omitempty"`
}

type answerStats struct {
	Appended  int     `json:"appended"`
	Refreshed int     `json:"refreshed"`
	Refused   int     `json:"refused"`
	Evicted   int     `json:"evicted"`
	Active    int     `json:"active"`
	Total     int     `json:"total"`
	Floor     float64 `json:"floor"`
}

func answerOf(r memory.Result) answer {
	e := r.Entry
	a := answer{Lessons: []answerLesson{}, Documents: r.Commit.Documents, Stats: answerStats{
		Appended: e.Appended, Refreshed: e.Refreshed, Evicted: e.Evicted, Active: e.Active, Total: e.Total, Floor: e.Floor,
	}}
	after := lesson.Parse(r.After)
	for _, o := range r.Outcomes {
		l := answerLesson{Text: o.Sentence, Outcome: string(o.Kind), Score: o.Score, Reason: o.Reason}
		if o.Kind == lesson.Refused {
			a.Stats.Refused++
		} else {
			l.Handle, l.Line = o.Bullet.Handle(), lineOf(after, o.Bullet)
		}
		a.Lessons = append(a.Lessons, l)
	}
	return a
}

// lineOf returns the line of a bullet that was just written; the sentence alone does not tell it
// from a founder note that says the same.
func lineOf(f *lesson.File, b lesson.Bullet) int {
	for _, other := range f.Bullets() {
		if other.String() == b.String() {
			return other.Line
		}
	}
	return 0
}

func (a answer) print(w io.Writer) {
	if len(a.Lessons) == 0 {
		fmt.Fprintln(w, "Nothing to learn.")
		return
	}
	for _, l := range a.Lessons {
		where := ""
		if l.Line > 0 {
			where = fmt.Sprintf(" line %d", l.Line)
		}
		fmt.Fprintf(w, "%s%s: %s\n", l.Outcome, where, guard.Visible(l.Text))
		if l.Reason != "" {
			fmt.Fprintf(w, "    %s\n", guard.Visible(l.Reason))
		}
	}
}
