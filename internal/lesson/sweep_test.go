package lesson

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

func gone(date string) Past { return Past{Deleted: day(date)} }

// Issue 3: a trailer date more than 90 days before today.
func TestAge(t *testing.T) {
	t.Parallel()
	src := line("A.", "PR #1, 2026-08-01, ci-fix") + line("B.", "2026-08-02, founder-note") +
		line("C.", "PR #1, 2025-01-01, ci-fix; stale 2025-02-01") + "- mine\n" + line("D.", "PR #1, 2027-01-01, ci-fix")
	for today, want := range map[string]string{
		"2026-10-30": "",
		"2026-10-31": "A.",
		"2026-11-01": "A. B.",
		"2026-01-01": "",
	} {
		f := Parse([]byte(src))
		var swept []string
		for _, s := range f.Age(day(today), 90) {
			swept = append(swept, s.Bullet.Sentence)
		}
		if got := strings.Join(swept, " "); got != want {
			t.Errorf("on %s: %q, want %q", today, got, want)
		}
		if out := string(f.Bytes()); strings.Count(out, "; expired "+today) != len(swept) || !strings.Contains(out, "stale 2025-02-01") {
			t.Errorf("on %s:\n%s", today, out)
		}
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sentence string
		past     map[string]Past
		stale    bool
	}{
		"its file is gone":                     {"Mind `a/b.go`.", map[string]Past{"a/b.go": gone("2026-11-10")}, true},
		"all its files are":                    {"Mind `a/b.go` and `c.md`.", map[string]Past{"a/b.go": gone("2026-11-10"), "c.md": gone("2026-11-12")}, true},
		"one is there":                         {"Mind `a/b.go` and `c.md`.", map[string]Past{"a/b.go": gone("2026-11-10"), "c.md": {Here: true}}, false},
		"one was renamed":                      {"Mind `a/b.go` and `c.md`.", map[string]Past{"a/b.go": gone("2026-11-10"), "c.md": {Renamed: "d.md"}}, false},
		"of one nothing is known":              {"Mind `a/b.go` and `c.md`.", map[string]Past{"a/b.go": gone("2026-11-10"), "c.md": {Unknown: true}}, false},
		"gone before the lesson was taught":    {"Mind `a/b.go`.", map[string]Past{"a/b.go": gone("2026-11-01")}, false},
		"gone on the day, before or after":     {"Mind `a/b.go`.", map[string]Past{"a/b.go": gone("2026-11-05")}, false},
		"what never was a file is no evidence": {"Mind `a/b.go` and/or `net/http`.", map[string]Past{"a/b.go": gone("2026-11-10")}, true},
		"it names no file":                     {"Mind the gap.", nil, false},
		"no name ever was a file":              {"Mind and/or.", nil, false},
	} {
		f := Parse([]byte(line(c.sentence, "PR #1, 2026-11-05, founder-note")))
		if got := len(f.Stale(day("2026-11-30"), c.past)) == 1; got != c.stale {
			t.Errorf("%s: stale %v", name, got)
		}
		if got := strings.Contains(string(f.Bytes()), "founder-note; stale 2026-11-30)"); got != c.stale {
			t.Errorf("%s: %s", name, f.Bytes())
		}
	}
}

