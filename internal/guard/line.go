package guard

import "strings"

// Line returns text as one line that a terminal may print: nothing invisible, so no escape, and no
// line break.
func Line(text string) string { return strings.Join(strings.Fields(visible(text)), " ") }
