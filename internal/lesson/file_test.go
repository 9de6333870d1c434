package lesson

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func day(s string) Date {
	d, err := ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

func trailer(pr int, date string, verdict Verdict) *Trailer {
	return &Trailer{Evidence: Evidence{PR: PullRequest{Number: pr}, Date: day(date), Verdict: verdict}, Earned: 1}
}

var allowDates = cmp.AllowUnexported(Date{})

func TestParse(t *testing.T) {
	t.Parallel()
	earned := trailer(41, "2026-11-02", ChangesRequested)
	earned.Earned = 3
	overridden := trailer(52, "2026-11-20", ChangesRequested)
	overridden.Retirement = Retirement{Overridden, day("2026-11-21")}
	superseded := trailer(1, "2026-11-20", CIFix)
	superseded.Retirement = Retirement{"superseded", day("2026-11-22")}
	odd := trailer(1, "2026-11-20", CIFix)
	odd.Retirement = Retirement{Kind: "gone since last week"}
	foreign := trailer(7, "2026-01-01", Finding)
	foreign.PR.Owner, foreign.PR.Repo = "acme", "tools"
	foreign.Verdict = FounderNote

	for name, c := range map[string]struct {
		src  string
		want []Bullet
	}{
		"format.md's examples": {
			src: "# Lessons\n\n- Bump `MIN` after adding. (PR #41, 2026-11-02, changes-requested, earned 3x)\n" +
				"- Wait for CI. (PR #52, 2026-11-20, changes-requested; overridden 2026-11-21)\n" +
				"- No shots. (2026-11-09, founder-note)\n",
			want: []Bullet{
				{Sentence: "Bump `MIN` after adding.", Trailer: earned, Line: 3},
				{Sentence: "Wait for CI.", Trailer: overridden, Line: 4},
				{Sentence: "No shots.", Trailer: trailer(0, "2026-11-09", FounderNote), Line: 5},
			},
		},
		"a pull request of another repository": {
			src:  "- A. (PR acme/tools#7, 2026-01-01, founder-note)\n",
			want: []Bullet{{Sentence: "A.", Trailer: foreign, Line: 1}},
		},
		"case, spacing and an asterisk": {
			src:  "*   A b.   ( pr # 3 ,2026-01-02 ,  CI-Fix , Earned 2 X )",
			want: []Bullet{{Sentence: "A b.", Trailer: &Trailer{Evidence: Evidence{PullRequest{Number: 3}, day("2026-01-02"), CIFix}, Earned: 2}, Line: 1}},
		},
		"a wrapped bullet, the trailer too": {
			src:  "- A\n  long\n  sentence. (PR #3,\n  2026-01-02, ci-fix)\n- B.\n",
			want: []Bullet{{Sentence: "A long sentence.", Trailer: trailer(3, "2026-01-02", CIFix), Line: 1}, {Sentence: "B.", Line: 5}},
		},
		"CRLF, a BOM, no final newline": {
			src:  "\xEF\xBB\xBF- A. (PR #3, 2026-01-02, ci-fix)\r\n- B.",
			want: []Bullet{{Sentence: "A.", Trailer: trailer(3, "2026-01-02", CIFix), Line: 1}, {Sentence: "B.", Line: 2}},
		},
		"what hangs below a bullet is a person's": {
			src:  "- A. (PR #3, 2026-01-02, ci-fix)\n  - detail (PR #4, 2026-01-02, ci-fix)\n",
			want: []Bullet{{Sentence: "A.", Trailer: trailer(3, "2026-01-02", CIFix), Line: 1, Nested: true}},
		},
		"bullets in code, comments, quotes and numbered lists are not bullets": {
			src: "```\n- A. (PR #3, 2026-01-02, ci-fix)\n```\n\n<!--\n- B.\n-->\n\n> - C.\n\n1. D.\n\n    - E.\n",
		},
		"an open fence hides the rest": {src: "```\n- A. (PR #3, 2026-01-02, ci-fix)\n"},
		"an unknown verdict makes it a person's": {
			src:  "- A. (PR #3, 2026-01-02, oracle)\n",
			want: []Bullet{{Sentence: "A. (PR #3, 2026-01-02, oracle)", Line: 1, Oddity: `its verdict "oracle" is unknown: the bullet is kept as a person's`}},
		},
		"an unknown retirement retires": {
			src: "- A. (PR #1, 2026-11-20, ci-fix; superseded 2026-11-22)\n- B. (PR #1, 2026-11-20, ci-fix; gone since last week)\n",
			want: []Bullet{
				{Sentence: "A.", Trailer: superseded, Line: 1, Oddity: `its retirement "superseded" is unknown: the bullet counts as retired`},
				{Sentence: "B.", Trailer: odd, Line: 2, Oddity: `its retirement "gone since last week" is unknown: the bullet counts as retired`},
			},
		},
		"a mangled trailer is a person's, and reported": {
			src:  "- A. (PR #3, 2026-13-02, ci-fix)\n",
			want: []Bullet{{Sentence: "A. (PR #3, 2026-13-02, ci-fix)", Line: 1, Oddity: "its trailer (PR #3, 2026-13-02, ci-fix) is not understood: the bullet is kept as a person's"}},
		},
		"text behind the trailer is reported": {
			src:  "- A. (PR #3, 2026-01-02, ci-fix; stale 2026-02-02)\nprose\n",
			want: []Bullet{{Sentence: "A. (PR #3, 2026-01-02, ci-fix; stale 2026-02-02) prose", Line: 1, Oddity: "text follows its trailer: the bullet is kept as a person's; put an empty line between"}},
		},
		"other parentheses are prose": {
			src:  "- Call f (the old one)\n- Fix the date (2026-01-02)\n",
			want: []Bullet{{Sentence: "Call f (the old one)", Line: 1}, {Sentence: "Fix the date (2026-01-02)", Line: 2}},
		},
		"empty items and a table": {src: "- \n-\n\n| a | b |\n|---|---|\n| - x | y |\n"},
		"invalid UTF-8 stays":     {src: "- A\xff b. (PR #3, 2026-01-02, ci-fix)\n", want: []Bullet{{Sentence: "A\xff b.", Trailer: trailer(3, "2026-01-02", CIFix), Line: 1}}},
		"nothing":                 {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := Parse([]byte(c.src))
			if diff := cmp.Diff(c.want, f.Bullets(), allowDates, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("bullets (-want +got):\n%s", diff)
			}
			if got := string(f.Bytes()); got != c.src {
				t.Errorf("an untouched file changed:\n%q\n%q", c.src, got)
			}
		})
	}
}

