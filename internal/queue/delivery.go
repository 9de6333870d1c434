package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// State is where an intent stands.
type State string

// The states of an intent. Done is remembered for 30 days, so that a redelivery, which keeps its
// GUID, leads to nothing; what was given up is done again when it is delivered again.
const (
	Waiting State = "waiting"
	Done    State = "done"
	GaveUp  State = "gave-up"
)

// Delivery is an intent with what became of it.
type Delivery struct {
	Intent    Intent
	State     State
	Attempts  int
	Outcome   Outcome
	Received  time.Time
	NotBefore time.Time // when a waiting intent is tried next
	Finished  time.Time // zero while it waits
}

const selectDelivery = `SELECT id, delivery, kind, installation, repository, full_name, pull_request, review, head, actor, at,
state, attempts, result, reason, received, not_before, finished FROM intents `

func scanDelivery(row interface{ Scan(dest ...any) error }) (Delivery, error) {
	var (
		d                                 Delivery
		in                                = &d.Intent
		at, received, notBefore, finished int64
	)
	err := row.Scan(&in.ID, &in.Delivery, &in.Kind, &in.Installation, &in.Repository, &in.FullName, &in.PullRequest, &in.Review, &in.Head,
		&in.Actor, &at, &d.State, &d.Attempts, &d.Outcome.Result, &d.Outcome.Reason, &received, &notBefore, &finished)
	if err != nil {
		return Delivery{}, err
	}
	in.At, d.Received, d.NotBefore = time.UnixMilli(at).UTC(), time.UnixMilli(received).UTC(), time.UnixMilli(notBefore).UTC()
	if finished != 0 {
		d.Finished = time.UnixMilli(finished).UTC()
	}
	return d, nil
}

// Delivery returns what became of one delivery; false when it led to no intent, or is forgotten.
func (q *Queue) Delivery(ctx context.Context, guid string) (Delivery, bool, error) {
	d, err := scanDelivery(q.reads.QueryRowContext(ctx, selectDelivery+`WHERE delivery = $1`, guid))
	if errors.Is(err, sql.ErrNoRows) {
		return Delivery{}, false, nil
	}
	return d, err == nil, err
}

// Filter chooses deliveries. Its zero value chooses all.
type Filter struct {
	State  State // "" for any
	Before int64 // only intents with a smaller id, to turn pages; 0 for the newest
	// Repositories are the ids of those whose deliveries are chosen; nil for all, none for none.
	Repositories []int64
}

// Deliveries returns the newest deliveries that filter chooses, at most limit, newest first.
func (q *Queue) Deliveries(ctx context.Context, filter Filter, limit int) ([]Delivery, error) {
	var (
		where = []string{"TRUE"}
		args  = []any{limit}
	)
	if filter.State != "" {
		args = append(args, string(filter.State))
		where = append(where, fmt.Sprintf("state = $%d", len(args)))
	}
	if filter.Before != 0 {
		args = append(args, filter.Before)
		where = append(where, fmt.Sprintf("id < $%d", len(args)))
	}
	if filter.Repositories != nil {
		where = append(where, among(filter.Repositories))
	}
	rows, err := q.reads.QueryContext(ctx, selectDelivery+"WHERE "+strings.Join(where, " AND ")+" ORDER BY id DESC LIMIT $1", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Delivery
	for rows.Next() {
		d, err := scanDelivery(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// among is the condition that a repository is one of ids.
func among(ids []int64) string {
	list := []string{"NULL"}
	for _, id := range ids {
		list = append(list, strconv.FormatInt(id, 10))
	}
	return "repository IN (" + strings.Join(list, ", ") + ")"
}

// Tally is what became of a repository's deliveries, as far back as they are remembered.
type Tally struct {
	Waiting, Done, GaveUp int
	Learned               int       // of those done, the ones that led to a lesson
	Newest                time.Time // when the last one came
}

// Tallies counts the deliveries of repositories; of all where ids is nil.
func (q *Queue) Tallies(ctx context.Context, ids []int64) (map[int64]Tally, error) {
	where := ""
	if ids != nil {
		where = "WHERE " + among(ids)
	}
	rows, err := q.reads.QueryContext(ctx, `SELECT repository, state, result, COUNT(*), MAX(received) FROM intents `+where+` GROUP BY repository, state, result`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]Tally{}
	for rows.Next() {
		var (
			repository, newest int64
			state              State
			result             string
			count              int
		)
		if err := rows.Scan(&repository, &state, &result, &count, &newest); err != nil {
			return nil, err
		}
		t := out[repository]
		switch state {
		case Waiting:
			t.Waiting += count
		case GaveUp:
			t.GaveUp += count
		default:
			t.Done += count
			if result == "learned" {
				t.Learned += count
			}
		}
		if at := time.UnixMilli(newest).UTC(); at.After(t.Newest) {
			t.Newest = at
		}
		out[repository] = t
	}
	return out, rows.Err()
}

// Retry has a delivery that was given up tried again.
func (q *Queue) Retry(ctx context.Context, guid string) error {
	d, ok, err := q.Delivery(ctx, guid)
	if err != nil {
		return err
	}
	if !ok || d.State != GaveUp {
		return fmt.Errorf("delivery %s was not given up", guid)
	}
	_, err = q.Put(ctx, d.Intent)
	return err
}
