package queue

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// write is something on its way to the disk: an intent to store, or else what do does.
type write struct {
	ctx    context.Context
	intent *Intent
	do     func(ctx context.Context, tx *sql.Tx) error
	done   chan written
}

type written struct {
	fresh bool // an intent that was not there
	err   error
}

const (
	maxGroup   = 256             // writes that share one commit
	commitTime = 8 * time.Second // GitHub waits ten for an answer (github.md 1.7)
)

// commitWrites is the only writer. It commits in groups: all that arrives while one commit
// reaches the disk shares the next (design decision 2).
func (q *Queue) commitWrites() {
	for {
		select {
		case first := <-q.writes:
			q.commit(q.gather(first))
		case <-q.closing:
			return
		}
	}
}

func (q *Queue) gather(first write) []write {
	group := []write{first}
	for len(group) < maxGroup {
		select {
		case next := <-q.writes:
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}

// send hands a write to the writer and returns what came of it.
func (q *Queue) send(w write) written {
	w.done = make(chan written, 1)
	select {
	case q.writes <- w:
		return <-w.done
	case <-q.closing:
		return written{err: ErrStopped}
	case <-w.ctx.Done():
		return written{err: w.ctx.Err()}
	}
}

// change commits what do does. do must not fail but for the database: others share its commit.
func (q *Queue) change(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error {
	return q.send(write{ctx: ctx, do: do}).err
}

// exec commits one statement.
func (q *Queue) exec(ctx context.Context, statement string, args ...any) error {
	return q.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// commit writes a group in one transaction, tells who waits for it, and wakes the repositories
// that have something to do. The first of several puts of one delivery is stored.
func (q *Queue) commit(group []write) {
	group = slices.DeleteFunc(group, func(w write) bool { // what nobody waits for any more
		err := w.ctx.Err()
		if err != nil {
			w.done <- written{err: err}
		}
		return err != nil
	})
	var (
		intents []Intent
		first   = map[string]int{} // delivery → the write that stores it
		fresh   map[string]bool
		due     []int64
	)
	for i, w := range group {
		if w.intent == nil {
			continue
		}
		if _, again := first[w.intent.Delivery]; !again {
			first[w.intent.Delivery] = i
			intents = append(intents, *w.intent)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitTime)
	defer cancel()
	err := inTx(ctx, q.db, func(tx *sql.Tx) (err error) {
		if fresh, due, err = q.store(ctx, tx, intents); err != nil {
			return fmt.Errorf("store intents: %w", err)
		}
		for _, w := range group {
			if w.do == nil {
				continue
			}
			if err := w.do(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	for i, w := range group {
		stored := err == nil && w.intent != nil && first[w.intent.Delivery] == i && fresh[w.intent.Delivery]
		w.done <- written{fresh: stored, err: err}
	}
	if err == nil {
		q.waiting.Add(int64(len(fresh)))
		q.wake(due...)
	}
}

// inTx commits what do did when it returns no error.
func inTx(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
