package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// filled is a data folder with something in every table.
func filled(t *testing.T) (Config, *Queue) {
	place := emptySQLite(t)
	q := opener(t, place)(Config{})
	x, ctx := q.Index(), t.Context()
	for i := range 300 {
		mustPut(t, q, intent(fmt.Sprint("d", i), int64(i%7+1)))
	}
	start(t, q, (&script{errors: map[string][]error{
		"d1": {Permanent(errors.New("no"))}, "d2": {Later(time.Now().Add(time.Hour), errors.New("limit"))},
	}}).handle)
	await(t, "most is done", func() bool {
		b, err := q.Backlog(ctx)
		return err == nil && b.Due == 0 && b.GaveUp == 1
	})
	_, claimed := q.Claim(ctx, "catch up", time.Hour)
	_, spent := x.Spend(ctx, "acme", "2026-12", 5)
	for _, err := range []error{
		claimed, spent, x.Rebuilt(ctx, 1, []string{"changes-requested PR #1 review 2"}), x.Began(ctx, 1, "changes-requested PR #1 review 3"),
		x.KeepDistilled(ctx, 1, "changes-requested PR #1 review 2", []byte{0, 1, 0xff}), x.SetAskedFor(ctx, "d1", 7),
		q.Checks().Head(ctx, 1, 2, strings.Repeat("a", 40)),
		q.Sessions().Put(ctx, "mara's", []byte{0, 2, 0xff}, time.Now().Add(time.Hour)),
		q.exec(ctx, `INSERT INTO check_failures (repository, name, sha, branch, at, learned) VALUES (1, 'lint', 'a', 'b', 5, TRUE)`),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return place, q
}

// dump is all that a database holds, table by table.
func dump(t *testing.T, q *Queue, tables []string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, table := range tables {
		rows, err := q.reads.QueryContext(t.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		types, err := rows.ColumnTypes()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			row, err := values(rows, types)
			if err != nil {
				t.Fatal(err)
			}
			line := ""
			for i, column := range types {
				line += fmt.Sprintf("%s=%v ", column.Name(), row[i])
			}
			out[table] = append(out[table], line)
		}
	}
	return out
}

// What an installation knows, waits for and has done goes on where it was moved to.
func TestCopy(t *testing.T) {
	to := emptyPostgres(t)
	place, q := filled(t)
	if err := Copy(t.Context(), place.DataDir, to.DatabaseURL, func(string, int64, int64) {}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("of a folder in use: %v", err)
	}
	tables, err := q.tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := dump(t, q, tables)
	stop(t, q)
	for _, table := range tables {
		if len(want[table]) == 0 {
			t.Errorf("the table %s is empty here, so that its move is not tested", table)
		}
	}
	told := map[string]int64{}
	if err := Copy(t.Context(), place.DataDir, to.DatabaseURL, func(table string, rows, _ int64) { told[table] = rows }); err != nil {
		t.Fatal(err)
	}
	if told["intents"] != 300 || len(told) != len(tables) {
		t.Errorf("told %v", told)
	}
	moved := opener(t, to)(Config{})
	if diff := cmp.Diff(want, dump(t, moved, tables)); diff != "" {
		t.Error(diff)
	}
	if mustPut(t, moved, intent("d5", 6)) {
		t.Error("what was done is done again")
	}
	mustPut(t, moved, intent("new", 6))
	if d := delivery(t, moved, "new"); d.Intent.ID <= 300 {
		t.Errorf("a new intent's id is %d", d.Intent.ID)
	}
	if err := Copy(t.Context(), place.DataDir, to.DatabaseURL, func(string, int64, int64) {}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into what is used: %v", err)
	}
	again := opener(t, place)(Config{})
	if diff := cmp.Diff(want, dump(t, again, tables)); diff != "" {
		t.Error("the folder has changed:", diff)
	}
}

// A move that fails leaves nothing behind, and can be tried again.
func TestCopyFails(t *testing.T) {
	to := emptyPostgres(t)
	place, q := filled(t)
	stop(t, q)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := Copy(ctx, place.DataDir, to.DatabaseURL, func(table string, _, _ int64) {
		if table == "repositories" {
			cancel()
		}
	}); err == nil {
		t.Fatal("it did not fail")
	}
	if b, err := opener(t, to)(Config{}).Backlog(t.Context()); err != nil || b != (Backlog{}) {
		t.Errorf("%+v was left, %v", b, err)
	}
	if err := Copy(t.Context(), place.DataDir, to.DatabaseURL, func(string, int64, int64) {}); err != nil {
		t.Error(err)
	}
	if err := Copy(t.Context(), t.TempDir(), to.DatabaseURL, nil); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("of an empty folder: %v", err)
	}
}

// A backup is taken while the queue is in use, and is a database that knows all that was stored.
func TestBackup(t *testing.T) {
	place, q := filled(t)
	tables, err := q.tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	restored := t.TempDir()
	file := filepath.Join(restored, DatabaseName)
	if err := Backup(t.Context(), place.DataDir, file); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := Backup(t.Context(), place.DataDir, file); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("over a file: %v", err)
	}
	mustPut(t, q, intent("later", 1))
	if diff := cmp.Diff(len(dump(t, q, tables)["intents"]), 301); diff != "" {
		t.Error(diff)
	}
	r := opener(t, Config{DataDir: restored})(Config{})
	if got := dump(t, r, tables); len(got["intents"]) != 300 || len(got) != len(tables) {
		t.Errorf("%d intents, %d tables", len(got["intents"]), len(got))
	}
	start(t, r, func(context.Context, Intent) (Outcome, error) { return Outcome{}, nil })

	torn := t.TempDir()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(torn, DatabaseName), content[:len(content)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "b.db")
	if err := Backup(t.Context(), torn, target); err == nil {
		t.Error("a damaged database was copied as if it were sound")
	}
	if left, err := os.ReadDir(filepath.Dir(target)); err != nil || len(left) != 0 {
		t.Errorf("%v was left, %v", left, err)
	}
	if err := Backup(t.Context(), t.TempDir(), target); err == nil || errors.Is(err, sql.ErrNoRows) {
		t.Errorf("of an empty folder: %v", err)
	}
}
