package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page for people lists every rule by its name.
func TestSecurityPageNamesEveryRule(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if !r.foreign && !strings.Contains(string(page), "| `"+r.name+"` |") {
			t.Errorf("docs/security.md does not list the rule %s", r.name)
		}
	}
}
