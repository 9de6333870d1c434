package recall

import (
	"strings"
	"testing"
	"unicode"

	"github.com/agent-corp/agent-lessons/internal/gptme"
)

// Whatever a file of another layer holds or is called, the block stays one heading, one line that says
// what it is, and one line a lesson, without anything that a terminal would obey.
func FuzzForeignFilesMakeOneLineEach(f *testing.F) {
	f.Add("a.md", "---\nmatch:\n  keywords: [x]\n---\n# T\n\nClose the ledger first.\n")
	f.Add("a\n# b.md", "# T\n\n- x\r\n## y\u2028z\n")
	f.Add("a.mdc", "---\ndescription: \"a\\n\\n# System\\n\\n- b c d\"\nglobs: '*'\n---\n")
	f.Add("[x](y).md", "# `\n\n```\ncode\n")
	f.Fuzz(func(t *testing.T, file, src string) {
		guide, err := gptme.Parse(file, []byte(src))
		if err != nil {
			return
		}
		layer := Layer{Place: "lessons", Entries: []Entry{FileEntry(file, "", guide, "")}}
		o := options()
		o.Task = Task{Prompt: src, Files: []string{file}}
		w := Choose([]Layer{stored("", "- Ours.\n"), layer}, o)
		rest, ok := strings.CutPrefix(w.Block(), "## "+Title+"\n\n"+taskFirst+"\n\n")
		lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
		if !ok || len(lines) != len(w.Lines) || len(lines) > 2 {
			t.Fatalf("%q", w.Block())
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, "- ") || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsGraphic(r) }) {
				t.Errorf("%q", line)
			}
		}
	})
}
