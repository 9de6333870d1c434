package queue

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// jobs is River, whichever database it runs on.
type jobs interface {
	insert(ctx context.Context, repository int64) error
	start(ctx context.Context) error
	stop(ctx context.Context) error
}

// drainArgs are a job: drain this repository's intents. At most one is alive for a repository.
type drainArgs struct {
	Repository int64 `json:"repository" river:"unique"`
}

// Kind names the job in River's tables.
func (drainArgs) Kind() string { return "drain" }

// InsertOpts makes jobs unique. A job is never retried by River: intents have retries of their
// own, and the queue makes a new job for what is due.
func (drainArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled, rivertype.JobStateRetryable,
	}}}
}

const (
	fetchCooldown = 5 * time.Millisecond
	jobTimeout    = 10 * time.Minute // a drain may hold many intents; each request has its own bound
	rescueAfter   = 15 * time.Minute
	jobMemory     = time.Hour // intents hold the history; finished jobs only take room
)

// riverJobs is River over one driver. T is the driver's transaction.
type riverJobs[T any] struct {
	client *river.Client[T]
}

func newRiver[T any](ctx context.Context, q *Queue, driver riverdriver.Driver[T], begin func(context.Context) (T, func() error, error)) (riverJobs[T], error) {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: q.config.Logger})
	if err != nil {
		return riverJobs[T]{}, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return riverJobs[T]{}, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &drainer[T]{queue: q, begin: begin})
	client, err := river.NewClient(driver, &river.Config{
		FetchCooldown:               fetchCooldown,
		Logger:                      q.config.Logger,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.config.Workers}},
		Workers:                     workers,
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: jobMemory,
		DiscardedJobRetentionPeriod: jobMemory,
	})
	return riverJobs[T]{client}, err
}

func (r riverJobs[T]) insert(ctx context.Context, repository int64) error {
	_, err := r.client.Insert(ctx, drainArgs{Repository: repository}, nil)
	return err
}

func (r riverJobs[T]) start(ctx context.Context) error { return r.client.Start(ctx) }

func (r riverJobs[T]) stop(ctx context.Context) error {
	err := r.client.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = r.client.StopAndCancel(context.WithoutCancel(ctx))
	}
	return err
}

// drainer is River's worker.
type drainer[T any] struct {
	river.WorkerDefaults[drainArgs]
	queue *Queue
	begin func(context.Context) (tx T, commit func() error, err error)
}

// Work drains the repository. An intent that arrives while the job ends finds the job still
// alive and gets none of its own: so the job completes in a transaction of ours, and looks again
// after it.
func (d *drainer[T]) Work(ctx context.Context, job *river.Job[drainArgs]) error {
	repository := job.Args.Repository
	failed := d.queue.drain(ctx, repository)
	ctx = context.WithoutCancel(ctx)
	tx, commit, err := d.begin(ctx)
	if err != nil {
		return errors.Join(failed, err)
	}
	if _, err := river.JobCompleteTx[riverdriver.Driver[T]](ctx, tx, job); err != nil {
		return errors.Join(failed, err)
	}
	if err := commit(); err != nil {
		return errors.Join(failed, err)
	}
	if failed == nil {
		if _, _, err := d.queue.next(ctx, repository); err == nil {
			d.queue.wake(repository)
		}
	}
	return failed
}
