package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/pagetest"
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
	pagetest.Between(t, "../../README.md", "keys", table.String())
	page := pagetest.Between(t, "../../docs/configuration.md", "keys", "```yaml\n"+Example()+"```\n")
	for _, k := range Keys() {
		section, _, _ := strings.Cut(k.Name, ".")
		if !strings.Contains(page, "`"+k.Name+"`") && !strings.Contains(page, "`"+section+".*`") {
			t.Errorf("docs/configuration.md has no remark on %s", k.Name)
		}
	}
}
