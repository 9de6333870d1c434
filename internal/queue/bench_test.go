package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/queue/queuetest"
)

// benchDatabases runs a benchmark on SQLite, and on Postgres when there is one.
func benchDatabases(b *testing.B, run func(b *testing.B, empty func(testing.TB) Config)) {
	b.Run("sqlite", func(b *testing.B) { run(b, emptySQLite) })
	b.Run("postgres", func(b *testing.B) {
		queuetest.Server(b)
		run(b, emptyPostgres)
	})
}

// BenchmarkPut is how fast intents are acknowledged, each on disk before it is, over 50
// repositories; alone, and while they are drained by handlers that do nothing.
func BenchmarkPut(b *testing.B) {
	benchDatabases(b, func(b *testing.B, empty func(testing.TB) Config) {
		for _, drained := range []bool{false, true} {
			for _, callers := range []int{1, 32} {
				b.Run(fmt.Sprintf("drained=%v/callers=%d", drained, callers), func(b *testing.B) {
					q := opener(b, empty(b))(Config{})
					if drained {
						if err := q.Start(b.Context(), func(context.Context, Intent) (Outcome, error) { return Outcome{}, nil }); err != nil {
							b.Fatal(err)
						}
					}
					var (
						puts sync.WaitGroup
						next atomic.Int64
					)
					b.ResetTimer()
					for range callers {
						puts.Go(func() {
							for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
								if _, err := q.Put(b.Context(), intent(fmt.Sprint(i), i%50+1)); err != nil {
									b.Error(err)
									return
								}
							}
						})
					}
					puts.Wait()
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "acks/s")
				})
			}
		}
	})
}

// BenchmarkLatency is the time from Put's call to its return, and to the handler's start, on an
// idle queue.
func BenchmarkLatency(b *testing.B) {
	benchDatabases(b, func(b *testing.B, empty func(testing.TB) Config) {
		q := opener(b, empty(b))(Config{})
		started := make(chan time.Time, 1)
		if err := q.Start(b.Context(), func(context.Context, Intent) (Outcome, error) {
			started <- time.Now()
			return Outcome{}, nil
		}); err != nil {
			b.Fatal(err)
		}
		var acks, starts []time.Duration
		for b.Loop() {
			time.Sleep(10 * time.Millisecond) // idle
			begin := time.Now()
			if _, err := q.Put(b.Context(), intent(fmt.Sprint(begin.UnixNano()), 1)); err != nil {
				b.Fatal(err)
			}
			acks = append(acks, time.Since(begin))
			starts = append(starts, (<-started).Sub(begin))
		}
		for name, times := range map[string][]time.Duration{"ack": acks, "start": starts} {
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1000, name+"-p50-ms")
			b.ReportMetric(times[len(times)*99/100].Seconds()*1000, name+"-p99-ms")
		}
	})
}

// BenchmarkBacklog is what a full queue costs: to count what waits, and on the disk.
func BenchmarkBacklog(b *testing.B) {
	const rows = 1_000_000
	place := emptySQLite(b)
	q := opener(b, place)(Config{})
	if _, err := q.db.ExecContext(b.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
INSERT INTO intents (delivery, kind, installation, repository, full_name, pull_request, review, actor, at, received, not_before, state)
SELECT '72d3162e-cc78-11e3-81ab-' || i, 'review', i % 100, i % 5000, 'octo-org/repository-' || (i % 5000), i % 500, 4000000000 + i, 'octocat', 0, 0, 0, 'waiting' FROM n`, rows); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if waiting, err := q.Backlog(b.Context()); err != nil || waiting.Waiting != rows {
			b.Fatal(waiting, err)
		}
	}
	var bytes float64
	if err := q.reads.QueryRowContext(b.Context(), `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(bytes/1e6, "MB")
}
