package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Put returns when the intent is on disk. It is not fresh, and nothing is stored, when its
// delivery is done or waits already; one that was given up is taken up anew. After an error
// nothing may be acknowledged; a full disk or a database that is away can be better next time.
func (q *Queue) Put(ctx context.Context, in Intent) (fresh bool, err error) {
	if err := check(in); err != nil {
		return false, err
	}
	if q.stopped() {
		return false, ErrStopped
	}
	stored := q.send(write{ctx: ctx, intent: &in})
	return stored.fresh, stored.err
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

const (
	insertHead = `INSERT INTO intents (delivery, kind, installation, repository, full_name, pull_request, review, actor, at, received, not_before, state) VALUES `
	// A repository that has to wait makes its new intents wait too.
	insertRow = `($%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d,
	COALESCE((SELECT held_until FROM repositories WHERE repository = $%[4]d AND held_until > $%[10]d), $%[10]d), 'waiting')`
	insertTail = `
ON CONFLICT (delivery) DO UPDATE SET kind = excluded.kind, installation = excluded.installation, repository = excluded.repository,
	full_name = excluded.full_name, pull_request = excluded.pull_request, review = excluded.review, actor = excluded.actor, at = excluded.at,
	received = excluded.received, not_before = excluded.not_before, state = 'waiting', attempts = 0, result = '', reason = '', finished = 0
WHERE intents.state = 'gave-up'
RETURNING delivery, repository, not_before`
)

// store stores intents whose deliveries differ, by one statement. It returns the deliveries that
// were not there and the repositories that have something to do now.
func (q *Queue) store(ctx context.Context, tx *sql.Tx, intents []Intent) (fresh map[string]bool, due []int64, err error) {
	if len(intents) == 0 {
		return nil, nil, nil
	}
	var (
		now  = q.now()
		rows = make([]string, len(intents))
		args = make([]any, 0, 10*len(intents))
	)
	for i, in := range intents {
		n := len(args)
		rows[i] = fmt.Sprintf(insertRow, n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, n+9, n+10)
		args = append(args, in.Delivery, in.Kind, in.Installation, in.Repository, in.FullName, in.PullRequest, in.Review, in.Actor, in.At.UnixMilli(), now)
	}
	stored, err := tx.QueryContext(ctx, insertHead+strings.Join(rows, ", ")+insertTail, args...)
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
