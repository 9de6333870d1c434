package queue

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// postgresEnv names the Postgres that tests may make schemas in.
const postgresEnv = "AGENT_LESSONS_TEST_POSTGRES"

func postgres(t testing.TB) string {
	t.Helper()
	address := os.Getenv(postgresEnv)
	if address == "" {
		if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
			t.Fatal(postgresEnv + " is not set")
		}
		t.Skip("needs a Postgres: set " + postgresEnv + "=postgres://…")
	}
	return address
}

// emptyPostgres makes a schema of the test's own, and returns its address.
func emptyPostgres(t testing.TB) Config {
	t.Helper()
	address := postgres(t)
	connection, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf("queue_test_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := connection.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := connection.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			t.Error(err)
		}
		connection.Close(context.Background()) //nolint:errcheck // a test's end
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return Config{DatabaseURL: u.String()}
}

func TestPostgres(t *testing.T) {
	postgres(t)
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
