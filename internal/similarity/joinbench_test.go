package similarity

import (
	"cmp"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var measures = []string{WordsMeasure, ""}

func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{1000, 3000, 10_000} {
		texts := bullets(n)
		for _, measure := range measures {
			b.Run(fmt.Sprintf("%d/%s", n, cmp.Or(measure, "default")), func(b *testing.B) {
				for b.Loop() {
					Join(texts, measured(measure))
				}
			})
		}
	}
}

// BenchmarkJoinGrowth reports the exponent with which the time from sentences to pairs grows: 2 is that
// of a double loop.
func BenchmarkJoinGrowth(b *testing.B) {
	for _, measure := range measures {
		b.Run(cmp.Or(measure, "default"), func(b *testing.B) {
			exponent := 0.0
			for b.Loop() {
				few, many := joinTime(sentencesOf(3000), measured(measure)), joinTime(sentencesOf(24_000), measured(measure))
				exponent = math.Log(many.Seconds()/few.Seconds()) / math.Log(8)
			}
			b.ReportMetric(exponent, "exponent")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkJoinAgainstPython reports how many times as long the plain double loop in Python takes for
// the same 3,000 sentences, in the same run.
func BenchmarkJoinAgainstPython(b *testing.B) {
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("there is no python3 to compare with")
	}
	sentences := sentencesOf(3000)
	loop := exec.Command(python, "testdata/doubleloop.py")
	loop.Stdin = strings.NewReader(strings.Join(sentences, "\n"))
	out, err := loop.Output()
	if err != nil {
		b.Fatal(err)
	}
	var pairs int
	var seconds float64
	if _, err := fmt.Sscan(string(out), &pairs, &seconds); err != nil {
		b.Fatal(err)
	}
	if got := len(Join(PrepareAll(sentences), measured(WordsMeasure))); got != pairs {
		b.Fatalf("%d pairs, Python finds %d", got, pairs)
	}
	for _, measure := range measures {
		b.Run(cmp.Or(measure, "default"), func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				took += joinTime(sentences, measured(measure))
			}
			b.ReportMetric(seconds*float64(b.N)/took.Seconds(), "times-faster")
		})
	}
}

// joinTime is how long it takes from sentences to pairs.
func joinTime(sentences []string, r Rule) time.Duration {
	start := time.Now()
	Join(PrepareAll(sentences), r)
	return time.Since(start)
}

func measured(measure string) Rule {
	r := DefaultRule()
	r.Measure = measure
	return r
}
