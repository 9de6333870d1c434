package queue

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
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
