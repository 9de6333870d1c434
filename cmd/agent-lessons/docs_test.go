package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agent-corp/agent-lessons/internal/pagetest"
)

// TestDocs runs the console examples of the documentation, those of one page one after another
// in one checkout, and compares what they print.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var scripts []string
	for _, page := range append(pages, "../../README.md") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		script := consoleScript(string(src))
		if script == "" {
			continue
		}
		name := filepath.Join(folder, strings.TrimSuffix(filepath.Base(page), ".md")+".txtar")
		if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, name)
	}
	testscript.Run(t, testscript.Params{Files: scripts})
}

// consoleScript turns fenced console blocks into a test script: each line after "$ " is a shell
// command, the lines below it are what it prints.
func consoleScript(page string) string {
	var script, files strings.Builder
	n := 0
	blocks := strings.Split(page, "\n```console\n")
	for _, block := range blocks[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, output, printed := strings.Cut(example, "\n")
			n++
			fmt.Fprintf(&script, "exec sh -c %s\n", quoted(command))
			if printed {
				fmt.Fprintf(&script, "cmp stdout want%d\n", n)
				fmt.Fprintf(&files, "-- want%d --\n%s\n", n, output)
			}
		}
	}
	if n == 0 {
		return ""
	}
	return "[windows] skip 'the examples are written for a Unix shell'\nmkdir .git home\nenv HOME=$WORK/home\nenv AGENT_FINDINGS_HOME=\n" + script.String() + files.String()
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Every module that go.mod requires for our own code earns its line in docs/dependencies.md, and
// every line stands for one.
func TestEveryDependencyIsExplained(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) == 2 && strings.HasPrefix(fields[1], "v") {
			required[fields[0]] = true
		}
	}
	for module := range required {
		if !strings.Contains(string(page), "| `"+module+"` |") {
			t.Errorf("%s has no line in docs/dependencies.md", module)
		}
	}
	for line := range strings.Lines(string(page)) {
		if module, ok := strings.CutPrefix(line, "| `"); ok {
			if module, _, _ = strings.Cut(module, "`"); !required[module] {
				t.Errorf("docs/dependencies.md explains %s, which go.mod does not require", module)
			}
		}
	}
}

var _ = flag.Bool("update", false, "rewrite the table of commands in the README")

// The README names every command.
func TestDocumentedCommands(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Name("agent-lessons"))
	if err != nil {
		t.Fatal(err)
	}
	pagetest.Between(t, "../../README.md", "agent-lessons", pagetest.Commands(parser.Model))
}
