package guard

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBounded(t *testing.T) {
	spaces := func(n int) string { return strings.Repeat(" ", n) }
	many := strings.Repeat("*a", maxMarkers+1)
	for _, test := range []struct{ name, in, want string }{
		{"what people write stays", strings.Repeat("Use `a_b` and **c**.\n", 40), strings.Repeat("Use `a_b` and **c**.\n", 40)},
		{"a paragraph of markers loses them", many + "\n\n*b*", strings.ReplaceAll(many, "*", " ") + "\n\n*b*"},
		{"each item is a paragraph", strings.Repeat("- *a*\n", maxMarkers), strings.Repeat("- *a*\n", maxMarkers)},
		{"lines of a quote are one", strings.Repeat("> *a*\n", maxMarkers), strings.Repeat("> "+" a \n", maxMarkers)},
		{"a fence stays one", "```\n" + many + "\n```\n", "```\n" + strings.ReplaceAll(many, "*", " ") + "\n```\n"},
		{"nesting", strings.Repeat("x", maxMarkers) + "\n" + strings.Repeat("> ", maxNesting) + "é\nb", strings.Repeat("x", maxMarkers) + "\n" + spaces(2*maxNesting+2) + "\nb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := bounded(test.in); got != test.want {
				t.Errorf("bounded(%.60q …)\n got %q\nwant %q", test.in, got, test.want)
			}
		})
	}
}

// Offsets into a parsed text are offsets into the text: bounding moves nothing.
func TestBoundedMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat(strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 1, 8).Draw(t, "parts"), ""), 200)
		if got := bounded(s); len(got) != len(s) || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Fatalf("bounded(%q) = %q", s, got)
		}
	})
}
