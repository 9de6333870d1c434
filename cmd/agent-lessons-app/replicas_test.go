package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/queue/queuetest"
)

// Issue 8: replicas behind a proxy that asks them in turn, one of them killed in mid-burst, and
// everything that was acknowledged ends exactly once, in each repository in the order in which it
// was acknowledged.
func TestReplicaKilled(t *testing.T) {
	t.Parallel()
	for replicas := 2; replicas <= 3; replicas++ {
		t.Run(fmt.Sprint(replicas), func(t *testing.T) {
			f := newFleet(t, replicas, queuetest.Postgres(t))
			b := newBurst(f.world, 6)
			b.begin(3, learn)
			b.await(t, 60)
			f.processes[0].kill()
			b.await(t, 60)
			b.end()
			b.settle(t)
			b.inOrder(t)
			f.stop(t)
		})
	}
}

// The database crashes in mid-burst, and the replicas go on when it is back.
func TestDatabaseRestarted(t *testing.T) {
	t.Parallel()
	address, restart := ownPostgres(t)
	f := newFleet(t, 2, address)
	b := newBurst(f.world, 6)
	b.begin(3, learn, override, command)
	b.await(t, 30)
	for range effort(1, 3, 20) {
		restart()
		b.await(t, 30)
	}
	b.end()
	b.settle(t)
	f.stop(t)
}

// await waits until so many more deliveries were acknowledged.
func (b *burst) await(t *testing.T, more int) {
	t.Helper()
	count := func() int {
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.promises)
	}
	for want, deadline := count()+more, time.Now().Add(time.Minute); count() < want; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b.end()
			t.Fatalf("%d were acknowledged, %d wanted", count(), want)
		}
	}
}

// inOrder checks that the bullets of each repository stand as they were acknowledged.
func (b *burst) inOrder(t *testing.T) {
	t.Helper()
	for _, repo := range b.repos {
		file, _ := repo.File(lessonsFile)
		last := -1
		for _, p := range b.promises {
			if p.repo != repo {
				continue
			}
			at := strings.Index(file, p.lesson)
			if at < last {
				t.Errorf("%q was acknowledged later, and stands earlier", p.lesson)
			}
			last = at
		}
	}
}

// fleet is a number of programs on one database behind a proxy.
type fleet struct {
	*world
	processes []*process
}

func newFleet(t *testing.T, replicas int, database string) *fleet {
	t.Helper()
	w := newWorld(t)
	f := &fleet{world: w}
	var targets []*url.URL
	for range replicas {
		w.listen = freeAddress(t)
		w.env = append(w.env, "AGENT_LESSONS_LISTEN="+w.listen, "DATABASE_URL="+database) // the last one counts
		f.processes = append(f.processes, w.start())
		targets = append(targets, &url.URL{Scheme: "http", Host: w.listen})
	}
	var turn atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(targets[int(turn.Add(1))%len(targets)]) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { // a replica that is gone
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	t.Cleanup(proxy.Close)
	w.github.SetHook(proxy.URL+"/api/github/hook", hookSecret)
	t.Cleanup(func() {
		for _, p := range f.processes {
			p.kill()
		}
	})
	return f
}

// stop stops the replicas that live.
func (f *fleet) stop(t *testing.T) {
	t.Helper()
	for i, p := range f.processes {
		if p.Process.Signal(syscall.SIGTERM) != nil {
			continue // it was killed
		}
		if err := <-p.done; err != nil {
			t.Errorf("replica %d ended with %v\n%s", i, err, p.out)
		}
		p.done <- nil // the cleanup asks again
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // kept free by hope alone
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// ownPostgres starts a server that nobody else uses, and returns its address and how to crash and
// restart it.
func ownPostgres(t *testing.T) (address string, restart func()) {
	t.Helper()
	queuetest.Server(t) // where there is one, there can be another
	server := exec.Command("../../scripts/postgres", "sh", "-c",
		`echo "$AGENT_LESSONS_TEST_POSTGRES"; while read _; do (eval "$AGENT_LESSONS_TEST_POSTGRES_RESTART") >&2; echo again; done`)
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(out)
	next := func() string {
		if !lines.Scan() {
			t.Fatal("the database's script has ended")
		}
		return lines.Text()
	}
	return next(), func() {
		if _, err := io.WriteString(in, "restart\n"); err != nil {
			t.Fatal(err)
		}
		next()
	}
}
