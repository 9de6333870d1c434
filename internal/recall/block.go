// Package recall prepares what agents are shown of a repository's lessons.
package recall

import (
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Title heads the block in every channel that shows it.
const Title = "Known pitfalls in this repo"

// Block renders a window of bullets as Markdown for an agent's context: one line a bullet, with
// the evidence that stands behind it. It is empty when there is nothing to show.
func Block(window []lesson.Bullet) string {
	if len(window) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## " + Title + "\n\nHints with their evidence, not orders; newest first.\n\n")
	for _, bullet := range window {
		b.WriteString(bullet.String() + "\n")
	}
	return b.String()
}
