package app

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

var update = flag.Bool("update", false, "rewrite docs/faults.md")

// path is a way of the App through GitHub's API, with an end that can be checked.
type path struct {
	name string
	// play prepares everything and returns what begins the path: its delivery's name.
	play func(b *bench) (begin func() string)
	// end says what is wrong with the end, "" for nothing.
	end func(b *bench) string
}

// ownLines are the bullets of another time that every path leaves alone.
const ownLine = "- A person's line.\n"

var paths = []path{
	{
		name: "learn",
		play: func(b *bench) func() string {
			b.repo.Put(config.DefaultStore, ownLine, "by hand")
			event := b.review("piet", "mara", "", lessonA)
			return func() string { return b.send(event) }
		},
		end: func(b *bench) string { return b.ends(2, lessonA+" (PR #1, "+today()+", changes-requested)") },
	},
	{
		name: "override",
		play: func(b *bench) func() string {
			b.repo.Put(config.DefaultStore, ownLine, "by hand")
			b.deliver(b.review("piet", "mara", "", lessonA))
			event := b.merge(1)
			return func() string { return b.send(event) }
		},
		end: func(b *bench) string { return b.ends(3, "; overridden "+today()+")") },
	},
	{
		name: "command",
		play: func(b *bench) func() string {
			b.repo.Put(config.DefaultStore, ownLine, "by hand")
			number := b.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"main.go": "package main\n"}})
			event := b.repo.CommentEvent("created", b.repo.AddComment(number, "mara", "/lesson "+lessonA), "")
			return func() string { return b.send(event) }
		},
		end: func(b *bench) string { return b.ends(2, lessonA+" (PR #1, "+today()+", founder-note)") },
	},
	{
		name: "sweep",
		play: func(b *bench) func() string {
			b.repo.Put(config.DefaultStore, ownLine+"- Long ago. (PR #1, 2020-01-01, ci-fix)\n", "lessons")
			began := time.Now().UTC().Truncate(time.Hour)
			return func() string {
				_, err := b.queue.Put(b.t.Context(), queue.Intent{Delivery: "sweep", Kind: kindSweep, Installation: 1,
					Repository: b.repo.ID(), FullName: "acme/api", At: began})
				if err != nil {
					b.t.Fatal(err)
				}
				return "sweep"
			}
		},
		end: func(b *bench) string { return b.ends(2, "; expired "+today()+")") },
	},
}

func (b *bench) send(event githubtest.Event) string {
	delivery, err := b.github.Deliver(b.t.Context(), event)
	if err != nil || !delivery.OK() {
		b.t.Fatalf("the App answered %d, %v", delivery.StatusCode, err)
	}
	return delivery.GUID
}

// ends checks that the file has the person's line, one bullet of ours as it should be, and was
// written so often in all.
func (b *bench) ends(commits int, want string) string {
	lines := b.lessons()
	switch n := len(b.repo.Commits(config.DefaultStore)); {
	case n != commits:
		return fmt.Sprintf("%d commits, want %d", n, commits)
	case len(lines) != 2 || lines[0]+"\n" != ownLine || !strings.Contains(lines[1], want):
		return fmt.Sprintf("lessons %q", lines)
	}
	return ""
}

// trouble is one way in which GitHub can fail, and how a job may end then.
type trouble struct {
	name  string
	fault func(b *bench) githubtest.Fault
	lasts bool // until somebody acts; otherwise it strikes once
	may   string
	only  func(route string) bool // nil: every call
}

func writes(route string) bool { return !strings.HasPrefix(route, "GET ") }

func onRepository(route string) bool { return strings.Contains(route, "{owner}") }

func answering(a *githubtest.Answer) func(*bench) githubtest.Fault {
	return func(*bench) githubtest.Fault { return githubtest.Fault{Answer: a} }
}

