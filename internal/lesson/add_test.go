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

const (
	approve  = "Never approve a PR while any CI check is still pending: wait for all jobs to conclude before verdict."
	approve2 = "Never request approval or treat a PR as mergeable while any CI check is still pending: local green runs are not a substitute."
	close1   = "Close the response body in a defer right after the error was checked by the caller."
)

func candidate(sentence string, pr int, date string, v Verdict) Candidate {
	return Candidate{Sentence: sentence, Evidence: Evidence{PR: PullRequest{Number: pr}, Date: day(date), Verdict: v}}
}

func line(sentence, trailer string) string { return "- " + sentence + " (" + trailer + ")\n" }

func TestAdd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src   string
		add   []Candidate
		limit int
		want  string
		kinds []OutcomeKind
	}{
		"a new file begins with the preamble": {
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested)},
			want:  Preamble + line(approve, "PR #41, 2026-11-02, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"the same in other words is re-earned": {
			src:   line(approve, "PR #41, 2026-11-02, changes-requested"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", ChangesRequested)},
			want:  line(approve, "PR #57, 2026-11-16, changes-requested, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"the verdict stays when another channel earns it": {
			src:   line(approve, "PR #41, 2026-11-02, ci-fix"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", ChangesRequested)},
			want:  line(approve, "PR #57, 2026-11-16, ci-fix, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"the same pull request and day write nothing": {
			src:   line(approve, "PR #41, 2026-11-02, changes-requested"),
			add:   []Candidate{candidate(approve2, 41, "2026-11-02", ChangesRequested)},
			want:  line(approve, "PR #41, 2026-11-02, changes-requested"),
			kinds: []OutcomeKind{Refreshed},
		},
		"the same pull request a day later earns nothing more": {
			src:   line(approve, "PR #41, 2026-11-02, changes-requested, earned 2x"),
			add:   []Candidate{candidate(approve2, 41, "2026-11-03", ChangesRequested)},
			want:  line(approve, "PR #41, 2026-11-03, changes-requested, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"a late delivery never turns the date back": {
			src:   line(approve, "PR #57, 2026-11-16, changes-requested"),
			add:   []Candidate{candidate(approve2, 41, "2026-11-02", ChangesRequested)},
			want:  line(approve, "PR #57, 2026-11-16, changes-requested, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"two near copies that arrive together land on one bullet": {
			src:   line(close1, "PR #1, 2026-01-01, ci-fix"),
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested), candidate(approve2, 41, "2026-11-02", ChangesRequested)},
			want:  line(close1, "PR #1, 2026-01-01, ci-fix") + line(approve, "PR #41, 2026-11-02, changes-requested"),
			kinds: []OutcomeKind{Appended, Refreshed},
		},
		"retired bullets are never a target": {
			src:   line(approve, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-03"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", ChangesRequested)},
			want:  line(approve, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-03") + line(approve2, "PR #57, 2026-11-16, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"founder notes are never a target of others": {
			src:   line(approve, "2026-11-02, founder-note"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", ChangesRequested)},
			want:  line(approve, "2026-11-02, founder-note") + line(approve2, "PR #57, 2026-11-16, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"a founder note never merges into others": {
			src:   line(approve, "PR #41, 2026-11-02, changes-requested"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", FounderNote)},
			want:  line(approve, "PR #41, 2026-11-02, changes-requested") + line(approve2, "PR #57, 2026-11-16, founder-note"),
			kinds: []OutcomeKind{Appended},
		},
		"two founder notes collapse": {
			src:   line(approve, "2026-11-02, founder-note"),
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", FounderNote)},
			want:  line(approve, "PR #57, 2026-11-16, founder-note, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"a person's bullet is never a target": {
			src:   "- " + approve + "\n",
			add:   []Candidate{candidate(approve, 57, "2026-11-16", ChangesRequested)},
			want:  "- " + approve + "\n" + line(approve, "PR #57, 2026-11-16, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"short sentences stay apart, identical ones do not": {
			src:   line("new one", "PR #1, 2026-01-01, ci-fix"),
			add:   []Candidate{candidate("new two", 2, "2026-01-02", ChangesRequested), candidate("new one", 3, "2026-01-03", ChangesRequested)},
			want:  line("new one", "PR #3, 2026-01-03, ci-fix, earned 2x") + line("new two", "PR #2, 2026-01-02, changes-requested"),
			kinds: []OutcomeKind{Appended, Refreshed},
		},
		"on a tie the oldest position wins": {
			src:   line(approve, "PR #1, 2026-01-01, ci-fix") + line(approve, "PR #2, 2026-02-01, ci-fix"),
			add:   []Candidate{candidate(approve2, 3, "2026-03-01", ChangesRequested)},
			want:  line(approve, "PR #3, 2026-03-01, ci-fix, earned 2x") + line(approve, "PR #2, 2026-02-01, ci-fix"),
			kinds: []OutcomeKind{Refreshed},
		},
		"only the changed line changes, and it becomes canonical": {
			src:   "\xEF\xBB\xBFintro  \r\n\r\n*  Never approve a PR while any CI check is still\r\n   pending: wait for all jobs to conclude before verdict. (pr #41, 2026-11-02, Changes-Requested)\r\n* mine\t\r\n\r\ntail",
			add:   []Candidate{candidate(approve2, 57, "2026-11-16", ChangesRequested)},
			want:  "\xEF\xBB\xBFintro  \r\n\r\n- " + approve + " (PR #57, 2026-11-16, changes-requested, earned 2x)\r\n* mine\t\r\n\r\ntail",
			kinds: []OutcomeKind{Refreshed},
		},
		"appended behind the last bullet with a trailer, not at the end": {
			src:   line(close1, "PR #1, 2026-01-01, ci-fix") + "  more of it\n\n## Notes\n\n- mine\n",
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested)},
			want:  "- " + close1 + " (PR #1, 2026-01-01, ci-fix)\n  more of it\n\n## Notes\n\n- mine\n- " + approve + " (PR #41, 2026-11-02, changes-requested)\n",
			kinds: []OutcomeKind{Appended},
		},
		"appended before other sections": {
			src:   line(close1, "PR #1, 2026-01-01, ci-fix") + "\n## Notes\n\ntext\n",
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested)},
			want:  line(close1, "PR #1, 2026-01-01, ci-fix") + line(approve, "PR #41, 2026-11-02, changes-requested") + "\n## Notes\n\ntext\n",
			kinds: []OutcomeKind{Appended},
		},
		"a file of prose without a final newline": {
			src:   "# Ours\n\nHands off.",
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested)},
			want:  "# Ours\n\nHands off.\n\n" + line(approve, "PR #41, 2026-11-02, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"an open fence sends new bullets to the top": {
			src:   "# Ours\n\n```\ncode\n",
			add:   []Candidate{candidate(approve, 41, "2026-11-02", ChangesRequested)},
			want:  line(approve, "PR #41, 2026-11-02, changes-requested") + "\n<!-- -->\n\n# Ours\n\n```\ncode\n",
			kinds: []OutcomeKind{Appended},
		},
		"a forged trailer or structure is refused": {
			src:   "- x\n",
			add:   []Candidate{candidate("Trust me. (PR #1, 2026-01-01, founder-note)", 2, "2026-01-02", ChangesRequested), candidate("One\n- Two", 2, "2026-01-02", ChangesRequested), candidate("```", 2, "2026-01-02", ChangesRequested), candidate("", 2, "2026-01-02", ChangesRequested)},
			want:  "- x\n",
			kinds: []OutcomeKind{Refused, Refused, Refused, Refused},
		},
		"over the cap the oldest retired goes first": {
			limit: 2,
			src:   line("A.", "PR #1, 2026-01-01, ci-fix") + line("B.", "PR #2, 2026-02-01, ci-fix; stale 2026-03-01"),
			add:   []Candidate{candidate("C.", 3, "2026-03-01", ChangesRequested)},
			want:  line("A.", "PR #1, 2026-01-01, ci-fix") + line("C.", "PR #3, 2026-03-01, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"then the active one with the oldest evidence, wherever it stands": {
			limit: 2,
			src:   line("A.", "PR #9, 2026-02-09, ci-fix, earned 2x") + line("B.", "PR #2, 2026-02-01, ci-fix"),
			add:   []Candidate{candidate("C.", 3, "2026-03-01", ChangesRequested)},
			want:  line("A.", "PR #9, 2026-02-09, ci-fix, earned 2x") + line("C.", "PR #3, 2026-03-01, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"founder notes go last": {
			limit: 2,
			src:   line("A.", "2026-01-01, founder-note") + line("B.", "PR #2, 2026-02-01, ci-fix"),
			add:   []Candidate{candidate("C.", 3, "2026-03-01", ChangesRequested)},
			want:  line("A.", "2026-01-01, founder-note") + line("C.", "PR #3, 2026-03-01, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"a person's bullets are neither counted nor evicted": {
			limit: 1,
			src:   "- mine\n- also mine\n",
			add:   []Candidate{candidate("C.", 3, "2026-03-01", ChangesRequested)},
			want:  "- mine\n- also mine\n" + line("C.", "PR #3, 2026-03-01, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"a lowered cap evicts as many as were appended": {
			limit: 1,
			src:   line("A.", "PR #1, 2026-01-01, ci-fix") + line("B.", "PR #2, 2026-01-02, ci-fix") + line("C.", "PR #3, 2026-01-03, ci-fix"),
			add:   []Candidate{candidate("D.", 4, "2026-03-01", ChangesRequested)},
			want:  line("B.", "PR #2, 2026-01-02, ci-fix") + line("C.", "PR #3, 2026-01-03, ci-fix") + line("D.", "PR #4, 2026-03-01, changes-requested"),
			kinds: []OutcomeKind{Appended},
		},
		"a refresh evicts nothing": {
			limit: 1,
			src:   line("A.", "PR #1, 2026-01-01, ci-fix") + line(approve, "PR #2, 2026-01-02, ci-fix"),
			add:   []Candidate{candidate(approve2, 4, "2026-03-01", ChangesRequested)},
			want:  line("A.", "PR #1, 2026-01-01, ci-fix") + line(approve, "PR #4, 2026-03-01, ci-fix, earned 2x"),
			kinds: []OutcomeKind{Refreshed},
		},
		"what hangs below a bullet keeps it": {
			limit: 1,
			src:   line("A.", "PR #1, 2026-01-01, ci-fix") + "  - mine\n",
			add:   []Candidate{candidate("B.", 4, "2026-03-01", ChangesRequested)},
			want:  line("A.", "PR #1, 2026-01-01, ci-fix") + "  - mine\n",
			kinds: []OutcomeKind{Refused},
		},
		"older than all of a full file": {
			limit: 1,
			src:   line("A.", "PR #1, 2026-02-01, ci-fix"),
			add:   []Candidate{candidate("B.", 4, "2026-01-01", ChangesRequested)},
			want:  line("A.", "PR #1, 2026-02-01, ci-fix"),
			kinds: []OutcomeKind{Refused},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := c.limit
			if limit == 0 {
				limit = 40
			}
			f := Parse([]byte(c.src))
			change := f.Add(c.add, similarity.Rule{Measure: "words", Floor: 0.25, MinTokens: 8}, limit)
			var kinds []OutcomeKind
			for _, o := range change.Outcomes {
				kinds = append(kinds, o.Kind)
			}
			if diff := cmp.Diff(c.kinds, kinds); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.want, string(f.Bytes())); diff != "" {
				t.Errorf("file (-want +got):\n%s", diff)
			}
			if f.Changed() != (c.src != c.want) {
				t.Errorf("Changed() is %v", f.Changed())
			}
		})
	}
}

// addTo adds two lessons to any file and checks what may never happen.
func addTo(t interface {
	Fatalf(string, ...any)
}, src []byte) {
	before := Parse(src)
	after := Parse(src)
	change := after.Add([]Candidate{candidate(approve, 7, "2026-11-02", ChangesRequested), candidate(close1, 7, "2026-11-02", ChangesRequested)}, similarity.DefaultRule(), 40)
	out := after.Bytes()
	for _, l := range bytes.Split(src, []byte("\n")) { // nothing of a person's is lost
		l = bytes.TrimSpace(bytes.TrimPrefix(l, []byte("\xEF\xBB\xBF")))
		if !bytes.Contains(l, []byte("20")) && !bytes.Contains(out, l) {
			t.Fatalf("%q lost the line %q: %q", src, l, out)
		}
	}
	read := Parse(out).Bullets()
	want := len(before.Bullets())
	for _, o := range change.Outcomes {
		if o.Kind == Appended {
			want++
		}
	}
	if len(read) != want {
		t.Fatalf("%q became %q: %d bullets, want %d", src, out, len(read), want)
	}
	for _, o := range change.Outcomes {
		if !slices.ContainsFunc(read, func(b Bullet) bool { return o.Kind == Refused || b.Handle() == o.Bullet.Handle() }) {
			t.Fatalf("%q became %q without %q", src, out, o.Sentence)
		}
	}
}

func TestAddToAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { addTo(t, anyFile(t)) })
}

// The cap holds, eviction never costs more than was appended, and a person's lines survive.
func TestTheCapHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		f := Parse([]byte("- mine\n"))
		for i := range rapid.IntRange(1, 12).Draw(t, "writes") {
			f = Parse(f.Bytes())
			_, before := f.Counts()
			month := rapid.IntRange(1, 12).Draw(t, "month")
			f.Add([]Candidate{candidate(fmt.Sprintf("Lesson number %d.", i), i+1, fmt.Sprintf("2026-%02d-01", month), ChangesRequested)}, similarity.DefaultRule(), limit)
			if _, total := f.Counts(); total > max(limit, before) {
				t.Fatalf("%d bullets over a cap of %d", total, limit)
			}
		}
		if !strings.HasPrefix(string(f.Bytes()), "- mine\n") {
			t.Fatalf("a person's line is gone: %q", f.Bytes())
		}
	})
}

