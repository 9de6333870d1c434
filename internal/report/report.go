package report

import (
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Report measures any number of lessons files. It is rendered as text, Markdown, JSON, or one page.
type Report struct {
	Stores  []Measured
	Skipped []Skipped
}

// Measured is a lessons file by the name that its reader knows, and what it is made of.
type Measured struct {
	Name string // a path, as it was given or found
	Rule similarity.Rule
	Store
}

// Skipped is what was looked at, but is no lessons file.
type Skipped struct {
	Name   string `json:"path"`
	Reason string `json:"reason"`
}

// Verdict says in a word or two what the rule makes of the pair.
func (p Pair) Verdict() string {
	switch d := p.Decision; {
	case d.Guard == "correction":
		return "correction"
	case d.Contradiction:
		return "contradiction"
	case d.Guard != "":
		return "kept apart"
	case d.Collapse:
		return "one lesson"
	}
	return "below the floor"
}

// Why says which guard keeps the pair apart, and for what reason; "" where none does.
func (p Pair) Why() string {
	if p.Decision.Guard == "" {
		return ""
	}
	return strings.TrimPrefix(p.Decision.Reason, p.Verdict()+": ")
}

// Opposed reports whether an agent that obeys one of the two breaks the other.
func (p Pair) Opposed() bool { return p.Decision.Contradiction }

// AllOpposed returns the contradictions and the corrections.
func (s Store) AllOpposed() []Pair { return slices.Concat(s.Contradictions, s.Corrections) }

// Alike returns the kept pairs at or above the floor that are no contradictions.
func (s Store) Alike() []Pair { return slices.DeleteFunc(slices.Clone(s.Pairs), Pair.Opposed) }

// RetiredKinds returns how many bullets are retired as what, in the order of the kinds; those retired
// as something that is not understood come last, as "otherwise".
func (s Store) RetiredKinds() (kinds []KindCount) {
	other := s.RetiredTotal()
	for _, kind := range lesson.RetirementKinds {
		if n := s.Retired[kind]; n > 0 {
			kinds = append(kinds, KindCount{string(kind), n})
			other -= n
		}
	}
	if other > 0 {
		kinds = append(kinds, KindCount{"otherwise", other})
	}
	return kinds
}

// KindCount is how many bullets are retired as one kind.
type KindCount struct {
	Kind  string
	Count int
}

// measure names the rule's measure.
func (m Measured) measure() string {
	if m.Rule.Measure == "" {
		return "default"
	}
	return m.Rule.Measure
}