// pieces are what lessons files are made of in the wild; their random joins are the round-trip's inputs.
var pieces = []string{
	"- One lesson of some words. (PR #1, 2026-01-01, changes-requested)", "* Another. (2026-01-01, founder-note)",
	"- wrapped", "  continued", "lazy line", "  - nested (PR #1, 2026-01-01, ci-fix)", "```", "~~~", "    code", "<!--", "-->",
	"> - quoted", "1. numbered", "# Heading", "---", "| a | b |", "", "\t- tab", "- ", "-", "\xff\xfe", "\x00", "\xEF\xBB\xBF",
	"- Old. (PR #2, 2025-01-01, ci-fix; stale 2025-06-01)", "- x (PR #3, 2026-99-01, ci-fix)", "- - - deep", "<div>", "[a]: b",
}

func anyFile(t *rapid.T) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "lines")
	eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "eol")
	src := strings.Join(lines, eol)
	if rapid.Bool().Draw(t, "final newline") {
		src += eol
	}
	return []byte(src)
}

func TestUntouchedFilesRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyFile(t)
		if got := Parse(src).Bytes(); !bytes.Equal(got, src) {
			t.Fatalf("%q became %q", src, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p + "\n" + p))
	}
	f.Add([]byte(strings.Repeat("- ", 5000) + "a"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if got := Parse(src).Bytes(); !bytes.Equal(got, src) {
			t.Fatalf("%q became %q", src, got)
		}
		addTo(t, src)
	})
}

func TestDeepNestingIsLinear(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("- ", 1<<19) + "a\n- B. (PR #3, 2026-01-02, ci-fix)\n")
	if got := Parse(src).Bullets(); len(got) != 1 || got[0].Sentence != "B." {
		t.Errorf("got %d bullets", len(got))
	}
}