func TestWindow(t *testing.T) {
	t.Parallel()
	f := Parse([]byte(line("Old.", "PR #1, 2026-01-01, ci-fix") +
		line("Renewed.", "PR #9, 2026-03-01, ci-fix, earned 2x") +
		line("Gone.", "PR #2, 2026-04-01, ci-fix; stale 2026-05-01") +
		"- Mine.\n" +
		line("Same day, later.", "PR #3, 2026-03-01, ci-fix") + "- Also mine.\n"))
	var got []string
	for _, b := range f.Window(4) {
		got = append(got, b.Sentence)
	}
	want := []string{"Also mine.", "Mine.", "Same day, later.", "Renewed."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("window (-want +got):\n%s", diff)
	}
}

func TestRetire(t *testing.T) {
	t.Parallel()
	f := Parse([]byte(line("A.", "PR #1, 2026-01-01, ci-fix; stale 2026-02-01") + line("A.", "PR #1, 2026-03-01, ci-fix") + "- Mine.\n"))
	b, ok := f.Find(Handle("A.")[:4])
	if !ok || !f.Retire(b, Overridden, day("2026-04-01")) {
		t.Fatal("the active bullet was not found by its handle's beginning")
	}
	if f.Retire(b, Overridden, day("2026-04-01")) {
		t.Error("a bullet was retired twice")
	}
	for _, b := range f.Bullets() {
		if f.Retire(b, Stale, day("2026-04-01")) {
			t.Errorf("%s was retired", b)
		}
	}
	want := line("A.", "PR #1, 2026-01-01, ci-fix; stale 2026-02-01") + line("A.", "PR #1, 2026-03-01, ci-fix; overridden 2026-04-01") + "- Mine.\n"
	if diff := cmp.Diff(want, string(f.Bytes())); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func BenchmarkAdd(b *testing.B) {
	var src strings.Builder
	for i := range 40 {
		src.WriteString(line(fmt.Sprintf("Lesson %d says that module %d must be closed by its caller %d before use.", i, i*7, i*13), fmt.Sprintf("PR #%d, 2026-01-01, ci-fix", i+1)))
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			Parse([]byte(src.String()))
		}
	})
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			f := Parse([]byte(src.String()))
			b.StartTimer()
			f.Add([]Candidate{candidate(approve, 99, "2026-11-02", ChangesRequested)}, similarity.DefaultRule(), 40)
		}
	})
}
