package queue

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/queue/queuetest"
)

func emptyPostgres(t testing.TB) Config { return Config{DatabaseURL: queuetest.Postgres(t)} }

func TestPostgres(t *testing.T) {
	queuetest.Server(t)
	suite(t, emptyPostgres)
}

// A replica that dies leaves a running job, which keeps others from its repository. They take it
// over when they have missed its sign of life twice.
func TestReplicaDies(t *testing.T) {
	place := emptyPostgres(t)
	dead, alive := opener(t, place)(Config{}), opener(t, place)(Config{})
	began, revive := make(chan struct{}), make(chan struct{})
	finish := sync.OnceFunc(func() { close(revive) })
	defer finish()
	start(t, dead, func(context.Context, Intent) (Outcome, error) {
		close(began)
		<-revive
		return Outcome{Result: "late"}, nil
	})
	mustPut(t, dead, intent("a", 1))
	<-began
	start(t, alive, func(context.Context, Intent) (Outcome, error) { return Outcome{Result: "taken over"}, nil })
	alive.look()
	alive.look()
	if d := delivery(t, alive, "a"); d.State != Waiting {
		t.Fatalf("the intent of a replica that lives is %s", d.State)
	}
	if _, err := alive.db.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND classid = $1 AND 'replica-' || objid = (SELECT attempted_by[1] FROM river_job WHERE state = 'running')`, presenceClass); err != nil {
		t.Fatal(err)
	}
	await(t, "the intent is taken over", func() bool {
		alive.look()
		return delivery(t, alive, "a").State == Done
	})
	d := delivery(t, alive, "a")
	finish()
	stop(t, dead)
	if again := delivery(t, alive, "a"); d.Outcome.Result != "taken over" || again.Outcome.Result != d.Outcome.Result {
		t.Errorf("outcome %q, and %q once the replica thought dead was done; want taken over", d.Outcome.Result, again.Outcome.Result)
	}
}

func TestPostgresAddress(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://user:secret@localhost:port/x":                  "not an address like",
		"postgres://user:secret@127.0.0.1:1/x?connect_timeout=1":   "the database that DATABASE_URL names",
		"postgres://user:secret@localhost/x?sslmode=misunderstood": "not an address like",
	} {
		_, err := Open(t.Context(), Config{DatabaseURL: address})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q and no password", address, err, want)
		}
	}
}
