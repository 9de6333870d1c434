package queue

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Either of these, when it is set, makes this test binary the process that is killed.
const (
	crashDir = "AGENT_LESSONS_TEST_QUEUE_DIR"
	crashURL = "AGENT_LESSONS_TEST_QUEUE_URL"
)

func TestMain(m *testing.M) {
	if place := (Config{DataDir: os.Getenv(crashDir), DatabaseURL: os.Getenv(crashURL)}); place.DataDir+place.DatabaseURL != "" {
		fmt.Fprintln(os.Stderr, crashing(place))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const crashRepositories = 5

// crashing puts and drains until it is killed. It writes "acked GUID" when Put has returned, and
// "handled GUID" when a handler has had its effect.
func crashing(place Config) error {
	began := time.Now()
	q, err := Open(context.Background(), place)
	if err != nil {
		return err
	}
	var first sync.Once
	if err := q.Start(context.Background(), func(_ context.Context, in Intent) (Outcome, error) {
		first.Do(func() { fmt.Fprintf(os.Stdout, "recovered %d\n", time.Since(began).Microseconds()) })
		_, err := fmt.Fprintf(os.Stdout, "handled %s\n", in.Delivery)
		return Outcome{Result: "learned"}, err
	}); err != nil {
		return err
	}
	failed := make(chan error)
	for writer := range 4 {
		go func() {
			for i := 0; ; i++ {
				guid := fmt.Sprintf("%d-%d-%d", os.Getpid(), writer, i)
				if _, err := q.Put(context.Background(), intent(guid, int64(i%crashRepositories+1))); err != nil {
					failed <- err
					return
				}
				if _, err := fmt.Fprintf(os.Stdout, "acked %s\n", guid); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

func TestCrash(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		testCrash(t, emptySQLite(t), `CREATE TABLE marked (delivery TEXT)`,
			`CREATE TRIGGER mark AFTER UPDATE OF state ON intents WHEN new.state = 'done' BEGIN INSERT INTO marked VALUES (new.delivery); END`)
	})
	t.Run("postgres", func(t *testing.T) {
		testCrash(t, emptyPostgres(t), `CREATE TABLE marked (delivery TEXT)`,
			`CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO marked VALUES (new.delivery); RETURN NULL; END'`,
			`CREATE TRIGGER mark AFTER UPDATE OF state ON intents FOR EACH ROW WHEN (new.state = 'done') EXECUTE FUNCTION mark()`)
	})
}

// Whatever moment a kill -9 hits, every acknowledged intent is handled, is marked done exactly
// once, and what was left is taken up at once by the next start. The database itself counts, by
// the trigger that the statements make.
func testCrash(t *testing.T, place Config, counter ...string) {
	kills := 10
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
		kills = 30
	}
	q := opener(t, place)(Config{})
	for _, statement := range counter {
		if _, err := q.db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	stop(t, q)
	acked, handled := map[string]bool{}, map[string]int{}
	var slowest time.Duration
	note := func(line string) {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "acked":
			acked[rest] = true
		case "handled":
			handled[rest]++
		case "recovered":
			var us int64
			if _, err := fmt.Sscan(rest, &us); err != nil {
				t.Fatal(err)
			}
			slowest = max(slowest, time.Duration(us)*time.Microsecond)
		}
	}
	for range kills {
		killOne(t, place, rand.IntN(300), note)
	}

	q = opener(t, place)(Config{})
	var mu sync.Mutex
	start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
		mu.Lock()
		defer mu.Unlock()
		handled[in.Delivery]++
		return Outcome{Result: "learned"}, nil
	})
	await(t, "nothing waits", func() bool {
		left, err := q.Deliveries(t.Context(), Filter{State: Waiting}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return len(left) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	twice := 0
	for guid := range acked {
		if d := delivery(t, q, guid); d.State != Done || d.Attempts != 1 || handled[guid] == 0 {
			t.Errorf("acknowledged %s is %s after %d attempts, handled %d times", guid, d.State, d.Attempts, handled[guid])
		}
		if handled[guid] > 1 {
			twice++
		}
	}
	if limit := kills * crashRepositories; twice > limit {
		t.Errorf("%d intents were handled more than once: a kill can hit one per repository, so at most %d", twice, limit)
	}
	marked := marked(t, q)
	for guid, n := range marked {
		if n != 1 {
			t.Errorf("%s was marked done %d times", guid, n)
		}
	}
	if len(marked) < len(acked) || len(acked) == 0 {
		t.Errorf("%d marked done, %d acknowledged", len(marked), len(acked))
	}
	if slowest > 10*time.Second { // River alone, without a leader, would take 16 s and more
		t.Errorf("a start took %v to take up what was left", slowest)
	}
	t.Logf("%d kills, %d acknowledged, %d handled more than once, slowest recovery %v", kills, len(acked), twice, slowest)
}

// killOne runs one process until it has acknowledged n intents, kills it, and tells note
// all that it wrote.
func killOne(t *testing.T, place Config, n int, note func(line string)) {
	t.Helper()
	process := exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), crashDir+"="+place.DataDir, crashURL+"="+place.DatabaseURL)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	killed := false
	for seen := 0; lines.Scan(); {
		note(lines.Text())
		if strings.HasPrefix(lines.Text(), "acked ") {
			if seen++; seen == n+1 {
				if err := process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				killed = true
			}
		}
	}
	if err := process.Wait(); err == nil || !killed {
		t.Fatalf("the process ended by itself: %v", process.ProcessState)
	}
}

// marked is how often each delivery became done.
func marked(t *testing.T, q *Queue) map[string]int {
	t.Helper()
	rows, err := q.reads.QueryContext(t.Context(), `SELECT delivery, COUNT(*) FROM marked GROUP BY delivery`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	marked := map[string]int{}
	for rows.Next() {
		var (
			guid string
			n    int
		)
		if err := rows.Scan(&guid, &n); err != nil {
			t.Fatal(err)
		}
		marked[guid] = n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return marked
}
