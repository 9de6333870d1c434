package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is shown to people parses, and says what is in force without it.
func TestExampleIsTheDefault(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{"example": Example(), "commented": Commented()} {
		got, err := Parse(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fmt.Sprintf("%v", Default()), fmt.Sprintf("%v", got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The documentation shows what the type has. Run with -update after changing it.
func TestDocumentedKeys(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| key | default | |\n| --- | --- | --- |\n")
	for _, k := range Keys() {
		fmt.Fprintf(&table, "| `%s` | `%s` | %s |\n", k.Name, k.Default, strings.ReplaceAll(k.Help(), "|", `\|`))
	}
	between(t, "../../README.md", table.String())
	page := between(t, "../../docs/configuration.md", "```yaml\n"+Example()+"```\n")
	for _, k := range Keys() {
		section, _, _ := strings.Cut(k.Name, ".")
		if !strings.Contains(page, "`"+k.Name+"`") && !strings.Contains(page, "`"+section+".*`") {
			t.Errorf("docs/configuration.md has no remark on %s", k.Name)
		}
	}
}

// between checks what stands between the marker lines of a page, and returns the page.
func between(t *testing.T, file, want string) string {
	t.Helper()
	const begin, end = "<!-- keys: begin -->\n", "<!-- keys: end -->\n"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(src), begin)
	got, tail, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no place for the keys", file)
	}
	if *update && got != want {
		got = want
		if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
	return string(src)
}
