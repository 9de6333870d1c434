package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Statements are the same for both databases but for the words in braces.
var (
	dialectSQLite   = strings.NewReplacer("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{blob}", "BLOB", "{rows}", "json_each($1)", "{pulls}", "json_each($4)")
	dialectPostgres = strings.NewReplacer("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{blob}", "BYTEA",
		"{rows}", "jsonb_array_elements(CAST($1 AS JSONB))", "{pulls}", "jsonb_array_elements(CAST($4 AS JSONB))")
)

// migrations make the tables, version by version. Times are Unix milliseconds. A version, once
// released, is never changed: add another.
var migrations = []string{`
CREATE TABLE intents (
	id           {id},
	delivery     TEXT   NOT NULL UNIQUE,
	kind         TEXT   NOT NULL,
	installation BIGINT NOT NULL,
	repository   BIGINT NOT NULL,
	full_name    TEXT   NOT NULL,
	pull_request BIGINT NOT NULL,
	review       BIGINT NOT NULL,
	actor        TEXT   NOT NULL,
	at           BIGINT NOT NULL,
	received     BIGINT NOT NULL,
	not_before   BIGINT NOT NULL,
	state        TEXT   NOT NULL CHECK (state IN ('waiting', 'done', 'gave-up')),
	attempts     BIGINT NOT NULL DEFAULT 0,
	result       TEXT   NOT NULL DEFAULT '',
	reason       TEXT   NOT NULL DEFAULT '',
	finished     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX intents_waiting ON intents (repository, id, not_before) WHERE state = 'waiting';
CREATE INDEX intents_state ON intents (state, id);
CREATE INDEX intents_finished ON intents (state, finished);
CREATE TABLE repositories (
	repository BIGINT PRIMARY KEY,
	known      BOOLEAN NOT NULL DEFAULT FALSE,
	held_until BIGINT  NOT NULL DEFAULT 0
);
CREATE TABLE sources (
	repository BIGINT NOT NULL,
	source     TEXT   NOT NULL,
	state      TEXT   NOT NULL CHECK (state IN ('began', 'done')),
	PRIMARY KEY (repository, source)
);
CREATE TABLE distilled (
	repository BIGINT NOT NULL,
	source     TEXT   NOT NULL,
	result     {blob} NOT NULL,
	at         BIGINT NOT NULL,
	PRIMARY KEY (repository, source)
);
CREATE INDEX distilled_at ON distilled (at);
CREATE TABLE spending (
	owner TEXT   NOT NULL,
	month TEXT   NOT NULL,
	used  BIGINT NOT NULL,
	PRIMARY KEY (owner, month)
)`, `
ALTER TABLE repositories ADD COLUMN proposes BOOLEAN NOT NULL DEFAULT FALSE`, `
ALTER TABLE intents ADD COLUMN head TEXT NOT NULL DEFAULT '';
CREATE TABLE check_failures (
	repository BIGINT  NOT NULL,
	name       TEXT    NOT NULL,
	sha        TEXT    NOT NULL,
	branch     TEXT    NOT NULL,
	at         BIGINT  NOT NULL,
	fixed      TEXT    NOT NULL DEFAULT '',
	learned    BOOLEAN NOT NULL DEFAULT FALSE,
	PRIMARY KEY (repository, name, sha)
);
CREATE INDEX check_failures_fixed ON check_failures (repository, fixed);
CREATE INDEX check_failures_at ON check_failures (at);
CREATE TABLE check_heads (
	repository   BIGINT NOT NULL,
	sha          TEXT   NOT NULL,
	pull_request BIGINT NOT NULL,
	at           BIGINT NOT NULL,
	PRIMARY KEY (repository, sha, pull_request)
);
CREATE INDEX check_heads_pull ON check_heads (repository, pull_request);
CREATE INDEX check_heads_at ON check_heads (at)`, `
ALTER TABLE repositories ADD COLUMN looked_at BIGINT NOT NULL DEFAULT 0;
CREATE TABLE claims (
	task TEXT   PRIMARY KEY,
	at   BIGINT NOT NULL
);
CREATE TABLE redeliveries (
	delivery TEXT   PRIMARY KEY,
	attempt  BIGINT NOT NULL,
	at       BIGINT NOT NULL
);
CREATE INDEX redeliveries_at ON redeliveries (at)`, `
ALTER TABLE repositories ADD COLUMN wrote_at BIGINT NOT NULL DEFAULT 0`, `
ALTER TABLE check_failures ADD COLUMN silent TEXT NOT NULL DEFAULT ''`, `
CREATE TABLE sessions (
	id      TEXT   PRIMARY KEY,
	content {blob} NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX sessions_expires ON sessions (expires);
CREATE INDEX intents_repository ON intents (repository, id)`}

// migrate brings the tables to the newest version, all or nothing. tables counts our tables and
// all that a database holds.
func (q *Queue) migrate(ctx context.Context, tables string) error {
	return inTx(ctx, q.db, func(tx *sql.Tx) error {
		var ours, all, version int
		if err := tx.QueryRowContext(ctx, tables).Scan(&ours, &all); err != nil {
			return err
		}
		if ours == 0 && all > 0 {
			return errors.New("it holds another program's tables: name another one")
		}
		if ours == 0 {
			if _, err := tx.ExecContext(ctx, `CREATE TABLE agent_lessons (version BIGINT NOT NULL)`); err != nil {
				return err
			}
		} else if err := tx.QueryRowContext(ctx, `SELECT version FROM agent_lessons`).Scan(&version); err != nil {
			return err
		}
		if version > len(migrations) {
			return errNewer(version)
		}
		for _, migration := range migrations[version:] {
			for statement := range strings.SplitSeq(q.dialect.Replace(migration), ";\n") {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return fmt.Errorf("prepare the tables: %w", err)
				}
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM agent_lessons`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO agent_lessons (version) VALUES ($1)`, len(migrations))
		return err
	})
}

// errNewer refuses the tables of a newer program.
func errNewer(version int) error {
	return fmt.Errorf("its tables are of version %d, and this program knows %d: use the program that it was last used with, or a newer one", version, len(migrations))
}
