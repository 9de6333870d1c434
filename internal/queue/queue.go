// Package queue keeps what is to be done safe from crashes. Intents are rows of one table, on
// disk before a webhook is acknowledged; a River job per repository drains them in order. The
// table is the truth: jobs only say that there may be something to do.
package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Intent is something to be done, by identifiers only: workers read the present (design
// decision 1).
type Intent struct {
	ID           int64     // set by the queue
	Delivery     string    // X-GitHub-Delivery, or another name that is never used twice
	Kind         string    // chooses what the handler does
	Installation int64     // whose token is used
	Repository   int64     // repository id: what everything is keyed by
	FullName     string    // owner/name when the event happened: a hint
	PullRequest  int       // 0 for none
	Review       int64     // 0 for none
	Actor        string    // login of the pull request's author, "" when unknown
	At           time.Time // when the event happened, UTC
}

// Outcome is what an intent led to, for the delivery's page.
type Outcome struct {
	Result string // one word
	Reason string // one line
}

// Handler does one intent. It may see an intent again whose effect it has already had: after a
// crash, or when its outcome could not be stored.
type Handler func(ctx context.Context, in Intent) (Outcome, error)

// Config says where the queue lives and how patient it is.
type Config struct {
	DataDir     string // the embedded database's folder, made when missing
	DatabaseURL string // postgres://…: use Postgres instead
	Logger      *slog.Logger
	Now         func() time.Time                // nil: time.Now
	Workers     int                             // repositories worked on at once; 0: 8
	MaxAttempts int                             // tries before an intent is given up; 0: 8
	Backoff     func(attempt int) time.Duration // wait after try number attempt; nil: attempt⁴ seconds
}

const (
	defaultWorkers     = 8
	defaultMaxAttempts = 8 // with the default backoff, given up after about two hours
)

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Workers == 0 {
		c.Workers = defaultWorkers
	}
	if c.MaxAttempts == 0 {
		c.MaxAttempts = defaultMaxAttempts
	}
	if c.Backoff == nil {
		c.Backoff = func(n int) time.Duration { return time.Duration(n*n*n*n) * time.Second }
	}
	return c
}

// Queue is an open queue.
type Queue struct {
	config Config
	db     *sql.DB
	jobs   jobs
	close  func() error // releases the database

	puts     chan put
	woken    chan struct{} // signals that toWake is not empty
	wakeMu   sync.Mutex
	toWake   map[int64]struct{} // repositories that need a job
	handler  Handler
	stopping chan struct{}
	loops    sync.WaitGroup // commitPuts and makeJobs
	stopOnce sync.Once
}

// Open opens and migrates the database. It refuses one that another process uses, that is
// damaged, or that is not ours, and says what to do.
func Open(ctx context.Context, config Config) (*Queue, error) {
	q := &Queue{config: config.withDefaults(), puts: make(chan put), woken: make(chan struct{}, 1), toWake: map[int64]struct{}{}, stopping: make(chan struct{})}
	var err error
	if config.DatabaseURL != "" {
		err = q.openPostgres(ctx)
	} else {
		err = q.openSQLite(ctx)
	}
	if err != nil {
		return nil, err
	}
	q.loops.Go(q.commitPuts)
	return q, nil
}

// Start begins to work on intents with handler, those that were left over included.
func (q *Queue) Start(ctx context.Context, handler Handler) error {
	q.handler = handler
	if err := q.jobs.start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	q.loops.Go(q.makeJobs)
	return nil
}

// Stop takes no more intents, lets handlers that run finish until ctx ends, and closes the
// database. What is left is on disk.
func (q *Queue) Stop(ctx context.Context) error {
	var err error
	q.stopOnce.Do(func() {
		close(q.stopping)
		q.loops.Wait()
		if q.handler != nil {
			err = q.jobs.stop(ctx)
		}
		err = errors.Join(err, q.close())
	})
	return err
}

func (q *Queue) now() int64 { return q.config.Now().UnixMilli() }
