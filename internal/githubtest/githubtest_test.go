package githubtest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

const lessons = ".agent-corp/lessons.md"

var (
	ctx         = context.Background()
	key, keyPEM = githubtest.GenerateKey()
	opened      = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

// served counts the good answers of each route, over all tests.
var served = struct {
	sync.Mutex
	routes map[string]int
}{routes: map[string]int{}}

// A route without a test that it serves well has not been held against GitHub's
// description.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for _, route := range githubtest.Routes() {
			if served.routes[route] == 0 {
				fmt.Printf("no test had a good answer from %s\n", route)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// world is a stand-in under an Enterprise path, with one repository, the story's
// clock, and the clients that the product uses.
type world struct {
	*githubtest.Server
	url  string
	repo *githubtest.Repository
	app  *github.Client // the App itself
	inst *github.Client // its installation 1
	now  time.Time
	auth time.Duration // how far credentials' time is ahead
}

func newWorld(t testing.TB, files map[string]string) *world {
	t.Helper()
	w := &world{now: opened}
	w.Server = githubtest.New(githubtest.Options{
		BasePath: "/api/v3", AppID: 7, PublicKey: &key.PublicKey, RateLimit: 1_000_000,
		Now:     func() time.Time { return w.now },
		AuthNow: func() time.Time { return time.Now().Add(w.auth) },
	})
	contract.Check(t, w.Server)
	w.Observe(func(ex githubtest.Exchange) {
		if ex.Status < 300 {
			served.Lock()
			defer served.Unlock()
			served.routes[ex.Route]++
		}
	})
	srv := httptest.NewServer(w)
	t.Cleanup(srv.Close)
	w.url = srv.URL + "/api/v3"
	w.AddInstallation(1, "acme")
	w.repo = w.AddRepository(1, "acme/api", files)

	apps, err := ghinstallation.NewAppsTransport(http.DefaultTransport, 7, keyPEM)
	if err != nil {
		t.Fatal(err)
	}
	apps.BaseURL = w.url
	w.app, w.inst = w.client(t, apps), w.client(t, ghinstallation.NewFromAppsTransport(apps, 1))
	return w
}

func (w *world) client(t testing.TB, transport http.RoundTripper) *github.Client {
	t.Helper()
	c, err := github.NewClient(&http.Client{Transport: transport}).WithEnterpriseURLs(w.url, w.url)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// status is the HTTP status of a client's error, and GitHub's message.
func status(err error) (int, string) {
	var e *github.ErrorResponse
	if errors.As(err, &e) {
		return e.Response.StatusCode, e.Message
	}
	return 0, ""
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