func troubles() []trouble {
	hang := func(r *http.Request) { <-r.Context().Done() }
	reset := time.Now().Add(time.Hour)
	return []trouble{
		{name: "timeout, before the effect", fault: func(*bench) githubtest.Fault { return githubtest.Fault{Do: hang, Reset: true} }, may: "done"},
		{name: "timeout, after the effect", fault: func(*bench) githubtest.Fault { return githubtest.Fault{After: true, Do: hang, Reset: true} }, may: "done"},
		{name: "connection reset", fault: func(*bench) githubtest.Fault { return githubtest.Fault{Reset: true} }, may: "done"},
		{name: "connection reset, after the effect", fault: func(*bench) githubtest.Fault { return githubtest.Fault{Reset: true, After: true} }, may: "done"},
		{name: "answer cut short", fault: func(*bench) githubtest.Fault { return githubtest.Fault{Truncate: true, After: true} }, may: "done"},
		{name: "500", fault: answering(githubtest.ErrorAnswer(500, "Server Error")), may: "done"},
		{name: "502, not JSON", fault: answering(githubtest.BadGateway()), may: "done"},
		{name: "503", fault: answering(githubtest.ErrorAnswer(503, "Service unavailable")), may: "done"},
		{name: "403, primary limit", fault: answering(githubtest.PrimaryLimit(403, reset)), may: "waits"},
		{name: "429, primary limit", fault: answering(githubtest.PrimaryLimit(429, reset)), may: "waits"},
		{name: "secondary limit, Retry-After", fault: answering(githubtest.SecondaryLimit(time.Hour)), may: "waits"},
		{name: "secondary limit, no header", fault: answering(githubtest.SecondaryLimit(0)), may: "waits"},
		{name: "401, expired token", fault: answering(githubtest.ErrorAnswer(401, "Bad credentials")), may: "done"},
		{name: "401, bad key", fault: answering(githubtest.ErrorAnswer(401, "Bad credentials")), lasts: true, may: "gave up"},
		{name: "403, suspended", fault: answering(githubtest.ErrorAnswer(403, "This installation has been suspended")), lasts: true, may: "parked"},
		{name: "403, archived", fault: answering(githubtest.ErrorAnswer(403, "Repository was archived so is read-only.")), lasts: true, may: "parked", only: writes},
		{name: "403, permission not granted", fault: answering(githubtest.ErrorAnswer(403, "Resource not accessible by integration")), lasts: true, may: "parked", only: onRepository},
		{name: "404, gone", fault: answering(githubtest.ErrorAnswer(404, "Not Found")), lasts: true, may: "gave up, nothing, answered, done", only: onRepository},
		{name: "409, stale blob", fault: answering(githubtest.ErrorAnswer(409, config.DefaultStore+" does not match 5f1c2a")), may: "done", only: isPut},
		{name: "a classic rule", fault: func(b *bench) githubtest.Fault {
			b.repo.Protect("main", "")
			return githubtest.Fault{}
		}, may: "proposed", only: isPut},
		{name: "a ruleset", fault: func(b *bench) githubtest.Fault {
			b.repo.SetRules("main", githubtest.Rule{Type: "pull_request"})
			return githubtest.Fault{}
		}, may: "proposed", only: isPut},
		{name: "422, validation", fault: answering(githubtest.ErrorAnswer(422, "Validation Failed")), lasts: true, may: "gave up", only: writes},
		{name: "301, renamed", fault: func(b *bench) githubtest.Fault {
			return githubtest.Fault{Do: func(*http.Request) { b.repo.Rename("acme/renamed") }}
		}, may: "done", only: onRepository},
		{name: "451", fault: answering(githubtest.ErrorAnswer(451, "Repository access blocked")), lasts: true, may: "gave up", only: onRepository},
	}
}

// isCourtesy reports whether a call only tells people something: that it fails holds up nothing.
func isCourtesy(route string) bool {
	return writes(route) && (strings.HasSuffix(route, "/check-runs") || strings.HasSuffix(route, "/reactions") || strings.HasSuffix(route, "/comments"))
}

func isPut(route string) bool { return route == putContents }

