package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// jobs is River, whichever database it runs on.
type jobs interface {
	insert(ctx context.Context, repositories []int64) error // repositories that have a job keep it
	bury(ctx context.Context) error                         // deletes the jobs that died with a replica
	start(ctx context.Context) error
	stop(ctx context.Context) error
}

// drainArgs are a job: drain this repository's intents. At most one is alive for a repository.
type drainArgs struct {
	Repository int64 `json:"repository" river:"unique"`
}

// Kind names the job in River's tables.
func (drainArgs) Kind() string { return "drain" }

// InsertOpts makes jobs unique. River never retries one: intents have their own retries, and a
// look makes a new job for what is due.
func (drainArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled, rivertype.JobStateRetryable,
	}}}
}

const (
	fetchCooldown = 2 * time.Millisecond // River's pause between two fetches; an insert when idle does not wait for it
	rescueAfter   = shift + 2*handlerTime
	jobMemory     = time.Hour       // intents hold the history; finished jobs only take room
	stopGrace     = 5 * time.Second // for handlers whose context was cancelled
)

// direct is a River driver without notifications. River's own fetcher is then told of an insert
// by a call in the process, at once and for nothing: on SQLite notifications are a table that is
// polled twenty times a second, on Postgres they are rationed by the fetch cooldown. Replicas
// find what the others are too busy for by polling once a second.
type direct[T any] struct{ riverdriver.Driver[T] }

// SupportsListener says that there is nobody to hear from.
func (direct[T]) SupportsListener() bool { return false }

// SupportsListenNotify says that there is nobody to tell.
func (direct[T]) SupportsListenNotify() bool { return false }

// riverJobs is River over one driver. T is the driver's transaction.
type riverJobs[T any] struct {
	client *river.Client[T]
	graves func(ctx context.Context) error
}

// newRiver brings River's tables up to date and prepares its client, which River knows as id.
// inTx runs do in a transaction; graves is bury.
func newRiver[T any](ctx context.Context, q *Queue, driver riverdriver.Driver[T], id string,
	inTx func(ctx context.Context, do func(T) error) error, graves func(ctx context.Context) error,
) (jobs, error) {
	logger := slog.New(warnings{q.log.Handler()})
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: logger})
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, fmt.Errorf("prepare River's tables: %w", err)
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &drainer[T]{queue: q, inTx: inTx})
	client, err := river.NewClient(direct[T]{driver}, &river.Config{
		ID:                          id,
		FetchCooldown:               fetchCooldown,
		Logger:                      logger,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.config.Workers}},
		Workers:                     workers,
		JobTimeout:                  -1, // a drain bounds itself
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: jobMemory,
		DiscardedJobRetentionPeriod: jobMemory,
	})
	return riverJobs[T]{client, graves}, err
}

func (r riverJobs[T]) bury(ctx context.Context) error { return r.graves(ctx) }

func (r riverJobs[T]) insert(ctx context.Context, repositories []int64) error {
	params := make([]river.InsertManyParams, len(repositories))
	for i, repository := range repositories {
		params[i].Args = drainArgs{Repository: repository}
	}
	_, err := r.client.InsertMany(ctx, params)
	return err
}

func (r riverJobs[T]) start(ctx context.Context) error { return r.client.Start(ctx) }

func (r riverJobs[T]) stop(ctx context.Context) error {
	err := r.client.Stop(ctx)
	if err == nil {
		return nil
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
	defer cancel()
	return errors.Join(fmt.Errorf("handlers were cut off: %w", err), r.client.StopAndCancel(grace))
}

// drainer is River's worker.
type drainer[T any] struct {
	river.WorkerDefaults[drainArgs]
	queue *Queue
	inTx  func(ctx context.Context, do func(T) error) error
}

// Work drains the repository and completes its job. An intent that arrives before the job is
// complete finds it alive and gets no job of its own (design decision 2): so Work completes the
// job itself, rather than leave it to River's batches, and looks again after that.
func (d *drainer[T]) Work(ctx context.Context, job *river.Job[drainArgs]) error {
	q, repository := d.queue, job.Args.Repository
	q.setRunning(repository, true)
	defer q.setRunning(repository, false)
	if err := q.drain(ctx, repository); err != nil {
		return err
	}
	err := q.insist(ctx, func() error {
		return d.inTx(ctx, func(tx T) error {
			_, err := river.JobCompleteTx[riverdriver.Driver[T]](ctx, tx, job)
			if errors.Is(err, rivertype.ErrNotFound) { // a person deleted the job
				return nil
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	q.setRunning(repository, false)
	_, _, err = q.next(ctx, repository)
	if err == nil {
		q.wake(repository)
	} else if !errors.Is(err, sql.ErrNoRows) {
		q.log.Error("the queue cannot be read; a look will follow", "error", err)
	}
	return nil
}

// warnings keeps River's reports of its own well-being out of the log.
type warnings struct{ slog.Handler }

// Enabled drops what is less than a warning.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the threshold.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the threshold.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
