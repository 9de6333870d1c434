package app

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/queue/queuetest"
)

const (
	secret    = "It's a Secret to Everybody"
	oldSecret = "the secret before it"
	appID     = 42

	// lessonA and lessonB are one lesson in other words.
	lessonA = "Always pass the request's context to `http.NewRequestWithContext` in outgoing calls, otherwise a cancelled request keeps waiting for the upstream service."
	lessonB = "Build outgoing calls with `http.NewRequestWithContext` and the request's context, so that a cancelled request does not keep waiting for upstream."
)

// appKey is one key for all tests: making one takes longer than most of them.
var appKey = sync.OnceValues(githubtest.GenerateKey)

// bench is an App beside the stand-in GitHub, both on loopback. Everything that they say to
// each other is held against GitHub's descriptions.
type bench struct {
	t      testing.TB
	github *githubtest.Server
	repo   *githubtest.Repository
	app    *App
	queue  *queue.Queue
	log    *safeBuffer
	hook   string
	opts   benchOptions
}

type benchOptions struct {
	place  queue.Config // where the queue is; an empty database by default
	models Models
	github *githubtest.Server // an existing stand-in, with its key
	repo   *githubtest.Repository
	pem    []byte
	api    string
	now    func() time.Time // nil: time.Now
	// timeout of a request to GitHub; 0: the product's own.
	timeout   time.Duration
	transport http.RoundTripper // to GitHub; nil: the usual one
}

// emptyDatabase is on SQLite, or on Postgres when AGENT_LESSONS_TEST_DATABASE says so: the same tests
// run over both.
func emptyDatabase(t testing.TB) queue.Config {
	t.Helper()
	switch database := os.Getenv("AGENT_LESSONS_TEST_DATABASE"); database {
	case "", "sqlite":
		return queue.Config{DataDir: t.TempDir()}
	case "postgres":
		return queue.Config{DatabaseURL: queuetest.Postgres(t)}
	default:
		t.Fatalf("AGENT_LESSONS_TEST_DATABASE=%s is neither sqlite nor postgres", database)
		return queue.Config{}
	}
}

func newBench(t testing.TB) *bench { return newBenchWith(t, benchOptions{}) }

func newBenchWith(t testing.TB, o benchOptions) *bench {
	t.Helper()
	if o.place.DataDir+o.place.DatabaseURL == "" {
		o.place = emptyDatabase(t)
	}
	if o.github == nil {
		key, pem := appKey()
		o.pem = pem
		// A base path, so that an address that ignores Enterprise Servers fails every test.
		o.github = githubtest.New(githubtest.Options{BasePath: "/api/v3", AppID: appID, PublicKey: &key.PublicKey, Now: o.now})
		contract.Check(t, o.github)
		api := httptest.NewServer(o.github)
		t.Cleanup(api.Close)
		o.api = api.URL + "/api/v3/"
		o.github.AddInstallation(1, "acme")
		o.repo = o.github.AddRepository(1, "acme/api", map[string]string{"README.md": "# api\n"})
		o.repo.SetPermission("mara", "write", "maintain")
		o.repo.SetPermission("noor", "admin", "")
		o.repo.SetPermission("piet", "write", "")
		o.repo.SetPermission("sam", "read", "triage")
	}
	b := &bench{t: t, github: o.github, repo: o.repo, log: &safeBuffer{}, opts: o}
	var err error
	place := o.place
	place.Backoff, place.MaxAttempts = func(int) time.Duration { return time.Millisecond }, 3
	b.queue, err = queue.Open(context.Background(), place)
	if err != nil {
		t.Fatal(err)
	}
	b.app, err = New(Options{
		Credentials: Credentials{AppID: appID, PrivateKey: o.pem, WebhookSecrets: []string{secret, oldSecret}, V3APIURL: o.api, V4APIURL: o.api + "graphql"},
		Queue:       b.queue, Models: o.models, Log: zerolog.New(b.log).Level(zerolog.InfoLevel), UserAgent: "agent-lessons-test", Now: o.now, Timeout: o.timeout, Transport: o.transport,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.app.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := b.app.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(b.app.Handler())
	b.hook = web.URL + "/api/github/hook"
	b.github.SetHook(b.hook, secret)
	t.Cleanup(func() {
		web.Close()
		b.stop()
	})
	b.github.ResetRequests()
	return b
}

func (b *bench) stop() {
	if b.queue == nil {
		return
	}
	if err := b.queue.Stop(context.Background()); err != nil {
		b.t.Error(err)
	}
	b.queue = nil
}

// review has reviewer request changes on a new pull request of author.
func (b *bench) review(author, reviewer, body string, comments ...string) githubtest.Event {
	return b.submit(author, githubtest.Review{User: reviewer, State: "CHANGES_REQUESTED", Body: body, Comments: inline(comments...)})
}

func inline(bodies ...string) []githubtest.ReviewComment {
	var out []githubtest.ReviewComment
	for _, body := range bodies {
		out = append(out, githubtest.ReviewComment{Path: "main.go", Line: 1, Body: body})
	}
	return out
}

func (b *bench) submit(author string, review githubtest.Review) githubtest.Event {
	number := b.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: author, Files: map[string]string{"main.go": "package main\n"}})
	id := b.repo.AddReview(number, review)
	return b.repo.ReviewEvent("submitted", number, id, "")
}

// deliver sends a webhook, checks that it is accepted, and waits until it is worked off.
func (b *bench) deliver(event githubtest.Event) queue.Delivery {
	b.t.Helper()
	delivery, err := b.github.Deliver(context.Background(), event)
	if err != nil || !delivery.OK() {
		b.t.Fatalf("the App answered %d %s, %v", delivery.StatusCode, delivery.Body, err)
	}
	return b.wait(delivery.GUID)
}

func (b *bench) wait(guid string) queue.Delivery {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		record, _, err := b.queue.Delivery(context.Background(), guid)
		if err != nil {
			b.t.Fatal(err)
		}
		if record.State != queue.Waiting {
			return record
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("delivery %s is still waiting: %+v\n%s", guid, record, b.log)
		}
		time.Sleep(time.Millisecond)
	}
}

// lessons returns the lines of the file that are bullets.
func (b *bench) lessons() []string {
	content, _ := b.repo.File(config.DefaultStore)
	var out []string
	for line := range strings.Lines(content) {
		if strings.HasPrefix(line, "- ") {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}

// routes lists what was asked of GitHub, without the minting of tokens.
func (b *bench) routes() []string {
	var out []string
	for _, r := range b.github.Requests() {
		if !strings.Contains(r.Route, "access_tokens") {
			out = append(out, r.Route)
		}
	}
	return out
}

// safeBuffer is a log that tests read while it is written.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// seePut tells when the stand-in has answered a write.
func seePut(committed chan<- time.Time) func(githubtest.Exchange) {
	return func(e githubtest.Exchange) {
		if e.Route == putContents {
			committed <- time.Now()
		}
	}
}
