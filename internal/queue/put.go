package queue

import (
	"context"
	"database/sql"
	"encoding/json"
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
	if q.full() {
		return false, ErrFull
	}
	stored := q.send(write{ctx: ctx, intent: &in})
	return stored.fresh, stored.err
}

// check refuses what the table could not hold: one such intent would fail its whole group.
func check(in Intent) error {
	if in.Delivery == "" || in.Kind == "" || in.Repository == 0 {
		return errors.New("an intent needs a delivery, a kind and a repository")
	}
	for _, text := range []string{in.Delivery, in.Kind, in.FullName, in.Actor, in.Head} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return fmt.Errorf("intent of delivery %q: %q is not text", in.Delivery, text)
		}
	}
	return nil
}

// row is an intent as the statement that stores it takes it.
type row struct {
	Delivery     string `json:"delivery"`
	Kind         string `json:"kind"`
	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository"`
	FullName     string `json:"full_name"`
	PullRequest  int    `json:"pull_request"`
	Review       int64  `json:"review"`
	Head         string `json:"head"`
	Actor        string `json:"actor"`
	At           int64  `json:"at"`
	NotBefore    int64  `json:"not_before"`
}

// insertIntents stores a JSON array of rows: one statement, whose text does not grow with the
// group. {rows} are the dialect's words for the array's elements. A repository that has to wait
// makes its new intents wait too.
const insertIntents = `
INSERT INTO intents (delivery, kind, installation, repository, full_name, pull_request, review, head, actor, at, received, state, not_before)
SELECT value->>'delivery', value->>'kind', CAST(value->>'installation' AS BIGINT), CAST(value->>'repository' AS BIGINT),
	value->>'full_name', CAST(value->>'pull_request' AS BIGINT), CAST(value->>'review' AS BIGINT), value->>'head', value->>'actor',
	CAST(value->>'at' AS BIGINT), $2, 'waiting', COALESCE((
		SELECT held_until FROM repositories
		WHERE repositories.repository = CAST(value->>'repository' AS BIGINT) AND held_until > CAST(value->>'not_before' AS BIGINT)),
		CAST(value->>'not_before' AS BIGINT))
FROM {rows} WHERE TRUE
ON CONFLICT (delivery) DO UPDATE SET kind = excluded.kind, installation = excluded.installation, repository = excluded.repository,
	full_name = excluded.full_name, pull_request = excluded.pull_request, review = excluded.review, head = excluded.head, actor = excluded.actor, at = excluded.at,
	received = excluded.received, not_before = excluded.not_before, state = 'waiting', attempts = 0, result = '', reason = '', finished = 0
WHERE intents.state = 'gave-up'
RETURNING delivery, repository, not_before`

// store stores intents whose deliveries differ. It returns the deliveries that were not there
// and the repositories that have something to do now.
func (q *Queue) store(ctx context.Context, tx *sql.Tx, intents []Intent) (fresh map[string]bool, due []int64, err error) {
	if len(intents) == 0 {
		return nil, nil, nil
	}
	now := q.now()
	rows := make([]row, len(intents))
	for i, in := range intents {
		rows[i] = row{in.Delivery, in.Kind, in.Installation, in.Repository, in.FullName, in.PullRequest, in.Review, in.Head, in.Actor, in.At.UnixMilli(), max(now, in.NotBefore.UnixMilli())}
	}
	array, err := json.Marshal(rows)
	if err != nil {
		return nil, nil, err
	}
	stored, err := tx.QueryContext(ctx, q.dialect.Replace(insertIntents), string(array), now)
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
