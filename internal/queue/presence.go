package queue

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"

	"github.com/jackc/pgx/v5"
)

// presenceClass is the first half of the advisory locks by which replicas show that they live;
// the second is the replica's seat.
const presenceClass = 0x6c736e73 // "lsns"

// presence is a replica's sign of life: a lock that its own connection holds, and that the
// database lets go when the replica dies. River alone would take minutes to see that a job has
// died with its replica.
type presence struct {
	config *pgx.ConnConfig
	log    *slog.Logger
	seat   int32

	mu         sync.Mutex
	connection *pgx.Conn
	left       bool
	suspects   []int64 // running jobs whose replica was away at the look before
	looked     bool
}

// name is the replica's name in River's tables.
func (p *presence) name() string { return fmt.Sprintf("replica-%d", p.seat) }

// enter takes a seat.
func (p *presence) enter(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seat = rand.Int32()
	return p.sit(ctx)
}

// sit takes the lock of the seat on a new connection.
func (p *presence) sit(ctx context.Context) error {
	connection, err := pgx.ConnectConfig(ctx, p.config)
	if err != nil {
		return err
	}
	// A machine that is cut off must not be thought alive for the system's two hours.
	_, err = connection.Exec(ctx, `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`)
	if err == nil {
		_, err = connection.Exec(ctx, `SELECT pg_advisory_lock($1, $2)`, int32(presenceClass), p.seat)
	}
	if err != nil {
		connection.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the first error counts
		return err
	}
	p.connection = connection
	return nil
}

// leave gives up the seat.
func (p *presence) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = true
	if p.connection != nil {
		p.connection.Close(context.Background()) //nolint:errcheck // the database notices
	}
}

// bury deletes the running jobs whose replica is dead: that it was away at two looks, since a
// database that restarts loses all signs of life for a moment, or that it is away when this one
// starts. Their intents are there, and the look that follows makes new jobs. It also renews this
// replica's own sign of life.
func (p *presence) bury(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left {
		return nil
	}
	if err := p.connection.Ping(ctx); err != nil {
		p.connection.Close(ctx) //nolint:errcheck // it is broken
		p.suspects = nil
		if err := p.sit(ctx); err != nil {
			return err
		}
	}
	const orphans = `
SELECT id FROM river_job WHERE state = 'running' AND kind = 'drain' AND attempted_by[array_upper(attempted_by, 1)] NOT IN (
	SELECT 'replica-' || objid FROM pg_locks
	WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`
	rows, err := p.connection.Query(ctx, orphans, int32(presenceClass))
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	dead := found
	if p.looked {
		dead = p.suspects
	}
	p.suspects, p.looked = found, true
	if len(dead) == 0 {
		return nil
	}
	tag, err := p.connection.Exec(ctx, `DELETE FROM river_job WHERE id = ANY($2) AND id IN (`+orphans+`)`, int32(presenceClass), dead)
	if err == nil && tag.RowsAffected() > 0 {
		p.log.Warn("a replica has gone; its repositories are taken over", "jobs", tag.RowsAffected())
	}
	return err
}