func TestConsolidate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"the oldest sentence, the newest evidence, and earned adds up": {
			line(approve, "PR #1, 2026-01-01, ci-fix, earned 2x") + line(close1, "PR #2, 2026-01-02, ci-fix") + line(approve2, "PR #3, 2026-01-03, changes-requested, earned 3x"),
			line(approve, "PR #3, 2026-01-03, ci-fix, earned 5x") + line(close1, "PR #2, 2026-01-02, ci-fix"),
		},
		"also where the older sentence has the newer evidence": {
			line(approve, "PR #9, 2026-09-01, ci-fix") + line(approve2, "PR #3, 2026-01-03, ci-fix"),
			line(approve, "PR #9, 2026-09-01, ci-fix, earned 2x"),
		},
		"one pull request counts once": {
			line(approve, "PR #9, 2026-09-01, ci-fix") + line(approve2, "PR #9, 2026-09-02, ci-fix"),
			line(approve, "PR #9, 2026-09-02, ci-fix"),
		},
		"three become one": {
			line(approve, "PR #1, 2026-01-01, ci-fix") + line(approve2, "PR #2, 2026-01-02, ci-fix") + line(approve, "PR #3, 2026-01-03, ci-fix"),
			line(approve, "PR #3, 2026-01-03, ci-fix, earned 3x"),
		},
		"founder notes stay apart from others": {
			line(approve, "2026-01-01, founder-note") + line(approve2, "PR #2, 2026-01-02, ci-fix"),
			line(approve, "2026-01-01, founder-note") + line(approve2, "PR #2, 2026-01-02, ci-fix"),
		},
		"retired ones and a person's stay": {
			line(approve, "PR #1, 2026-01-01, ci-fix; stale 2026-02-01") + "- " + approve + "\n" + line(approve2, "PR #2, 2026-01-02, ci-fix"),
			line(approve, "PR #1, 2026-01-01, ci-fix; stale 2026-02-01") + "- " + approve + "\n" + line(approve2, "PR #2, 2026-01-02, ci-fix"),
		},
		"what a person hung below a bullet keeps it": {
			line(approve, "PR #1, 2026-01-01, ci-fix") + line(approve2, "PR #2, 2026-01-02, ci-fix") + "  - mine\n",
			line(approve, "PR #1, 2026-01-01, ci-fix") + line(approve2, "PR #2, 2026-01-02, ci-fix") + "  - mine\n",
		},
	} {
		f := Parse([]byte(c.src))
		f.Consolidate(similarity.Rule{Measure: "words", Floor: 0.25, MinTokens: 8})
		if diff := cmp.Diff(c.want, string(f.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestReword(t *testing.T) {
	t.Parallel()
	src := line("Mind `a.go`.", "PR #1, 2026-01-01, ci-fix") + line("Mind `b.go`.", "PR #1, 2026-01-01, ci-fix") + "- Mind `c.go`.\n"
	for name, c := range map[string]struct {
		from, to string
		ok       bool
	}{
		"a new sentence":          {"Mind `a.go`.", "Mind `d.go`.", true},
		"another bullet's":        {"Mind `a.go`.", "Mind `b.go`.", false},
		"a person's bullet":       {"Mind `c.go`.", "Mind `d.go`.", false},
		"two bullets":             {"Mind `a.go`.", "Mind\n- d.", false},
		"a forged trailer":        {"Mind `a.go`.", "Mind. (PR #9, 2026-01-01, ci-fix)", false},
		"a bullet that is not in": {"Mind `x.go`.", "Mind `d.go`.", false},
	} {
		f := Parse([]byte(src))
		b, _ := f.Find(Handle(c.from))
		_, ok := f.Reword(b, c.to)
		want := src
		if c.ok {
			want = strings.Replace(src, c.from, c.to, 1)
		}
		if got := string(f.Bytes()); ok != c.ok || got != want {
			t.Errorf("%s: %v\n%s", name, ok, got)
		}
	}
}

// Issue 3: 10,000 random sweeps over random files and trees. Only active bullets with a trailer change,
// every change is justified by date or tree, the rest is byte for byte, and a second sweep
// changes nothing.
func TestSweepsHold(t *testing.T) {
	t.Parallel()
	for range 100 { // of 100 sweeps each
		rapid.Check(t, sweepHolds)
	}
}

func sweepHolds(t *rapid.T) {
	names := []string{"a/b.go", "a/c.go", "d.md", "and/or"}
	src := anyStore(t, names)
	past := map[string]Past{}
	for _, name := range names[:3] {
		past[name] = rapid.SampledFrom([]Past{{}, {Here: true}, {Renamed: "e/f.go"}, {Unknown: true}, gone("2026-03-01"), gone("2026-10-10")}).Draw(t, name)
	}
	today := day(rapid.SampledFrom([]string{"2026-04-01", "2026-10-11", "2027-01-01"}).Draw(t, "today"))
	f := Parse(src)
	before := f.Bullets()
	changes := append(f.Age(today, 90), f.Stale(today, past)...)
	out := f.Bytes()

	lines := map[int]bool{}
	for _, c := range changes {
		lines[c.Bullet.Line] = true
		if problem := unjustified(c, today, past); problem != "" {
			t.Fatalf("%s of %s: %s", c.What, c.Bullet, problem)
		}
	}
	after := Parse(out).Bullets()
	was, is := bytes.SplitAfter(src, []byte("\n")), bytes.SplitAfter(out, []byte("\n"))
	if len(after) != len(before) || len(was) != len(is) {
		t.Fatalf("%q became %q", src, out)
	}
	for i := range was {
		if !lines[i+1] && !bytes.Equal(was[i], is[i]) {
			t.Fatalf("line %d became %q, it was %q", i+1, is[i], was[i])
		}
	}
	for i, b := range after {
		if lines[before[i].Line] == b.Active() && (lines[before[i].Line] || before[i].Active()) {
			t.Fatalf("%s became %s", before[i], b)
		}
	}
	again := Parse(out)
	if more := append(again.Age(today, 90), again.Stale(today, past)...); len(more) > 0 || again.Changed() {
		t.Fatalf("the second sweep changed %v", more)
	}
}

// unjustified says what is wrong with a change, by the words of the issue and not of the code.
func unjustified(c Swept, today Date, past map[string]Past) string {
	if c.Bullet.Trailer == nil || !c.Bullet.Active() {
		return "it is not for a sweep to touch"
	}
	if c.What == "expired" {
		if today.t.AddDate(0, 0, -90).After(c.Bullet.Trailer.Date.t) {
			return ""
		}
		return "it is young"
	}
	proof := false
	for name, p := range past {
		if !strings.Contains(c.Bullet.Sentence, name) || p == (Past{}) {
			continue
		}
		if p.Deleted.IsZero() || !c.Bullet.Trailer.Date.Before(p.Deleted) {
			return name + " speaks for it"
		}
		proof = true
	}
	if !proof {
		return "nothing speaks against it"
	}
	return ""
}

// anyStore is a file of bullets one to a line, and of other lines.
func anyStore(t *rapid.T, names []string) []byte {
	var lines []string
	for i := range rapid.IntRange(0, 10).Draw(t, "lines") {
		sentence := fmt.Sprintf("Lesson %d", i)
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 2).Draw(t, "names") {
			sentence += " `" + name + "`"
		}
		trailer := rapid.SampledFrom([]string{"", " (PR #1, %s, ci-fix)", " (%s, founder-note, earned 2x)", " (PR #2, %s, changes-requested; overridden 2026-05-05)", " (pr#3,%s,finding)", " (PR #4, %s, oracle)"}).Draw(t, "trailer")
		if strings.Contains(trailer, "%s") {
			trailer = fmt.Sprintf(trailer, rapid.SampledFrom([]string{"2026-01-01", "2026-02-28", "2026-10-09", "2026-10-10", "2026-12-31"}).Draw(t, "date"))
		}
		lines = append(lines, rapid.SampledFrom([]string{"- ", "* ", "", "> - ", "## "}).Draw(t, "marker")+sentence+"."+trailer)
	}
	// A line that is no item would continue the one before it.
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Lesson") })
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	return []byte(strings.Join(lines, eol) + rapid.SampledFrom([]string{"", eol}).Draw(t, "end"))
}
