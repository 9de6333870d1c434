package app

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// maxBudgets bounds the installations whose budget is shown: those with the least left.
const maxBudgets = 20

// metrics count what the App does. No label holds a name, a path or an id of a repository, and each
// has few values; docs/operations.md lists them.
type metrics struct {
	registry   *prometheus.Registry
	deliveries *prometheus.CounterVec // event, outcome
	answered   prometheus.Histogram
	intents    *prometheus.CounterVec // kind, result
	requests   *prometheus.CounterVec // route, status
	lessons    *prometheus.CounterVec // change
	refused    *prometheus.CounterVec // reason
	budgets    budgets
}

func newMetrics(q *queue.Queue, last func() time.Time, now func() time.Time) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "agent_lessons_" + name, Help: help}, labels)
	}
	m := &metrics{
		registry:   prometheus.NewRegistry(),
		deliveries: counter("deliveries_total", "Webhook deliveries, by how they were answered.", "event", "outcome"),
		answered: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "agent_lessons_delivery_seconds", Help: "Time until a delivery is answered; GitHub waits ten.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}),
		intents:  counter("jobs_total", "Tries at jobs, by how they ended.", "kind", "result"),
		requests: counter("github_requests_total", "Requests to GitHub; the status is \"error\" where no answer came.", "route", "status"),
		lessons:  counter("lessons_total", "Bullets, by what was done to them.", "change"),
		refused:  counter("lessons_refused_total", "Lessons that may not enter a file, by the rule that keeps them out.", "reason"),
		budgets:  budgets{now: now, left: map[int64]budgetLeft{}},
	}
	m.registry.MustRegister(m.deliveries, m.answered, m.intents, m.requests, m.lessons, m.refused, &m.budgets,
		backlog{q, last, now}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// learned counts what an event came to.
func (m *metrics) learned(r memory.Result) {
	m.wrote(r.Write)
	for _, o := range r.Outcomes {
		if o.Kind == lesson.Refused {
			m.refused.WithLabelValues(o.Rule).Inc()
		}
	}
}

// wrote counts what a write did to bullets.
func (m *metrics) wrote(w memory.Write) {
	if !w.Written {
		return
	}
	for _, touched := range w.Entry.Bullets {
		m.lessons.WithLabelValues(touched.What).Inc()
	}
}

var (
	jobsDesc     = prometheus.NewDesc("agent_lessons_jobs", "Jobs by state: due, waiting (for a retry, a limit or an owner), gave-up.", []string{"state"}, nil)
	ageDesc      = prometheus.NewDesc("agent_lessons_queue_age_seconds", "How long the job that is due longest has been.", nil, nil)
	deliveryDesc = prometheus.NewDesc("agent_lessons_last_delivery_timestamp_seconds", "When this process last accepted a delivery; its start, before that.", nil, nil)
	budgetDesc   = prometheus.NewDesc("agent_lessons_github_budget_remaining", "Requests that an installation has left until its limit resets; the installations with the least left.", []string{"installation"}, nil)
)

// backlog reads the queue when metrics are asked for.
type backlog struct {
	queue *queue.Queue
	last  func() time.Time
	now   func() time.Time
}

// Describe implements prometheus.Collector.
func (b backlog) Describe(out chan<- *prometheus.Desc) {
	out <- jobsDesc
	out <- ageDesc
	out <- deliveryDesc
}

// Collect implements prometheus.Collector.
func (b backlog) Collect(out chan<- prometheus.Metric) {
	out <- prometheus.MustNewConstMetric(deliveryDesc, prometheus.GaugeValue, float64(b.last().Unix()))
	ctx, cancel := context.WithTimeout(context.Background(), healthTime)
	defer cancel()
	now, err := b.queue.Backlog(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(jobsDesc, err)
		return
	}
	for state, n := range map[string]int{"due": now.Due, "waiting": now.Waiting - now.Due, string(queue.GaveUp): now.GaveUp} {
		out <- prometheus.MustNewConstMetric(jobsDesc, prometheus.GaugeValue, float64(n), state)
	}
	out <- prometheus.MustNewConstMetric(ageDesc, prometheus.GaugeValue, now.Age.Seconds())
}

// budgets is what GitHub's answers say that installations have left.
type budgets struct {
	now  func() time.Time
	mu   sync.Mutex
	left map[int64]budgetLeft
}

type budgetLeft struct {
	installation int64
	remaining    int
	reset        time.Time
}

// note takes the headers of an answer to an installation.
func (b *budgets) note(installation int64, h http.Header) {
	remaining, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	reset, bad := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || bad != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left[installation] = budgetLeft{installation, remaining, time.Unix(reset, 0)}
}

// least returns the maxBudgets installations with the least left, and forgets what was reset since.
func (b *budgets) least() []budgetLeft {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []budgetLeft
	for installation, left := range b.left {
		if left.reset.Before(b.now()) {
			delete(b.left, installation)
			continue
		}
		out = append(out, left)
	}
	slices.SortFunc(out, func(a, b budgetLeft) int {
		return cmp.Or(cmp.Compare(a.remaining, b.remaining), cmp.Compare(a.installation, b.installation))
	})
	return out[:min(len(out), maxBudgets)]
}

// Describe implements prometheus.Collector.
func (b *budgets) Describe(out chan<- *prometheus.Desc) { out <- budgetDesc }

// Collect implements prometheus.Collector.
func (b *budgets) Collect(out chan<- prometheus.Metric) {
	for _, left := range b.least() {
		out <- prometheus.MustNewConstMetric(budgetDesc, prometheus.GaugeValue, float64(left.remaining), strconv.FormatInt(left.installation, 10))
	}
}
