package pagetest

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Commands renders a program's commands as a table: kong's own model, so that none is missing.
func Commands(program *kong.Application) string {
	var out strings.Builder
	out.WriteString("| command | what it does |\n| --- | --- |\n")
	for _, command := range program.Children {
		if command.Hidden {
			continue
		}
		name := command.Name
		var below []string
		for _, child := range command.Children {
			below = append(below, child.Name)
		}
		if len(below) > 0 {
			name += " " + strings.Join(below, `\|`)
		}
		fmt.Fprintf(&out, "| `%s %s` | %s |\n", program.Name, name, command.Help)
	}
	return out.String()
}
