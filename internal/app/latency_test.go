package app

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
)

// BenchmarkAcknowledgedToCommitted measures the time from a webhook's acknowledgement to the
// commit in the stand-in (issue 2: p50 at most 100 ms).
func BenchmarkAcknowledgedToCommitted(b *testing.B) {
	w := newBench(b)
	committed := make(chan time.Time, 1)
	w.github.Observe(seePut(committed))
	var took []time.Duration
	n := 0
	for b.Loop() {
		n++
		b.StopTimer()
		w.repo.Put(config.Path, "similarity:\n  floor: 1\n", "nothing collapses")
		event := w.review("piet", "mara", fmt.Sprintf("Always close shard %d before its ledger is compacted, otherwise the history of shard %d is lost.", n, n))
		b.StartTimer()
		delivery, err := w.github.Deliver(b.Context(), event)
		acknowledged := time.Now()
		if err != nil || !delivery.OK() {
			b.Fatalf("%+v, %v", delivery, err)
		}
		took = append(took, (<-committed).Sub(acknowledged))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
