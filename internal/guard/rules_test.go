package guard

import (
	"strings"
	"testing"
)

// Every rule is documented by its own examples: it refuses what it says, by its name, and lets
// the harmless neighbours pass.
func TestRulesRefuseAndPassTheirExamples(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if len(r.refuses) < 2 || len(r.passes) < 2 {
				t.Errorf("a rule needs at least two examples of each kind, has %d and %d", len(r.refuses), len(r.passes))
			}
			for _, s := range r.refuses {
				if got := Check(s); got.Rule != r.name {
					t.Errorf("Check(%q).Rule = %q, want %q", s, got.Rule, r.name)
				}
			}
			for _, s := range r.passes {
				if got := Check(s); got.Refused {
					t.Errorf("Check(%q) is refused by %q, want it to pass", s, got.Rule)
				}
			}
		})
	}
}

func TestRulesAreNamedOnceAndExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.name] || strings.ToLower(r.name) != r.name || strings.Contains(r.name, " ") {
			t.Errorf("rule name %q is taken or no lower-case word", r.name)
		}
		seen[r.name] = true
		if r.why == "" || strings.ContainsAny(r.why, "\n.") {
			t.Errorf("rule %s: the reason %q is not one clause", r.name, r.why)
		}
	}
}
