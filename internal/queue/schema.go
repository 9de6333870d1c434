package queue

import (
	"context"
	"database/sql"
	"fmt"
)

// schema is one for both databases but for the words that differ. Times are Unix milliseconds.
func schema(identity, blob string) []string {
	return []string{
		`CREATE TABLE IF NOT EXISTS intents (
	id ` + identity + `,
	delivery TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	installation BIGINT NOT NULL,
	repository BIGINT NOT NULL,
	full_name TEXT NOT NULL,
	pull_request BIGINT NOT NULL,
	review BIGINT NOT NULL,
	actor TEXT NOT NULL,
	at BIGINT NOT NULL,
	received BIGINT NOT NULL,
	not_before BIGINT NOT NULL,
	state TEXT NOT NULL,
	attempts BIGINT NOT NULL DEFAULT 0,
	result TEXT NOT NULL DEFAULT '',
	reason TEXT NOT NULL DEFAULT '',
	finished BIGINT NOT NULL DEFAULT 0)`,
		`CREATE INDEX IF NOT EXISTS intents_waiting ON intents (repository, id) WHERE state = 'waiting'`,
		`CREATE INDEX IF NOT EXISTS intents_received ON intents (received)`,
		`CREATE TABLE IF NOT EXISTS repositories (repository BIGINT PRIMARY KEY)`,
		`CREATE TABLE IF NOT EXISTS sources (
	repository BIGINT NOT NULL,
	source TEXT NOT NULL,
	state TEXT NOT NULL,
	PRIMARY KEY (repository, source))`,
		`CREATE TABLE IF NOT EXISTS distilled (
	repository BIGINT NOT NULL,
	source TEXT NOT NULL,
	result ` + blob + ` NOT NULL,
	at BIGINT NOT NULL,
	PRIMARY KEY (repository, source))`,
	}
}

func migrate(ctx context.Context, db *sql.DB, statements []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	return tx.Commit()
}
