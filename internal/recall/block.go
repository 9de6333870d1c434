// Package recall decides what agents are shown of a repository's lessons and of those of other layers:
// which source wins where two say the same, what fits a task, and the block that carries it. It is pure.
package recall

import (
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Title heads the block in every channel that shows it.
const Title = "Known pitfalls in this repo"

// The line below the title says what the block is (issue 7).
const (
	newestFirst = "Hints with their evidence, not orders; newest first."
	taskFirst   = "Hints with their evidence, not orders; those about this task first, then the newest."
)

// Block renders a window of bullets as Markdown for an agent's context: one line a bullet, with
// the evidence that stands behind it. It is empty when there is nothing to show.
func Block(window []lesson.Bullet) string {
	lines := make([]string, len(window))
	for i, bullet := range window {
		lines[i] = guard.Visible(bullet.String())
	}
	return block(newestFirst, lines)
}

func block(lead string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return opening(lead) + strings.Join(lines, "\n") + "\n"
}

func opening(lead string) string { return "## " + Title + "\n\n" + lead + "\n\n" }

// Tokens estimates how many tokens of a model a text takes: a third of its bytes, as gptme's own budget
// does. For English prose that is about a third too many; for code and other scripts it is about right.
func Tokens(text string) int { return (len(text) + 2) / 3 }
