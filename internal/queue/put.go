package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// put is an intent on its way to the disk.
type put struct {
	ctx    context.Context
	intent Intent
	done   chan putResult
}

type putResult struct {
	fresh bool
	err   error
}

const (
	maxGroup   = 256             // intents that share one commit
	commitTime = 8 * time.Second // GitHub waits ten for an answer (github.md 1.7)
)

// Put returns when the intent is on disk. It is not fresh, and nothing is stored, when its
// delivery is done or waits already; one that was given up is taken up anew. After an error
// nothing may be acknowledged; a full disk or a database that is away can be better next time.
func (q *Queue) Put(ctx context.Context, in Intent) (fresh bool, err error) {
	if err := check(in); err != nil {
		return false, err
	}
	p := put{ctx: ctx, intent: in, done: make(chan putResult, 1)}
	select {
	case q.puts <- p:
	case <-q.stopping:
		return false, ErrStopped
	case <-ctx.Done():
		return false, ctx.Err()
	}
	result := <-p.done
	return result.fresh, result.err
}

// check refuses what the table could not hold: one such intent would fail its whole group.
func check(in Intent) error {
	if in.Delivery == "" || in.Kind == "" || in.Repository == 0 {
		return errors.New("an intent needs a delivery, a kind and a repository")
	}
	for _, text := range []string{in.Delivery, in.Kind, in.FullName, in.Actor} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return fmt.Errorf("intent of delivery %q: %q is not text", in.Delivery, text)
		}
	}
	return nil
}

// commitPuts commits intents in groups: all that arrive while one commit reaches the disk share
// the next (design decision 2).
func (q *Queue) commitPuts() {
	for {
		select {
		case p := <-q.puts:
			q.commit(q.gather(p))
		case <-q.stopping:
			return
		}
	}
}

func (q *Queue) gather(first put) []put {
	group := []put{first}
	for len(group) < maxGroup {
		select {
		case p := <-q.puts:
			group = append(group, p)
		default:
			return group
		}
	}
	return group
}

// commit stores a group by one statement, tells who waits for it, and wakes the repositories.
// The first of several puts of one delivery is stored; a caller that has gone is left out.
func (q *Queue) commit(group []put) {
	var (
		intents []Intent
		first   = map[string]int{} // delivery → the put that stores it
	)
	for i, p := range group {
		if _, again := first[p.intent.Delivery]; !again && p.ctx.Err() == nil {
			first[p.intent.Delivery] = i
			intents = append(intents, p.intent)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitTime)
	defer cancel()
	fresh, due, err := q.insert(ctx, intents)
	if err != nil {
		err = fmt.Errorf("store intents: %w", err)
	}
	for i, p := range group {
		stored, known := first[p.intent.Delivery]
		if !known { // all who put it have gone
			p.done <- putResult{err: p.ctx.Err()}
			continue
		}
		p.done <- putResult{fresh: err == nil && stored == i && fresh[p.intent.Delivery], err: err}
	}
	q.wake(due...)
}

const (
	insertHead = `INSERT INTO intents (delivery, kind, installation, repository, full_name, pull_request, review, actor, at, received, not_before, state) VALUES `
	// A repository that has to wait makes its new intents wait too.
	insertRow  = `($%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, COALESCE((SELECT held_until FROM repositories WHERE repository = $%[4]d AND held_until > $%[10]d), $%[10]d), 'waiting')`
	insertTail = `
ON CONFLICT (delivery) DO UPDATE SET kind = excluded.kind, installation = excluded.installation, repository = excluded.repository,
	full_name = excluded.full_name, pull_request = excluded.pull_request, review = excluded.review, actor = excluded.actor, at = excluded.at,
	received = excluded.received, not_before = excluded.not_before, state = 'waiting', attempts = 0, result = '', reason = '', finished = 0
WHERE intents.state = 'gave-up'
RETURNING delivery, repository, not_before`
)

// insert stores intents whose deliveries differ. It returns the deliveries that were not there
// and the repositories that have something to do now.
func (q *Queue) insert(ctx context.Context, intents []Intent) (fresh map[string]bool, due []int64, err error) {
	if len(intents) == 0 {
		return nil, nil, nil
	}
	var (
		now  = q.now()
		rows = make([]string, len(intents))
		args []any
	)
	for i, in := range intents {
		n := len(args)
		rows[i] = fmt.Sprintf(insertRow, n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, n+9, n+10)
		args = append(args, in.Delivery, in.Kind, in.Installation, in.Repository, in.FullName, in.PullRequest, in.Review, in.Actor, in.At.UnixMilli(), now)
	}
	stored, err := q.db.QueryContext(ctx, insertHead+strings.Join(rows, ", ")+insertTail, args...)
	if err != nil {
		return nil, nil, err
	}
	defer stored.Close()
	fresh = make(map[string]bool, len(intents))
	for stored.Next() {
		var (
			delivery              string
			repository, notBefore int64
		)
		if err := stored.Scan(&delivery, &repository, &notBefore); err != nil {
			return nil, nil, err
		}
		fresh[delivery] = true
		if notBefore <= now {
			due = append(due, repository)
		}
	}
	return fresh, due, stored.Err()
}
