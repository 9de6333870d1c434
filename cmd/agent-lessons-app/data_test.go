package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/queue/queuetest"
)

// command runs one of the program's commands in this process.
func (w *world) command(args ...string) (code int, said string) {
	var out bytes.Buffer
	p := &program{ctx: w.t.Context(), out: &out, err: &out}
	return p.run(args), out.String()
}

// A backup that is taken while the App runs can be started from; what the App did since is not
// done twice, since the commits say so.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := newBurst(w, 2)
	p := w.start()
	b.begin(2, learn)
	b.await(t, 20)
	file := filepath.Join(t.TempDir(), "backup.db")
	if code, said := w.command("backup", "--data", w.data, file); code != exitDone || !strings.Contains(said, "To restore") {
		t.Fatalf("exit %d: %s", code, said)
	}
	b.await(t, 20)
	b.end()
	b.settle(t)
	p.kill()

	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	restored := t.TempDir()
	if err := os.WriteFile(filepath.Join(restored, queue.DatabaseName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	p = w.start("--data", restored)
	for _, d := range w.github.Deliveries() { // GitHub's list, clicked through
		if _, err := w.github.Redeliver(t.Context(), d.GUID); err != nil {
			t.Fatal(err)
		}
	}
	b.settle(t)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-p.done; err != nil {
		t.Errorf("%v\n%s", err, p.out)
	}
	p.done <- nil
}

// An installation is moved to Postgres with what waits, and goes on there.
func TestMigrate(t *testing.T) {
	t.Parallel()
	database := queuetest.Postgres(t)
	w := newWorld(t)
	b := newBurst(w, 4)
	p := w.start()
	b.begin(2, learn, override, command)
	b.await(t, 30)
	from := "sqlite://" + w.data
	if code, said := w.command("migrate", "--from", from, "--to", database); code != exitFailed || !strings.Contains(said, "in use") {
		t.Errorf("while the App runs: exit %d: %s", code, said)
	}
	p.kill() // in mid-burst, so that something waits
	b.end()
	code, said := w.command("migrate", "--from", from, "--to", database)
	if code != exitDone || !strings.Contains(said, "intents: ") || !strings.Contains(said, "DATABASE_URL") {
		t.Fatalf("exit %d: %s", code, said)
	}
	if code, said := w.command("migrate", "--from", from+"/"+queue.DatabaseName, "--to", database); code != exitFailed || !strings.Contains(said, "not empty") {
		t.Errorf("again: exit %d: %s", code, said)
	}
	w.env = append(w.env, "DATABASE_URL="+database)
	p = w.start()
	b.settle(t)
	p.kill()
}

func TestDataCommandsNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	empty := t.TempDir()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"does not exist", []string{"backup", "--data", empty, filepath.Join(empty, "x")}},
		{"does not exist", []string{"migrate", "--from", "sqlite://" + empty, "--to", "postgres://u:hush@127.0.0.1:1/x"}},
		{"--from is not an address", []string{"migrate", "--from", empty, "--to", "postgres://u:hush@127.0.0.1:1/x"}},
		{"--to is not an address", []string{"migrate", "--from", "sqlite://" + empty, "--to", "mysql://u:hush@127.0.0.1:1/x"}},
	} {
		code, said := w.command(c.args...)
		if code != exitFailed || !strings.Contains(said, c.want) || strings.Contains(said, "hush") {
			t.Errorf("%q: exit %d: %s", c.args, code, said)
		}
	}
}
