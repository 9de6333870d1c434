package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

// backupCmd is `backup FILE`.
type backupCmd struct {
	File string `arg:"" placeholder:"FILE" help:"The new file."`
	Data string `default:"data" env:"AGENT_LESSONS_DATA" placeholder:"DIR" help:"Folder of the embedded database."`
}

// Run copies and says what was copied.
func (c *backupCmd) Run(p *program) error {
	if os.Getenv("DATABASE_URL") != "" {
		return errors.New("DATABASE_URL is set: a Postgres is backed up by its own tools, pg_dump for one")
	}
	if err := queue.Backup(p.ctx, c.Data, c.File); err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s: %d bytes. To restore: stop the App, put it in an empty data folder as %s, start.\n", c.File, info.Size(), queue.DatabaseName)
	return nil
}

// migrateCmd is `migrate --from sqlite://FOLDER --to postgres://…`.
type migrateCmd struct {
	From string `required:"" placeholder:"sqlite://FOLDER" help:"The data folder, or the database in it. The App must not run."`
	To   string `required:"" env:"DATABASE_URL" placeholder:"postgres://…" help:"The empty Postgres. Prefer the environment: flags show in process lists."`
}

// Run moves everything or nothing, and says what comes next.
func (c *migrateCmd) Run(p *program) error {
	folder, err := sqliteFolder(c.From)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(c.To, "postgres://") && !strings.HasPrefix(c.To, "postgresql://") {
		return errors.New("--to is not an address like postgres://user:password@host/database")
	}
	f, isFile := p.err.(*os.File)
	terminal := isFile && isatty.IsTerminal(f.Fd())
	total := int64(0)
	err = queue.Copy(p.ctx, folder, c.To, func(table string, rows, all int64) {
		if terminal && rows < all {
			fmt.Fprintf(p.err, "\r%s: %d of %d rows", table, rows, all)
		}
		if rows == all {
			total += rows
			if terminal {
				fmt.Fprint(p.err, "\r\x1b[K")
			}
			fmt.Fprintf(p.out, "%s: %d rows\n", table, rows)
		}
	})
	if err != nil {
		return fmt.Errorf("nothing was moved: %w", err)
	}
	fmt.Fprintf(p.out, "%d rows are in the Postgres. Start the App with DATABASE_URL, and keep %s until you trust it; an App that is started on it again does again what waits there.\n", total, folder)
	return nil
}

// sqliteFolder is the data folder that sqlite://PATH names: by itself, or by the database in it.
func sqliteFolder(address string) (string, error) {
	path, ok := strings.CutPrefix(address, "sqlite://")
	if !ok || path == "" {
		return "", errors.New("--from is not an address like sqlite:///var/lib/agent-lessons")
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return "", fmt.Errorf("--from: %w", err)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if filepath.Base(path) != queue.DatabaseName {
			return "", fmt.Errorf("--from: %s is not called %s: name the data folder", path, queue.DatabaseName)
		}
		return filepath.Dir(path), nil
	}
	return path, nil
}
