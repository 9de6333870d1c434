package calibrate

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("testdata", "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	labels, err := ReadLabels(file)
	if err != nil {
		t.Fatal(err)
	}
	r := Report{Labels: len(labels), Elsewhere: 2, Results: Measures(labels, similarity.DefaultRule())}
	golden(t, "report.txt", r.Text())
	js, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", string(js)+"\n")
}

// Values of R's binom.confint(method = "wilson").
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		share     Share
		low, high float64
	}{
		{Share{0, 0}, 0, 1},
		{Share{0, 10}, 0, 0.2775},
		{Share{10, 10}, 0.7225, 1},
		{Share{29, 43}, 0.5252, 0.7951},
	} {
		low, high := c.share.Wilson()
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%v: %.4f to %.4f, want %.4f to %.4f", c.share, low, high, c.low, c.high)
		}
	}
	if n := (Share{}).missing(0.9); n != 35 {
		t.Errorf("35 right ones make 0.9 sure, not %d", n)
	}
}

// example has a score out of thin air: what follows from scores is tested apart from measures.
func example(v Verdict, score float64) Example { return Example{Label{Verdict: v}, score} }

func many(n int, v Verdict, score float64) []Example {
	out := make([]Example, n)
	for i := range out {
		out[i] = example(v, score)
	}
	return out
}

func TestRecommend(t *testing.T) {
	t.Parallel()
	join := func(groups ...[]Example) []Example {
		var out []Example
		for _, g := range groups {
			out = append(out, g...)
		}
		return out
	}
	for name, c := range map[string]struct {
		open   []Example
		floor  float64
		tooFew bool
		reason string
	}{
		"no labels":                          {nil, 0.25, true, "No labelled pair"},
		"no duplicate":                       {many(9, Distinct, 0.2), 0.25, true, "No labelled duplicate"},
		"no duplicate, and a false collapse": {many(9, Distinct, 0.3), 0.301, true, "No floor separates"},
		"a gap: three quarters of the way up": {
			join(many(40, Duplicate, 0.4), many(3, Distinct, 0.2)), 0.35, false, "leave a gap",
		},
		"a gap below the floor in force": {
			join(many(40, Duplicate, 0.2), many(3, Distinct, 0.1)), 0.175, false, "leave a gap",
		},
		"too few to lower the floor": {
			join(many(20, Duplicate, 0.2), many(3, Distinct, 0.1)), 0.25, true, "too few to lower",
		},
		"too few, but a false collapse raises it all the same": {
			join(many(5, Duplicate, 0.5), many(1, Opposite, 0.3)), 0.45, true, "Of 5 labelled pairs that collapse there 5 are right",
		},
		"no gap: the lowest that is precise enough": {
			join(many(60, Duplicate, 0.6), many(40, Duplicate, 0.3), many(2, Distinct, 0.35), many(9, Distinct, 0.2), many(5, Duplicate, 0.1)),
			0.3, false, "There is no gap",
		},
		"no opposite collapses, however precise": {
			join(many(60, Duplicate, 0.6), many(400, Duplicate, 0.3), many(1, Opposite, 0.35)), 0.6, false, "nothing opposite",
		},
		"nothing speaks against any floor": {many(60, Duplicate, 0.4), 0.25, false, "no reason to lower"},
		"nothing separates":                {join(many(5, Duplicate, 0.3), many(40, Distinct, 0.5)), 0.501, true, "No floor separates"},
		"a gap narrower than a thousandth": {join(many(40, Duplicate, 0.3004), many(3, Distinct, 0.3001)), 0.300325, false, "leave a gap"},
	} {
		r := Result{Rule: similarity.DefaultRule()}
		duplicates := 0
		for i, e := range c.open {
			if e.Verdict == Duplicate {
				duplicates++
			}
			r.extremes(&c.open[i])
		}
		got := r.recommend(c.open, func(floor float64) Point { return pointAt(c.open, floor, duplicates) })
		if math.Abs(got.Floor-c.floor) > 1e-9 || got.TooFew != c.tooFew || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %+v, want floor %v, too few %v, reason %q", name, got, c.floor, c.tooFew, c.reason)
		}
	}
}

// A floor is only lowered on enough evidence, and no opposite pair that was labelled collapses at it.
func TestRecommendIsConservative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		open := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Example {
			return example(rapid.SampledFrom([]Verdict{Duplicate, Distinct, Opposite}).Draw(t, "label"), rapid.Float64Range(0, 1).Draw(t, "score"))
		})).Draw(t, "pairs")
		r := Result{Rule: similarity.DefaultRule()}
		for i := range open {
			r.extremes(&open[i])
		}
		at := func(floor float64) Point { return pointAt(open, floor, len(open)) }
		got := r.recommend(open, at)
		p := at(got.Floor)
		if got.Floor < r.Rule.Floor && got.TooFew {
			t.Fatalf("lowered on too few labels: %+v", got)
		}
		if p.Opposite > 0 && got.Floor < 1 {
			t.Fatalf("%d opposite pairs collapse: %+v", p.Opposite, got)
		}
		if low, _ := p.Precision.Wilson(); !got.TooFew && low < trusted {
			t.Fatalf("enough labels, and precision may be %v: %+v", low, got)
		}
	})
}

func TestUncertain(t *testing.T) {
	t.Parallel()
	file := lesson.Parse([]byte(`
- Take a snapshot before compacting the lease file, otherwise a crash loses the history. (PR #1, 2026-01-01, ci-fix)
- Snapshot the lease file before it is compacted; a crash in between loses its history. (PR #2, 2026-01-01, ci-fix)
- Snapshot the lease file at midnight, and keep the newest seven in the backup folder. (PR #3, 2026-01-01, ci-fix)
- Snapshot the lease file at midnight, and keep the newest six in the backup folder. (PR #4, 2026-01-01, ci-fix; stale 2026-02-01)
- Pin every base image by its digest so that rebuilds of the runner stay the same. (PR #5, 2026-01-01, ci-fix)
`))
	pairs := Uncertain([]*lesson.File{file, file}, similarity.DefaultRule())
	for _, p := range pairs {
		if strings.Contains(p.A+p.B, "six") || strings.Contains(p.A+p.B, "Pin every") {
			t.Errorf("%+v is retired, or far from the floor", p)
		}
	}
	if len(pairs) != 2 {
		t.Fatalf("%d pairs, want each near the floor once: %+v", len(pairs), pairs)
	}
	if left := Unlabelled(pairs, []Label{{pairs[0].B, pairs[0].A, Skip}}); len(left) != 1 || left[0] != pairs[1] {
		t.Errorf("left: %+v", left)
	}
}
