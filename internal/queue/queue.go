// Package queue keeps what is to be done safe from crashes.
//
// Intents are rows of one table, on disk before a webhook is acknowledged, and that table is the
// truth. A River job per repository says only that the repository may have something to do: it
// drains the repository's intents in order of arrival. The same code runs on an embedded SQLite
// database, which one process owns, and on a Postgres that replicas share (design decisions 2
// and 14). A small [Index] of what was learned shares the database.
package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Intent is something to be done, by identifiers only: workers read the present (design
// decision 1).
type Intent struct {
	ID           int64     // set by the queue, in order of arrival
	Delivery     string    // X-GitHub-Delivery, or another name that is never used twice
	Kind         string    // chooses what the handler does
	Installation int64     // whose token is used
	Repository   int64     // repository id: what everything is keyed by
	FullName     string    // owner/name when the event happened: a hint
	PullRequest  int       // 0 for none
	Review       int64     // 0 for none
	Head         string    // the commit that checks concluded on, "" for none
	Actor        string    // who wrote or pressed; of a review, the logins of the pull request's writers, "" when unknown
	At           time.Time // when the event happened, UTC, kept to the millisecond
	NotBefore    time.Time // of Put: when it is due; zero for at once
}

// Outcome is what an intent led to, for the delivery's page.
type Outcome struct {
	Result string // one word
	Reason string // one line
}

// Handler does one intent. Its error decides what comes next: [Permanent], [Later], or, for any
// other, another try after a while. It may see an intent whose effect it has already had: after
// a crash, or when a replica that was thought dead was not.
type Handler func(ctx context.Context, in Intent) (Outcome, error)

// Config says where the queue lives and how patient it is.
type Config struct {
	DataDir     string                          // the embedded database's folder, made when missing
	DatabaseURL string                          // postgres://…: use Postgres instead
	Logger      *slog.Logger                    // nil: no log
	Now         func() time.Time                // nil: time.Now
	Workers     int                             // repositories worked on at once; 0: 16
	MaxWaiting  int                             // intents that may wait, before Put refuses more; 0: 1,000,000
	MaxAttempts int                             // tries before an intent is given up; 0: 10
	Backoff     func(attempt int) time.Duration // wait after try number attempt, from 1; nil: attempt⁴ s and up to a tenth more
}

const (
	defaultWorkers     = 16        // workers wait for GitHub, hardly for the processor
	defaultMaxWaiting  = 1_000_000 // some 210 MB of database
	defaultMaxAttempts = 10        // with the default backoff, given up after about four hours
)

func defaultBackoff(attempt int) time.Duration {
	wait := time.Duration(attempt*attempt*attempt*attempt) * time.Second
	return wait + rand.N(wait/10) // what failed together does not come back together
}

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
	if c.MaxWaiting == 0 {
		c.MaxWaiting = defaultMaxWaiting
	}
	if c.MaxAttempts == 0 {
		c.MaxAttempts = defaultMaxAttempts
	}
	if c.Backoff == nil {
		c.Backoff = defaultBackoff
	}
	return c
}

// Queue is an open queue.
type Queue struct {
	config  Config
	log     *slog.Logger
	db      *sql.DB // for the writer
	reads   *sql.DB
	dialect *strings.Replacer
	jobs    jobs
	close   func() error // releases the database
	handler Handler
	waiting atomic.Int64 // intents, as of the last look, and what was stored here since

	writes   chan write
	stopping chan struct{} // no more intents, no more handlers
	closing  chan struct{} // no more writes
	stopOnce sync.Once
	loops    sync.WaitGroup // commitWrites and makeJobs

	mu      sync.Mutex
	woken   map[int64]bool // repositories that need a job
	running map[int64]bool // repositories that are drained here and now
	wakeup  chan struct{}  // signals that woken is not empty
}

// Open opens the database and brings its tables up to date. It refuses a database that is
// damaged, that is another program's or a newer version's, or, embedded, that another process
// uses, and says what to do.
func Open(ctx context.Context, config Config) (*Queue, error) {
	q := &Queue{
		config:   config.withDefaults(),
		writes:   make(chan write),
		stopping: make(chan struct{}),
		closing:  make(chan struct{}),
		woken:    map[int64]bool{},
		running:  map[int64]bool{},
		wakeup:   make(chan struct{}, 1),
	}
	q.log = q.config.Logger
	open := q.openSQLite
	if config.DatabaseURL != "" {
		open = q.openPostgres
	}
	if err := open(ctx); err != nil {
		return nil, err
	}
	if err := q.countWaiting(ctx); err != nil {
		return nil, errors.Join(err, q.close())
	}
	q.loops.Go(q.commitWrites)
	return q, nil
}

// Start begins to work on intents with handler, those that were left over included. The end of
// ctx does not end the work: Stop does.
func (q *Queue) Start(ctx context.Context, handler Handler) error {
	q.handler = handler
	if err := q.jobs.start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	q.loops.Go(q.makeJobs)
	return nil
}

// Stop takes no more intents, starts no more handlers, lets those that run finish, and closes
// the database. When ctx ends first, their contexts are cancelled. What is left is on disk.
func (q *Queue) Stop(ctx context.Context) error {
	var err error
	q.stopOnce.Do(func() {
		close(q.stopping)
		if q.handler != nil {
			err = q.jobs.stop(ctx)
		}
		close(q.closing)
		q.loops.Wait()
		err = errors.Join(err, q.close())
	})
	return err
}

func (q *Queue) stopped() bool {
	select {
	case <-q.stopping:
		return true
	default:
		return false
	}
}

// now is the time as the tables hold it.
func (q *Queue) now() int64 { return q.config.Now().UnixMilli() }
