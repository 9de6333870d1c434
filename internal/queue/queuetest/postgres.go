// Package queuetest makes empty databases for tests.
package queuetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Env names the Postgres that tests may make schemas in; scripts/postgres sets it.
const Env = "AGENT_LESSONS_TEST_POSTGRES"

var schemas atomic.Int64

// Server returns the address of the tests' Postgres. Without one the test is skipped, or fails
// where nothing may be skipped.
func Server(t testing.TB) string {
	t.Helper()
	address := os.Getenv(Env)
	if address == "" {
		if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
			t.Fatal(Env + " is not set")
		}
		t.Skip("needs a Postgres: set " + Env + "=postgres://…, as scripts/postgres does")
	}
	return address
}

// Postgres makes a schema of the test's own, and returns its address.
func Postgres(t testing.TB) string {
	t.Helper()
	address := Server(t)
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	run(t, address, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { run(t, address, "DROP SCHEMA "+schema+" CASCADE") })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

func run(t testing.TB, address, statement string) {
	t.Helper()
	ctx := context.Background() // a test's own ends before its cleanup
	connection, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close(ctx) //nolint:errcheck // a test's end
	if _, err := connection.Exec(ctx, statement); err != nil {
		t.Error(err)
	}
}