// TestFaultMatrix has every call of every path fail in every way, and writes down how it ends:
// docs/faults.md. No case may lose or repeat a write, or keep asking.
func TestFaultMatrix(t *testing.T) {
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "1" && !*update {
		t.Skip("some hundred runs: set AGENT_LESSONS_TEST_ALL=1; the commonest are in TestFaultsThatPass")
	}
	var page strings.Builder
	page.WriteString(faultsIntroduction)
	for _, p := range paths {
		calls := callsOf(t, p)
		cells := make([][]string, len(troubles()))
		var mu sync.Mutex
		t.Run(p.name, func(t *testing.T) {
			for i, tr := range troubles() {
				cells[i] = make([]string, len(calls))
				for j, call := range calls {
					if tr.only != nil && !tr.only(call.route) {
						continue
					}
					t.Run(tr.name+"/"+call.String(), func(t *testing.T) {
						t.Parallel()
						end := p.run(t, tr, call)
						mu.Lock()
						defer mu.Unlock()
						cells[i][j] = end
					})
				}
			}
		})
		page.WriteString(faultTable(p.name, calls, cells))
	}
	if t.Failed() {
		return
	}
	const file = "../../docs/faults.md"
	if *update {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil { //nolint:gosec // documentation
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != page.String() {
		t.Errorf("%s is not what was seen, %v: rewrite it with go test ./internal/app -run TestFaultMatrix -update\n%s", file, err, page.String())
	}
}

// call is one request of a path: the nth of its route.
type call struct {
	route string
	nth   int // from 0
}

func (c call) String() string {
	name := strings.NewReplacer("/repos/{owner}/{repo}", "", "{", "", "}", "").Replace(c.route)
	if c.nth > 0 {
		name += fmt.Sprintf(" (%d)", c.nth+1)
	}
	return name
}

// callsOf lists the calls of a path that nothing goes wrong with.
func callsOf(t *testing.T, p path) []call {
	b := newBench(t)
	begin := p.play(b)
	b.app.clients.forget(1) // so that the path fetches its token, too
	b.github.ResetRequests()
	b.wait(begin())
	if wrong := p.end(b); wrong != "" {
		t.Fatalf("%s without a fault: %s\n%s", p.name, wrong, b.log)
	}
	seen := map[string]int{}
	var calls []call
	for _, r := range b.github.Requests() {
		calls = append(calls, call{r.Route, seen[r.Route]})
		seen[r.Route]++
	}
	return calls
}

// run plays a path with one trouble at one call, and says how it ended and after how many requests.
func (p path) run(t *testing.T, tr trouble, c call) string {
	// A connection for each request: Go's client repeats by itself what fails on one that it kept.
	b := newBenchWith(t, benchOptions{timeout: time.Second, transport: &http.Transport{DisableKeepAlives: true}})
	begin := p.play(b)
	b.app.clients.forget(1)
	b.github.ResetRequests()
	fault := tr.fault(b)
	fault.Route, fault.Skip = c.route, c.nth
	if tr.lasts {
		fault.Times = -1
	}
	b.github.Fail(fault)
	guid := begin()
	record := b.settled(guid)
	requests := len(b.github.Requests())
	end := ending(record)
	switch {
	case (end == "nothing" || end == "answered") && p.end(b) == "": // its first try did it, and was cut off
		end = "done"
	case end == "done" && len(b.proposed()) > 0:
		end = "proposed"
	}
	may := tr.may
	if isCourtesy(c.route) {
		may += ", done"
	}
	if !slices.Contains(strings.Split(may, ", "), end) {
		t.Errorf("it ended as %q, which may be %q: %+v\n%s", end, may, record, b.log)
	}
	if end == "done" {
		if wrong := p.end(b); wrong != "" {
			t.Errorf("done, but %s\n%s", wrong, b.log)
		}
	}
	if requests > 40 {
		t.Errorf("%d requests", requests)
	}
	return fmt.Sprintf("%s, %d", end, requests)
}

// settled waits until a delivery is done or given up, or until it waits for longer than a backoff.
func (b *bench) settled(guid string) queue.Delivery {
	b.t.Helper()
	var record queue.Delivery
	await(b.t, "the delivery is settled", func() bool {
		record, _, _ = b.queue.Delivery(b.t.Context(), guid)
		return record.State != queue.Waiting || record.NotBefore.After(time.Now().Add(30*time.Second))
	})
	return record
}

func ending(d queue.Delivery) string {
	switch {
	case d.State == queue.GaveUp:
		return "gave up"
	case d.State == queue.Waiting && d.NotBefore.After(time.Now().Add(48*time.Hour)):
		return "parked"
	case d.State == queue.Waiting:
		return "waits"
	case d.Outcome.Result == "nothing", d.Outcome.Result == "answered":
		return d.Outcome.Result
	}
	return "done"
}

const faultsIntroduction = `# What happens when GitHub fails

Each call that the App makes, failing in each way: how it ends, and how many requests that took in all, tokens
included. Written by ` + "`go test ./internal/app -run TestFaultMatrix -update`" + `, which plays every cell against the stand-in, and
holds each to this: nothing is lost, nothing is done twice, nothing is asked for ever.

- **done**: tried again if need be, and in the file once, by one commit.
- **waits**: until the limit resets, without spending an attempt.
- **parked**: until the owner acts, with the reason on the delivery; [operations](operations.md#why-was-nothing-learned) says what ends it.
- **proposed**: through the [standing pull request](operations.md#protected-branches).
- **gave up**: at once, or after the attempts (3 in the test, 10 as installed); visible, with the reason, and done when it is delivered again.
- **answered**: whoever gave the command is told why it was not obeyed.
- **nothing**: the answer says that there is nothing to do: a deleted review, say.

Faults that pass strike once; those that only a person can end (401 bad key, 403, 404, rules, 422, 451) strike always.
`

func faultTable(name string, calls []call, cells [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", strings.ToUpper(name[:1])+name[1:])
	for i, c := range calls {
		fmt.Fprintf(&b, "%d. `%s`\n", i+1, c)
	}
	b.WriteString("\n| fault |")
	for i := range calls {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(calls)) + "\n")
	for i, tr := range troubles() {
		b.WriteString("| " + tr.name + " |")
		for j := range calls {
			fmt.Fprintf(&b, " %s |", cells[i][j])
		}
		b.WriteString("\n")
	}
	return b.String()
}
