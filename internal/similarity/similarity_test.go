package similarity

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	pendingA = "Never approve a PR while any CI check is still pending: wait for all jobs to conclude before verdict."
	pendingB = "Never request approval or treat a PR as mergeable while any CI check is still pending: local green runs are not a substitute."
)

// words is the published rule.
func plainRule() Rule { return Rule{Measure: WordsMeasure, Floor: 0.25, MinTokens: 8} }

func TestPublishedExample(t *testing.T) {
	d := plainRule().Compare(Prepare(pendingA), Prepare(pendingB))
	if len(d.Shared) != 10 || d.Score != 10.0/31 || d.Sureness != d.Score || !d.Collapse {
		t.Errorf("want a collapse at 10 of 31 words, got %+v", d)
	}
}

// TestACommandAndItsBanStayApart holds the published example of opposites, whatever they score.
func TestACommandAndItsBanStayApart(t *testing.T) {
	ban := Prepare("The browser download is blocked there: never retry `npm run shots` inside the task container.")
	for _, s := range []string{
		"Run `npm run shots` after changing a page.",
		"Run `npm run shots` and commit the new images whenever a component has changed its look.",
		"Always run `npm run shots` inside the task container before asking for a review of the pages.",
	} {
		for _, measure := range []string{"", WordsMeasure} {
			if d := (Rule{Measure: measure, Floor: 0.01}).Compare(Prepare(s), ban); d.Collapse || !d.Contradiction {
				t.Errorf("measure %q: %q: %+v", measure, s, d)
			}
		}
	}
}

func TestPlainRule(t *testing.T) {
	tests := map[string]struct {
		a, b     string
		collapse bool
	}{
		"too short to compare": {"new one", "new two", false},
		"too short even if equal": {
			"Run the tests before you push.", "Run the tests before you push.", false},
		"eight tokens are enough": {
			"Run all the tests locally before you push.", "Run all the tests locally before you push.", true},
		"nothing in common": {
			"Escape campaign titles in every outgoing subject header line.",
			"Sort peers by id before hashing the ring of nodes.", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := plainRule().Compare(Prepare(tt.a), Prepare(tt.b))
			if d.Collapse != tt.collapse || d.Reason == "" {
				t.Errorf("got %+v, want collapse %v and a reason", d, tt.collapse)
			}
		})
	}
}

func TestTheFloorItselfCollapses(t *testing.T) {
	a, b := Prepare("aa bb cc dd ee ff gg hh ii jj"), Prepare("aa bb cc dd kk ll mm nn oo pp") // 4 of 16
	r := plainRule()
	if d := r.Compare(a, b); !d.Collapse || d.Score != 0.25 {
		t.Errorf("0.25 is at the floor: %+v", d)
	}
	r.Floor = 0.2500001
	if d := r.Compare(a, b); d.Collapse {
		t.Errorf("0.25 is under %v: %+v", r.Floor, d)
	}
}

func TestValidate(t *testing.T) {
	tests := map[string]struct {
		rule Rule
		want string // substring of the error; "" when valid
	}{
		"default":         {DefaultRule(), ""},
		"words":           {plainRule(), ""},
		"floor one":       {Rule{Floor: 1}, ""},
		"unknown measure": {Rule{Measure: "cosine", Floor: 0.25}, `unknown measure "cosine"`},
		"floor zero":      {Rule{}, "floor 0"},
		"floor above one": {Rule{Floor: 1.01}, "floor 1.01"},
		"negative tokens": {Rule{Floor: 0.25, MinTokens: -1}, "min_tokens -1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := tt.rule.Validate()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// sentences draws bullets that share enough vocabulary for every branch to be taken.
func sentences() *rapid.Generator[string] {
	vocabulary := strings.Fields("never always use `rows.Close()` instead of the lock before after reading lease file " +
		"commit 409 500 only except when `--flag` `a/b.go` do not avoid enable disable so that, because more less . ; 提交 测试")
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 24), func(w []string) string { return strings.Join(w, " ") })
}

func rules() *rapid.Generator[Rule] {
	return rapid.SampledFrom([]Rule{DefaultRule(), plainRule(), {Floor: 0.1}, {Measure: WordsMeasure, Floor: 0.5, MinTokens: 3}})
}

func TestCompareIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Prepare(sentences().Draw(t, "a")), Prepare(sentences().Draw(t, "b"))
		r := rules().Draw(t, "rule")
		if diff := cmp.Diff(r.Compare(a, b), r.Compare(b, a)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestASentenceCollapsesOntoItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sentences().Draw(t, "sentence")
		r := rules().Draw(t, "rule")
		d := r.Compare(Prepare(s), Prepare(s))
		if n := len(Tokens(s)); d.Collapse != (n > 0 && n >= r.MinTokens) {
			t.Fatalf("%d tokens: %+v", n, d)
		}
	})
}

func TestTheScoreIgnoresTheOrderOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := strings.Fields(sentences().Draw(t, "sentence"))
		other := Prepare(sentences().Draw(t, "other"))
		before := plainRule().Compare(Prepare(strings.Join(words, " ")), other)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		after := plainRule().Compare(Prepare(strings.Join(words, " ")), other)
		if before.Score != after.Score || !cmp.Equal(before.Shared, after.Shared) {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("Never run `go mod tidy` without asking.", "as they are, and do not, except only by by `x` — (before")
	f.Add("提交前运行测试 before only", "`")
	f.Fuzz(func(t *testing.T, a, b string) {
		r := Rule{Floor: 0.01}
		x, y := Prepare(a), Prepare(b)
		if diff := cmp.Diff(r.Compare(x, y), r.Compare(y, x)); diff != "" {
			t.Fatal(diff)
		}
		if d := r.Compare(x, y); d.Collapse && d.Guard != "" || d.Sureness < 0 || d.Sureness > 1 || d.Score < 0 || d.Score > 1 {
			t.Fatalf("impossible: %+v", d)
		}
	})
}
