package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
)

type listCmd struct {
	storeFlag
	JSON bool `name:"json" help:"Print the bullets as JSON."`
}

// listed is a bullet as other programs read it.
type listed struct {
	Handle      string   `json:"handle"`
	Status      string   `json:"status"` // active, or the retirement
	Sentence    string   `json:"sentence"`
	Verdict     string   `json:"verdict,omitempty"` // "" for a person's bullet
	PullRequest string   `json:"pull_request,omitempty"`
	Date        string   `json:"date,omitempty"`
	AgeDays     *int     `json:"age_days,omitempty"`
	Earned      int      `json:"earned,omitempty"`
	RetiredOn   string   `json:"retired_on,omitempty"`
	Line        int      `json:"line,omitempty"`
	Contradicts []string `json:"contradicts,omitempty"` // handles
}

// newerFirst moves each bullet in front of the older ones that it contradicts or corrects; all
// others keep the order of the file.
func newerFirst(bullets []lesson.Bullet, opposed map[string][]string) []lesson.Bullet {
	out := make([]lesson.Bullet, 0, len(bullets))
	for _, b := range bullets {
		at := -1
		if against := opposed[b.Handle()]; len(against) > 0 && b.Active() && b.Trailer != nil {
			at = slices.IndexFunc(out, func(a lesson.Bullet) bool {
				return a.Active() && a.Trailer != nil && !b.Trailer.Date.Before(a.Trailer.Date) && slices.Contains(against, a.Handle())
			})
		}
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, b)
	}
	return out
}

// Run lists all bullets in the order of the file, but the newer first of two that contradict.
func (c *listCmd) Run(p *program) error {
	file, cfg, err := c.read(p)
	if err != nil {
		return err
	}
	opposed := oppositions(report.Of(file, cfg.Rule()))
	bullets := []listed{}
	for _, b := range newerFirst(file.Bullets(), opposed) {
		l := list(b, lesson.DateOf(p.today))
		if b.Active() {
			l.Contradicts = opposed[l.Handle]
		}
		bullets = append(bullets, l)
	}
	if c.JSON {
		return p.printJSON(bullets)
	}
	if len(bullets) == 0 {
		fmt.Fprintln(p.err, "agent-lessons: no lessons yet")
		return nil
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "HANDLE\tSTATUS\tAGE\tEARNED\tEVIDENCE\tLESSON")
	for _, b := range bullets {
		age, earned, evidence := "-", "-", "a person's line"
		if b.AgeDays != nil {
			age, earned, evidence = strconv.Itoa(*b.AgeDays)+"d", strconv.Itoa(b.Earned)+"x", b.Verdict
			if b.PullRequest != "" {
				evidence = b.PullRequest + ", " + b.Verdict
			}
		}
		sentence := guard.Visible(b.Sentence)
		if len(b.Contradicts) > 0 {
			sentence += " [contradicts " + strings.Join(b.Contradicts, ", ") + "]"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", b.Handle, guard.Visible(b.Status), age, earned, evidence, sentence)
	}
	return table.Flush()
}

func list(b lesson.Bullet, today lesson.Date) listed {
	l := listed{Handle: b.Handle(), Status: "active", Sentence: b.Sentence, Line: b.Line}
	if b.Trailer == nil {
		return l
	}
	t := b.Trailer
	age := today.DaysSince(t.Date)
	l.Verdict, l.PullRequest, l.Date, l.AgeDays, l.Earned = string(t.Verdict), t.PR.String(), t.Date.String(), &age, t.Earned
	if t.Retired() {
		l.Status, l.RetiredOn = string(t.Retirement.Kind), t.Retirement.Date.String()
	}
	return l
}

// oppositions returns for each active bullet the handles of those that an agent cannot obey together
// with it.
func oppositions(s report.Store) map[string][]string {
	out := map[string][]string{}
	link := func(from, to string) {
		if !slices.Contains(out[from], to) {
			out[from] = append(out[from], to)
		}
	}
	for _, p := range s.AllOpposed() {
		link(p.A.Handle(), p.B.Handle())
		link(p.B.Handle(), p.A.Handle())
	}
	return out
}
