package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/web"
)

const (
	lessonsFile = ".agent-corp/lessons.md"
	hookSecret  = "hook secret"
	oauthSecret = "client secret that no page shows"
)

// bench is a dashboard over a real App and a stand-in GitHub with two repositories: harbour/tidewatch,
// in which much was learned, and harbour/vault, which only noor may read.
type bench struct {
	t      *testing.T
	github *githubtest.Server
	tide   *githubtest.Repository
	vault  *githubtest.Repository
	queue  *queue.Queue
	url    string // of the dashboard with sign-in
	local  string // of the one for the operator, without
	done   chan string
}

// taught are the lessons file of harbour/tidewatch before anything is delivered.
const taught = `# Lessons

What code review taught in this repository. One bullet, one lesson. Edit freely.

- Never restart the harbour gateway by hand; ask in #ops first.
- A hostile line may say <img src=x onerror=alert(1)> & <script>alert("from the file")</script>.
- Bump ` + "`MIN_CASES`" + ` in ` + "`scripts/run-tests.sh`" + ` after adding test cases, or the runner fails. (PR #41, 2026-11-02, changes-requested, earned 3x)
- Always retry a failed upload of tide tables twice before giving up. (PR #38, 2026-10-28, changes-requested)
- Never retry a failed upload of tide tables; give up at once. (PR #44, 2026-11-12, changes-requested)
- Wait for every CI job to conclude before approving a pull request. (PR #52, 2026-11-20, changes-requested; overridden 2026-11-21)
- The browser download is blocked in the task container: never retry ` + "`npm run shots`" + ` there. (2026-11-09, founder-note)
- Run ` + "`gofmt -w`" + ` before committing, or the check format fails. (PR #47, 2026-11-15, ci-fix, earned 2x)
- Keep the tide tables in UTC and convert to the harbour's zone only when rendering. (PR #12, 2026-07-01, changes-requested; expired 2026-10-01)
`

func newBench(t *testing.T) *bench {
	t.Helper()
	key, pem := githubtest.GenerateKey()
	b := &bench{t: t, done: make(chan string, 100)}
	b.github = githubtest.New(githubtest.Options{BasePath: "/api/v3", AppID: 7, PublicKey: &key.PublicKey, RateLimit: 1 << 30})
	contract.Check(t, b.github)
	api := httptest.NewServer(b.github)
	t.Cleanup(api.Close)
	b.github.AddInstallation(1, "harbour")
	b.tide = b.github.AddRepository(1, "harbour/tidewatch", map[string]string{lessonsFile: taught, "main.go": "package main\n"})
	b.vault = b.github.AddRepository(1, "harbour/vault", map[string]string{"main.go": "package main\n"})
	for login, level := range map[string]string{"mara": "write", "noor": "write", "sam": "read"} {
		b.tide.SetPermission(login, level, "")
	}
	b.vault.SetPermission("noor", "write", "")

	q, err := queue.Open(t.Context(), queue.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	b.queue = q
	t.Cleanup(func() { _ = q.Stop(context.Background()) })
	credentials := app.Credentials{
		AppID: 7, PrivateKey: pem, WebhookSecrets: []string{hookSecret},
		WebURL: api.URL, V3APIURL: api.URL + "/api/v3/", V4APIURL: api.URL + "/api/graphql",
	}
	a, err := app.New(app.Options{Credentials: credentials, Queue: q, Log: zerolog.Nop(), UserAgent: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	hook := httptest.NewServer(a.Handler())
	t.Cleanup(hook.Close)
	b.github.SetHook(hook.URL+"/api/github/hook", hookSecret)

	serve := func(credentials app.Credentials, operators []string, door func(base string) web.Door) string {
		var handler http.Handler
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
		t.Cleanup(server.Close)
		credentials.URL = server.URL
		handler = web.New(web.Options{Lessons: a, Deliveries: q, Sessions: q.Sessions(), Credentials: credentials, Operators: operators, Log: zerolog.New(zerolog.NewTestWriter(t))}).Handler(door(server.URL))
		return server.URL
	}
	b.local = serve(credentials, nil, func(string) web.Door { return web.Door{Loopback: true} })
	signIn := credentials
	signIn.ClientSecret = oauthSecret
	signIn.ClientID = b.github.SetOAuth(oauthSecret, "http://127.0.0.1/login/callback")
	b.url = serve(signIn, []string{"noor"}, func(base string) web.Door { return web.Door{Base: base} })
	return b
}

// review opens a pull request, requests changes on it, and waits for what becomes of the delivery.
func (b *bench) review(repo *githubtest.Repository, reviewer, body string) queue.Delivery {
	b.t.Helper()
	number := repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{fmt.Sprintf("f%d.go", time.Now().UnixNano()): "package main\n"}})
	id := repo.AddReview(number, githubtest.Review{User: reviewer, State: "CHANGES_REQUESTED", Body: body})
	sent, err := b.github.Deliver(b.t.Context(), repo.ReviewEvent("submitted", number, id, ""))
	if err != nil || !sent.OK() {
		b.t.Fatalf("%+v, %v", sent, err)
	}
	for net := time.Now().Add(20 * time.Second); time.Now().Before(net); time.Sleep(5 * time.Millisecond) {
		if d, ok, err := b.queue.Delivery(b.t.Context(), sent.GUID); err == nil && ok && d.State != queue.Waiting {
			return d
		}
	}
	b.t.Fatal("the delivery is not done")
	return queue.Delivery{}
}

const snapshot = "Take a snapshot before compacting the lease file, otherwise a crash loses the history."

// story has happened what every page has something of.
func (b *bench) story() (learned, ignored queue.Delivery) {
	b.t.Helper()
	learned = b.review(b.tide, "mara", snapshot)
	ignored = b.review(b.tide, "sam", "Always <b>sort</b> the imports of each file before committing it, or the linter complains.")
	b.review(b.vault, "noor", "Rotate the vault's keys on the first of each month, never by hand in between.")
	return learned, ignored
}

func filterOf(repository int64) queue.Filter { return queue.Filter{Repositories: []int64{repository}} }
