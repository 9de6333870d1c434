package queue

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// opener opens queues on one place, and stops those that a test leaves open.
func opener(t testing.TB, place Config) database {
	return func(config Config) *Queue {
		t.Helper()
		config.DataDir, config.DatabaseURL = place.DataDir, place.DatabaseURL
		q, err := Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := q.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
		return q
	}
}

func emptySQLite(t testing.TB) Config { return Config{DataDir: t.TempDir()} }

func TestSQLite(t *testing.T) { suite(t, emptySQLite) }

// What a kill cannot show: an acknowledged intent survives a power loss (design decision 2).
func TestFlushed(t *testing.T) {
	q := opener(t, emptySQLite(t))(Config{})
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal"} { // 2 is FULL
		var got string
		if err := q.db.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	used := t.TempDir() // a database of ours with an intent in it
	q := opener(t, Config{DataDir: used})(Config{})
	mustPut(t, q, intent("a", 1))
	stop(t, q)
	healthy, err := os.ReadFile(filepath.Join(used, DatabaseName))
	if err != nil {
		t.Fatal(err)
	}
	alter := func(t *testing.T, dir, statement string) {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(dir, DatabaseName))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	write := func(t *testing.T, dir string, content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, DatabaseName), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		want  string
	}{
		{"another process", func(t *testing.T, dir string) { opener(t, Config{DataDir: dir})(Config{}) }, "is in use by another process"},
		{"another program's", func(t *testing.T, dir string) { alter(t, dir, `CREATE TABLE songs (title TEXT)`) }, "another program's tables"},
		{"a newer version's", func(t *testing.T, dir string) {
			write(t, dir, healthy)
			alter(t, dir, `UPDATE agent_lessons SET version = 99`)
		}, "version 99"},
		{"no database", func(t *testing.T, dir string) { write(t, dir, []byte(strings.Repeat("lessons ", 1000))) }, "damaged or none"},
		{"torn", func(t *testing.T, dir string) { write(t, dir, healthy[:len(healthy)/2]) }, "damaged or none"},
		{"not to be written", func(t *testing.T, dir string) { // root may write to all but folders
			if err := os.Mkdir(filepath.Join(dir, DatabaseName), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "name a data folder that this user may write to"},
		{"overwritten in the middle", func(t *testing.T, dir string) {
			content := append([]byte(nil), healthy...)
			for i := 4096 + 8; i < len(content); i += 512 {
				content[i] ^= 0xff
			}
			write(t, dir, content)
		}, "damaged or none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.spoil(t, dir)
			_, err := Open(t.Context(), Config{DataDir: dir})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), DatabaseName) {
				t.Errorf("%v, want %q and the file's name", err, c.want)
			}
		})
	}
	t.Run("a file in place of the folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), Config{DataDir: file}); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "name a data folder") {
			t.Errorf("%v, want the folder's name and what to do", err)
		}
	})
	t.Run("but not one that was refused and mended", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, healthy[:100])
		if _, err := Open(t.Context(), Config{DataDir: dir}); err == nil {
			t.Fatal("a torn database is opened")
		}
		write(t, dir, healthy)
		delivery(t, opener(t, Config{DataDir: dir})(Config{}), "a")
	})
}

// The file of River's jobs holds nothing that is not made anew.
func TestJobsDamaged(t *testing.T) {
	place := emptySQLite(t)
	q := opener(t, place)(Config{})
	mustPut(t, q, intent("a", 1))
	stop(t, q)
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(filepath.Join(place.DataDir, jobsName+suffix), []byte(strings.Repeat("lessons ", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q = opener(t, place)(Config{})
	start(t, q, (&script{}).handle)
	awaitState(t, q, "a", Done)
}

// A database that cannot be written refuses intents, loses none, and recovers without a restart.
func TestDatabaseFails(t *testing.T) {
	for _, c := range []struct{ name, breaks, mends string }{
		{"disk full", `PRAGMA max_page_count = 1`, `PRAGMA max_page_count = 1000000`}, // SQLite caps it at the present size
		{"read-only", `PRAGMA query_only = 1`, `PRAGMA query_only = 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := opener(t, emptySQLite(t))(Config{})
			set := func(pragma string) {
				t.Helper()
				if _, err := q.db.ExecContext(t.Context(), pragma); err != nil {
					t.Fatal(err)
				}
			}
			began, finish := make(chan struct{}), make(chan struct{})
			handled := 0
			start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
				if in.Delivery == "runs" {
					handled++
					close(began)
					<-finish
				}
				return Outcome{Result: "learned", Reason: strings.Repeat("a long reason ", 100_000)}, nil
			})
			mustPut(t, q, intent("runs", 1))
			<-began
			set(c.breaks)
			refused := intent("refused", 2)
			refused.Actor = strings.Repeat("x", 1_000_000) // more than fits into the pages there are
			if _, err := q.Put(t.Context(), refused); err == nil {
				t.Error("an intent is acknowledged that cannot be on the disk")
			}
			close(finish)
			// The outcome cannot be stored either. Some time passes: what is asserted is that the
			// handler is not run again and that nobody has to restart anything.
			time.Sleep(2 * databaseGap)
			if got := delivery(t, q, "runs").State; got != Waiting {
				t.Errorf("the running intent is %s in a database that cannot be written", got)
			}
			set(c.mends)
			mustPut(t, q, refused)
			awaitState(t, q, "runs", Done)
			awaitState(t, q, "refused", Done)
			if handled != 1 {
				t.Errorf("the handler ran %d times for one intent", handled)
			}
		})
	}
}
