package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Copied is called while a table is copied, and when it was: with the rows so far, and in all.
type Copied func(table string, rows, all int64)

// copiedEach is how many rows are copied between two calls of Copied.
const copiedEach = 10_000

// Copy brings all that the embedded database of a data folder holds to an empty Postgres, in one
// transaction: all of it, or nothing. It returns an error when the folder is in use, or when the
// Postgres holds anything already. The folder stays as it is.
func Copy(ctx context.Context, dataDir, databaseURL string, tell Copied) (err error) {
	if _, err := DatabaseFile(dataDir); err != nil {
		return err
	}
	from, err := Open(ctx, Config{DataDir: dataDir}) // which locks it, and brings its tables up to date
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Stop(ctx)) }()
	to, err := Open(ctx, Config{DatabaseURL: databaseURL})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Stop(ctx)) }()
	tables, err := from.tables(ctx)
	if err != nil {
		return err
	}
	connection, err := to.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer connection.Close()
	return connection.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			for _, table := range tables { // those who might write wait, or answer 503
				if err := lockEmpty(ctx, tx, table); err != nil {
					return err
				}
			}
			for _, table := range tables {
				if err := copyTable(ctx, from.reads, tx, table, tell); err != nil {
					return fmt.Errorf("copy the table %s: %w", table, err)
				}
			}
			_, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence('intents', 'id'), MAX(id)) FROM intents HAVING COUNT(*) > 0`)
			return err
		})
	})
}

// tables returns the names of our tables, but for that of the version, which both databases have.
func (q *Queue) tables(ctx context.Context) ([]string, error) {
	rows, err := q.reads.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'agent_lessons' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

func lockEmpty(ctx context.Context, tx pgx.Tx, table string) error {
	name := pgx.Identifier{table}.Sanitize()
	if _, err := tx.Exec(ctx, "LOCK TABLE "+name+" IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	var used bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+name+")").Scan(&used); err != nil {
		return err
	}
	if used {
		return fmt.Errorf("the Postgres is not empty (table %s): name another database, or a schema of its own by ?search_path=", table)
	}
	return nil
}

func copyTable(ctx context.Context, from *sql.DB, to pgx.Tx, table string, tell Copied) error {
	var all int64
	if err := from.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&all); err != nil {
		return err
	}
	rows, err := from.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	columns := make([]string, len(types))
	for i, column := range types {
		columns[i] = column.Name()
	}
	copied := int64(0)
	n, err := to.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		if copied++; copied%copiedEach == 0 {
			tell(table, copied, all)
		}
		return values(rows, types)
	}))
	if err == nil && n != all {
		err = fmt.Errorf("%d rows arrived of %d", n, all)
	}
	if err == nil {
		tell(table, n, all)
	}
	return err
}

// values reads a row as Postgres takes it: SQLite's booleans are numbers, and its text may hold what
// is none there.
func values(rows *sql.Rows, types []*sql.ColumnType) ([]any, error) {
	out, at := make([]any, len(types)), make([]any, len(types))
	for i := range out {
		at[i] = &out[i]
	}
	if err := rows.Scan(at...); err != nil {
		return nil, err
	}
	for i, value := range out {
		switch value := value.(type) {
		case string:
			out[i] = text(value)
		case int64:
			if types[i].DatabaseTypeName() == "BOOLEAN" {
				out[i] = value != 0
			}
		}
	}
	return out, nil
}
