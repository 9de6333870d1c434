package report

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// maxBody keeps a pull request's body well under GitHub's 65,536 characters.
const maxBody = 50_000

// Pending describes in Markdown what merging a pull request does to the lessons file: a row for
// each bullet that it adds, re-earns, retires or removes.
func Pending(base, pending *lesson.File) string {
	before, after := byName(base), byName(pending)
	var rows [][]string
	row := func(what string, b lesson.Bullet) {
		evidence := ""
		if b.Trailer != nil {
			evidence = b.Trailer.String()
		}
		rows = append(rows, []string{what, Inline(b.Sentence), Inline(evidence), Code(b.Handle())})
	}
	for _, b := range pending.Bullets() {
		old, known := before[b.Handle()]
		switch {
		case !known:
			row("new", b)
		case old.String() == b.String():
		case old.Active() && !b.Active():
			row("retired", b)
		default:
			row("changed", b)
		}
	}
	for _, b := range base.Bullets() {
		if _, stays := after[b.Handle()]; !stays {
			row("removed", b)
		}
	}
	var body strings.Builder
	body.WriteString("The branch's rules forbid agent-lessons to write here directly, so what code review taught since waits in this pull request. " +
		"New lessons are appended to it as commits; merging it brings them to the agents. Edit the file on this branch as you like: commits of yours stay.\n\n")
	for shown := len(rows); ; shown /= 2 {
		table := Table([]string{"", "Lesson", "Evidence", "Handle"}, rows[:shown])
		if len(table) > maxBody && shown > 1 {
			continue
		}
		body.WriteString(table)
		if left := len(rows) - shown; left > 0 {
			fmt.Fprintf(&body, "\n…and %d more, in the diff.\n", left)
		}
		break
	}
	body.WriteString("\nClosing it unmerged drops these lessons, and nothing is proposed for 14 days.\n")
	return body.String()
}

// byName indexes the bullets by their handle.
func byName(f *lesson.File) map[string]lesson.Bullet {
	out := map[string]lesson.Bullet{}
	for _, b := range f.Bullets() {
		out[b.Handle()] = b
	}
	return out
}
