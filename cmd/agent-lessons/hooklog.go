package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

// maxLog is how many bytes the log may have before it is begun anew and the old one kept once.
const maxLog = 1 << 20

// quietly runs a hook, unless a session that distils called it.
func (p *program) quietly(h homeFlag, run func(p *program, dir findings.Store) error) error {
	if os.Getenv(distilling) != "" || os.Getenv(distillingToo) != "" {
		return nil
	}
	return p.logged(h, run)
}

// logged runs a part of a hook so that it cannot fail its agent: errors and remarks go to the log,
// a panic too, which would exit with the code that agents take for "stop".
func (p *program) logged(h homeFlag, run func(p *program, dir findings.Store) error) error {
	dir, err := h.open()
	if err != nil {
		return nil // without a home there is no log
	}
	var remarks strings.Builder
	q := *p
	q.err = &remarks
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(&remarks, "panic: %v\n%s", r, debug.Stack())
		}
		p.log(dir, remarks.String())
	}()
	if err := run(&q, dir); err != nil {
		q.complain(err)
	}
	return nil
}

// complain says an error in one line: the name of a folder may hold line breaks and a terminal's
// sequences.
func (p *program) complain(err error) { fmt.Fprintln(p.err, guard.Visible(err.Error())) }

// log appends remarks to the store's log, each line with the time. There is nobody to tell when
// that fails.
func (p *program) log(dir findings.Store, remarks string) {
	if remarks == "" {
		return
	}
	file, err := openLog(filepath.Join(dir.Dir, "meta", "hook.log"))
	if err != nil {
		return
	}
	defer file.Close()
	for line := range strings.Lines(remarks) {
		fmt.Fprintf(file, "%s %s\n", p.today.UTC().Format(time.RFC3339), guard.Visible(line))
	}
}

// openLog opens a regular file and nothing else: a pipe would be waited for, and a link leads
// elsewhere.
func openLog(name string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() > maxLog {
		_ = os.Rename(name, name+".old")
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|openPlainly, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s: it is not a regular file", name), err, file.Close())
	}
	return file, nil
}

// background starts this program again, apart from the agent: it holds none of the agent's pipes
// and outlives its session. What it remarks it logs.
func (p *program) background(args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, args...) //nolint:noctx // it is to outlive the hook
	cmd.Env = append(os.Environ(), distilling+"=1", distillingToo+"=1")
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
