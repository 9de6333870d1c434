package similarity

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// doubleLoop is what Near must find, and Join from the floor on.
func doubleLoop(texts []*Text, r Rule, from float64) []Pair {
	var out []Pair
	for i := range texts {
		for j := i + 1; j < len(texts); j++ {
			short := min(len(texts[i].tokens), len(texts[j].tokens)) < r.MinTokens
			if d := r.Compare(texts[i], texts[j]); !short && d.Sureness >= from && d.Sureness > 0 {
				out = append(out, Pair{A: i, B: j, Decision: d})
			}
		}
	}
	return out
}

func TestJoinFindsWhatTheDoubleLoopFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var texts []*Text
		for _, s := range rapid.SliceOfN(sentences(), 0, 30).Draw(t, "sentences") {
			texts = append(texts, Prepare(s))
		}
		r := rules().Draw(t, "rule")
		r.Floor = rapid.SampledFrom([]float64{0.05, 0.1, 0.25, 1.0 / 3, 0.5, 0.9, 1}).Draw(t, "floor")
		if diff := gocmp.Diff(doubleLoop(texts, r, r.Floor), Join(texts, r)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// What Near finds is what the double loop finds, in blocks that end with the last text.
func TestNear(t *testing.T) {
	for _, n := range []int{0, 1, 400} {
		texts := append(bullets(n), Prepare("Too short."))
		for _, from := range []float64{0, 0.1, 0.25, 0.6} {
			var got []Pair
			last := 0
			for done, pairs := range Near(texts, DefaultRule(), from) {
				if done <= last {
					t.Fatalf("%d texts are done after %d", done, last)
				}
				last = done
				got = append(got, pairs...)
			}
			slices.SortFunc(got, func(p, q Pair) int { return cmp.Or(p.A-q.A, p.B-q.B) })
			if diff := gocmp.Diff(doubleLoop(texts, DefaultRule(), from), got); diff != "" || n > 0 && last != n+1 {
				t.Errorf("%d texts from %g on, %d done: %s", n, from, last, diff)
			}
		}
	}
	for range Near(bullets(400), DefaultRule(), 0) {
		break // who has seen enough may leave
	}
}

func TestJoinOfManyBullets(t *testing.T) {
	texts := bullets(600)
	for _, measure := range []string{"", WordsMeasure} {
		r := DefaultRule()
		r.Measure = measure
		want := doubleLoop(texts, r, r.Floor)
		if diff := gocmp.Diff(want, Join(texts, r)); diff != "" || len(want) == 0 {
			t.Errorf("measure %q: %d pairs expected: %s", measure, len(want), diff)
		}
	}
}

// TestJoinOfAHundredThousand holds the memory of the largest store of stores.
func TestJoinOfAHundredThousand(t *testing.T) {
	if os.Getenv("AGENT_LESSONS_TEST_ALL") == "" {
		t.Skip("joins 100,000 bullets; set AGENT_LESSONS_TEST_ALL=1")
	}
	if pairs := Join(bullets(100_000), DefaultRule()); len(pairs) == 0 {
		t.Error("no pair found")
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if memory.Sys > 1<<30 {
		t.Errorf("took %d MiB, more than 1 GiB", memory.Sys>>20)
	}
}

// bullets makes n sentences of 10 to 25 words: grammar, and subjects of which few are frequent (Zipf).
// Every twentieth rewords the one before it.
func bullets(n int) []*Text { return PrepareAll(sentencesOf(n)) }

func sentencesOf(n int) []string {
	rng := rand.New(rand.NewPCG(6, 28))
	zipf := rand.NewZipf(rng, 1.1, 8, 30_000)
	grammar := strings.Fields("the a in of to with so that before after when and for is are on")
	out := make([]string, n)
	var previous []string
	for i := range out {
		words := make([]string, 10+rng.IntN(16))
		for w := range words {
			if rng.IntN(3) == 0 {
				words[w] = grammar[rng.IntN(len(grammar))]
			} else {
				words[w] = fmt.Sprintf("subject%d", zipf.Uint64())
			}
		}
		if i%20 == 19 {
			copy(words, previous[:min(len(previous), len(words)*2/3)])
		}
		previous = words
		out[i] = strings.Join(words, " ") + "."
	}
	return out
}
