// Package doctor says what keeps an installation from working, and what to do about it. It is
// pure: facts go in, findings come out. Whoever collects the facts looks; this package judges.
package doctor

import (
	"fmt"
	"io"
	"slices"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// Severity says how bad a finding is.
type Severity string

// The severities. A warning costs something and stops nothing; what is broken must be mended.
const (
	OK      Severity = "ok"
	Warning Severity = "warning"
	Broken  Severity = "broken"
)

// Finding is the outcome of one look.
type Finding struct {
	Check    string   `json:"check"` // what was looked at: "configuration"
	Severity Severity `json:"severity"`
	What     string   `json:"what"`          // one line
	Fix      string   `json:"fix,omitempty"` // one line; "" where nothing is to be done
}

// Report is all that a doctor found.
type Report struct {
	Healthy  bool      `json:"healthy"` // nothing is broken
	Findings []Finding `json:"findings"`
}

// judged makes the findings a Report. What comes from files and from GitHub is foreign text.
func judged(findings []Finding) Report {
	for i, f := range findings {
		findings[i].What, findings[i].Fix = guard.Visible(f.What), guard.Visible(f.Fix)
	}
	broken := slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Broken })
	return Report{Healthy: !broken, Findings: findings}
}

// Print writes the report for people, and what to do below what is wrong.
func (r Report) Print(out io.Writer) {
	count := map[Severity]int{}
	for _, f := range r.Findings {
		count[f.Severity]++
		fmt.Fprintf(out, "%-7s  %s: %s\n", f.Severity, f.Check, f.What)
		if f.Fix != "" {
			fmt.Fprintf(out, "         -> %s\n", f.Fix)
		}
	}
	fmt.Fprintf(out, "\n%d ok, %d warnings, %d broken\n", count[OK], count[Warning], count[Broken])
}

// clip bounds how many findings of one kind are told, and says how many more there are.
func clip(findings []Finding, more string) []Finding {
	if len(findings) <= few {
		return findings
	}
	last := findings[few]
	last.What, last.Fix = fmt.Sprintf("%d more like that", len(findings)-few), more
	return append(findings[:few:few], last)
}
