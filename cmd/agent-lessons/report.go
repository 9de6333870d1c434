package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/report"
)

type reportCmd struct {
	JSON   bool     `name:"json" xor:"format" help:"Print the report as JSON."`
	MD     bool     `name:"md" xor:"format" help:"Print the report as Markdown."`
	HTML   bool     `name:"html" xor:"format" help:"Print one self-contained page."`
	Output string   `short:"o" placeholder:"FILE" help:"Write the report into this file."`
	Paths  []string `arg:"" name:"path" help:"Lessons files, or folders, in which they are searched for."`
}

// Run measures lessons files, each by the configuration of the checkout that it lies in.
func (c *reportCmd) Run(p *program) error {
	found, err := findLessons(p, c.Paths)
	if err != nil {
		return err
	}
	if err := c.spare(found.files); err != nil {
		return err
	}
	r := report.Report{Skipped: found.skipped}
	for _, f := range found.files {
		rule := configOf(p, f.root).Rule()
		m := meter{program: p, name: f.name, began: time.Now()}
		store, err := report.Watched(f.lessons, rule, m.show)
		m.clear()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r.Stores = append(r.Stores, report.Measured{Name: filepath.ToSlash(f.name), Rule: rule, Store: store})
	}
	if err := c.write(p, r); err != nil {
		return err
	}
	if len(found.files) == 0 {
		return errors.New("no lessons file was found; name one, or a folder that holds one")
	}
	return nil
}

// spare errs where the output would replace a file that is measured.
func (c *reportCmd) spare(files []lessonsFile) error {
	target, err := os.Stat(c.Output)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to replace
	}
	for _, f := range files {
		if info, err := os.Stat(f.name); err == nil && os.SameFile(info, target) {
			return usageError{fmt.Errorf("--output %s is one of the lessons files", c.Output)}
		}
	}
	return nil
}

// write prints the report, or puts it into the file that was named once it is complete.
func (c *reportCmd) write(p *program, r report.Report) error {
	if c.Output == "" {
		return c.render(p, p.out, r)
	}
	var out bytes.Buffer
	if err := c.render(p, &out, r); err != nil {
		return err
	}
	return os.WriteFile(c.Output, out.Bytes(), 0o644) //nolint:gosec // a report is as public as the lessons
}

func (c *reportCmd) render(p *program, out io.Writer, r report.Report) (err error) {
	switch {
	case c.JSON:
		return encodeJSON(out, r)
	case c.HTML:
		return report.HTML(out, r)
	case c.MD:
		_, err = io.WriteString(out, r.Markdown())
	default:
		_, err = io.WriteString(out, r.Text(p.columns))
	}
	return err
}

// meter shows on a terminal how far a measurement is that takes longer than a second.
type meter struct {
	*program
	name         string
	began, shown time.Time
}

const patience, blink = time.Second, 100 * time.Millisecond

// show is told how many of how many bullets are done. It errs when the program is to end.
func (m *meter) show(done, of int) error {
	now := time.Now()
	if m.progress != nil && now.Sub(m.began) > patience && now.Sub(m.shown) > blink {
		m.shown = now
		fmt.Fprintf(m.progress, "\r\x1b[K%3d %%  %s  %s", 100*done/max(1, of), now.Sub(m.began).Round(time.Second), report.Shorten(guard.Visible(m.name), 60))
	}
	return m.ctx.Err()
}

func (m *meter) clear() {
	if !m.shown.IsZero() {
		fmt.Fprint(m.progress, "\r\x1b[K")
	}
}
