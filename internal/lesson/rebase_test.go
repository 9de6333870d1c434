package lesson

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

func TestRebase(t *testing.T) {
	const (
		one    = "- Close the reader before the file. (PR #1, 2026-01-01, changes-requested)"
		oneTwo = "- Close the reader before the file. (PR #2, 2026-02-02, changes-requested, earned 2x)"
		oneSix = "- Close the reader before the file. (PR #6, 2026-06-06, changes-requested, earned 2x)"
		both   = "- Close the reader before the file. (PR #6, 2026-06-06, changes-requested, earned 3x)"
		gone   = "- Close the reader before the file. (PR #1, 2026-01-01, changes-requested; withdrawn 2026-03-03)"
		goneTo = "- Close the reader before the file. (PR #2, 2026-02-02, changes-requested, earned 2x; withdrawn 2026-03-03)"
		next   = "- Name the test after the rule. (PR #3, 2026-03-03, changes-requested)"
		third  = "- Keep fixtures small. (PR #4, 2026-04-04, changes-requested)"
		person = "- Ask the owner of the schema first."
	)
	for name, c := range map[string]struct{ was, fresh, mine, want []string }{
		"what was appended follows what the file has since":    {was: []string{one}, fresh: []string{one, third}, mine: []string{one, next}, want: []string{one, third, next}},
		"what was re-earned is re-earned":                      {was: []string{one}, fresh: []string{one, third}, mine: []string{oneTwo}, want: []string{oneTwo, third}},
		"re-earned by both sides counts both, the newer shows": {was: []string{one}, fresh: []string{oneTwo}, mine: []string{oneSix}, want: []string{both}},
		"a retirement holds whichever side made it":            {was: []string{one}, fresh: []string{gone}, mine: []string{oneTwo}, want: []string{goneTo}},
		"an eviction holds":                                    {was: []string{one, next}, fresh: []string{one, next, third}, mine: []string{next}, want: []string{next, third}},
		"an eviction of what was earned since does not":        {was: []string{one, next}, fresh: []string{oneTwo, next}, mine: []string{next}, want: []string{oneTwo, next}},
		"what a person deleted stays deleted":                  {was: []string{one, next}, fresh: []string{next}, mine: []string{oneTwo, next}, want: []string{next}},
		"what both appended is one":                            {fresh: []string{one}, mine: []string{one}, want: []string{one}},
		"a person's line arrives":                              {was: []string{one}, fresh: []string{one}, mine: []string{one, person}, want: []string{one, person}},
		"the cap holds, and costs the oldest":                  {was: []string{one, next}, fresh: []string{one, next, third}, mine: []string{one, next, "- Quote every path. (PR #5, 2026-05-05, changes-requested)"}, want: []string{next, third, "- Quote every path. (PR #5, 2026-05-05, changes-requested)"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := func(lines []string) *File { return Parse([]byte("# Lessons\n\n" + strings.Join(lines, "\n") + "\n")) }
			f := file(c.fresh)
			f.Rebase(file(c.was), file(c.mine), 3)
			if got := bulletLines(Parse(f.Bytes())); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func bulletLines(f *File) []string {
	var out []string
	for _, b := range f.Bullets() {
		out = append(out, b.String())
	}
	return out
}

func mustDate(s string) Date {
	d, err := ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Where one side did nothing, the other's bullets are the result.
func TestRebaseOfOneSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := anyFile(t)
		was, fresh, mine := Parse(src), Parse(src), Parse(src)
		mine.Add([]Candidate{{Sentence: "Name the test after the rule that it holds.", Evidence: Evidence{PR: PullRequest{Number: 7}, Date: mustDate("2031-01-01"), Verdict: ChangesRequested}}}, similarity.DefaultRule(), 40)
		after := mine.Bytes()
		fresh.Rebase(was, Parse(after), 40)
		want, got := bulletLines(Parse(after)), bulletLines(Parse(fresh.Bytes()))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
		still := Parse(after)
		still.Rebase(was, was, 40)
		if string(still.Bytes()) != string(after) {
			t.Fatalf("a side that did nothing changed the file")
		}
	})
}
