package report

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// row is what a store is summed up in.
type row struct {
	active, retired, pairs, tooShort        int
	reaching, merging, opposed, superfluous int
	above, below                            float64
	histogram                               []int
}

func rowOf(s Store) row {
	m := s.Margin()
	if m == nil {
		m = &Margin{}
	}
	return row{
		s.Active, s.RetiredTotal(), s.AllPairs(), s.TooShort, s.Reaching, s.Merging, s.Opposed, s.Superfluous,
		m.Above, m.Below, append([]int{s.Histogram.Rest}, s.Histogram.Counts...),
	}
}

// doubleLoop is the row by definition: every pair of active bullets is compared.
func doubleLoop(file *lesson.File, rule similarity.Rule, from float64) row {
	var active []lesson.Bullet
	for _, b := range file.Bullets() {
		if b.Active() {
			active = append(active, b)
		}
	}
	h := newHistogram(rule.Floor, from)
	r := row{active: len(active), retired: len(file.Bullets()) - len(active), above: 2, below: max(rule.Floor/2, from)}
	gone, texts := make([]bool, len(active)), make([]*similarity.Text, len(active))
	for j, b := range active {
		text := similarity.Prepare(b.Sentence)
		texts[j] = text
		if !text.Comparable(rule) {
			r.tooShort++
		}
		for i, a := range active[:j] {
			r.pairs++
			other := texts[i]
			d := rule.Compare(other, text)
			switch {
			case a.Handle() == b.Handle():
				d = similarity.Decision{Sureness: 1, Collapse: true}
			case !text.Comparable(rule) || !other.Comparable(rule):
				continue
			}
			if d.Sureness < from {
				h.Rest++
			} else {
				h.add(1, d.Sureness)
			}
			if d.Sureness >= rule.Floor {
				r.reaching++
			} else {
				r.below = max(r.below, d.Sureness)
			}
			if d.Contradiction {
				r.opposed++
			}
			if d.Collapse {
				r.merging++
				r.above = min(r.above, d.Sureness)
				gone[j] = gone[j] || !gone[i]
			}
		}
		if gone[j] {
			r.superfluous++
		}
	}
	if r.merging == 0 {
		r.above = rule.Floor
	}
	if r.active < 2 {
		r.above, r.below = 0, 0
	}
	r.histogram = append([]int{h.Rest}, h.Counts...)
	return r
}

// lines draws lines of lessons files: subjects in random company, copies, opposites, short and retired ones.
func lines() *rapid.Generator[string] {
	subjects := strings.Fields("snapshot lease compact journal crash history backup generate schema client release digest image rebuild cache token secret")
	return rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.SampledFrom(subjects), 1, 8).Draw(t, "words")
		opening := rapid.SampledFrom([]string{"Always keep the", "Never keep the", "Before the release, keep the", "Only keep"}).Draw(t, "opening")
		trailer := rapid.SampledFrom([]string{"", " (PR #1, 2026-11-02, ci-fix)", " (PR #2, 2026-06-02, ci-fix; expired 2026-09-01)"}).Draw(t, "trailer")
		return opening + " " + strings.Join(words, " ") + ", or all of it is lost." + trailer
	})
}

func TestTheRowIsThatOfTheDoubleLoop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.OneOf(lines(), rapid.SampledFrom([]string{snapshot, snapshot2, never, near, "Ask mara.", "Ask mara. "})), 0, 25).Draw(t, "lines")
		rule := similarity.DefaultRule()
		rule.Floor = rapid.SampledFrom([]float64{0.25, 0.1, 1.0 / 3, 0.6, 1}).Draw(t, "floor")
		rule.Measure = rapid.SampledFrom([]string{"", similarity.WordsMeasure}).Draw(t, "measure")
		f := file(drawn...)
		if diff := cmp.Diff(doubleLoop(f, rule, 0), rowOf(Of(f, rule)), cmp.AllowUnexported(row{})); diff != "" {
			t.Fatalf("%s\n%s", diff, f.Bytes())
		}
	})
}

// many makes n lines, every tenth one a copy of the line before it, and every twentieth of the first.
func many(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("Keep snapshot%d and lease%d and journal%d apart, before image%d of host%d is sent. (PR #%d, 2026-11-02, ci-fix)", i%41, i%31, i%53, i, i%97, i+1)
		switch {
		case i%4 == 0:
			out[i] = fmt.Sprintf("Pin every image%d by its digest, so that rebuild%d of release%d stays the same. (PR #%d, 2026-11-02, ci-fix)", i, i%11, i%17, i+1)
		case i%20 == 19:
			out[i] = out[0]
		case i%10 == 9:
			out[i] = out[i-1]
		}
	}
	return out
}

// In a large store the pairs far under the floor are counted without being compared.
func TestTheRowOfALargeStore(t *testing.T) {
	t.Parallel()
	f, rule := file(many(250)...), similarity.DefaultRule()
	for _, bullets := range []int{wholeUpTo + 1, halfUpTo + 1} {
		from := rule.Floor * toldApartFrom(bullets)
		s := Store{Active: 250, Floor: rule.Floor}
		if err := s.compare(f.Bullets(), rule, from, func(int, int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		got := rowOf(s)
		if diff := cmp.Diff(doubleLoop(f, rule, from), got, cmp.AllowUnexported(row{})); diff != "" || got.histogram[0] == 0 || got.superfluous == 0 {
			t.Errorf("from %g: %+v\n%s", from, got, diff)
		}
	}
}

// Whatever says the same ten thousand times, little of it is kept.
func TestTenThousandTimesTheSame(t *testing.T) {
	t.Parallel()
	same := make([]string, 10_000)
	for i := range same {
		same[i] = snapshot
	}
	s := Of(file(same...), similarity.DefaultRule())
	if s.Reaching != 10_000*9_999/2 || s.Superfluous != 9_999 || len(s.Pairs) != maxPairs {
		t.Errorf("%d pairs, %d superfluous, %d kept", s.Reaching, s.Superfluous, len(s.Pairs))
	}
}

func TestWatchedEndsWithTheWatcher(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	last := 0
	_, err := Watched(file(many(700)...), similarity.DefaultRule(), func(done, of int) error {
		if last = done; done > of/2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || last == 0 {
		t.Errorf("%v after %d", err, last)
	}
}
