package guard

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRequiredLiterals(t *testing.T) {
	for _, test := range []struct {
		source string
		want   [][]string
	}{
		{`abc`, [][]string{{"abc"}}},
		{`\b(?:skip|drop) the\b`, [][]string{{"drop the", "skip the"}}},
		{`(?:skip|drop)\s+[a-z]+`, [][]string{{"drop", "skip"}}},
		{`(?:a|\w+)`, nil},
		{`x*`, nil},
		{`(?:foo)?bar`, [][]string{{"bar", "foobar"}}},
		{`[ab]c.*verylong`, [][]string{{"ac", "bc"}, {"verylong"}}},
		{`(?:skip|drop)\s+.{0,9}(?:test\w+|checks)`, [][]string{{"drop", "skip"}, {"checks", "test"}}},
	} {
		got := required(test.source)
		for _, set := range got {
			slices.Sort(set)
		}
		if !slices.EqualFunc(got, test.want, slices.Equal) {
			t.Errorf("required(%q) = %q, want %q", test.source, got, test.want)
		}
	}
}

// What a pattern of a rule matches holds one of its required literals: the shortcut never hides
// a match.
func TestRequiredLiteralsHideNoMatch(t *testing.T) {
	var all []pattern
	for _, r := range compiled().rules {
		all = slices.Concat(all, r.speech, r.acts, r.unless)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := all[rapid.IntRange(0, len(all)-1).Draw(t, "pattern")]
		s := rapid.StringMatching(p.re().String()).Draw(t, "match")
		if p.re().MatchString(s) && !p.mayMatch(compiled().read(s)) {
			t.Fatalf("%q matches %s, but holds none of its literals", s, p.re())
		}
	})
}
