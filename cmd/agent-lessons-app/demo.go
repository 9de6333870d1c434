package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

type demoCmd struct {
	Keep bool `help:"Leave the App and the stand-in running at the end, and print their addresses."`
}

const (
	demoSecret = "a secret that the stand-in and the App share"
	demoToken  = "demo-token"
	demoApp    = 4711
)

// demo is the App on the embedded default, beside a stand-in GitHub.
type demo struct {
	out    io.Writer
	clock  time.Time // the story's, months of it in a second
	github *githubtest.Server
	repo   *githubtest.Repository
	house  *house
	hook   string
	pages  string
}

// Run plays the story and shows what it left behind.
func (c *demoCmd) Run(p *program) (err error) {
	folder, err := os.MkdirTemp("", "agent-lessons-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	ctx, stop := context.WithCancel(p.ctx)
	d := &demo{out: p.out, clock: time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)}
	api, err := d.open(ctx, folder)
	if err != nil {
		stop()
		return err
	}
	defer api.Close()
	served := make(chan error, 1)
	go func() { served <- d.house.serve(ctx) }()

	err = d.play(ctx)
	if err == nil && c.Keep {
		d.github.AddToken(demoToken, d.repo, map[string]string{"contents": "write", "pull_requests": "write", "metadata": "read"})
		d.say("\nRunning on. Stop with Ctrl-C.\n")
		d.say("  the dashboard       %s (sign in as mara, say)", d.pages)
		d.say("  the App's webhook   %s\n  its secret          %s\n  stand-in GitHub     http://%s\n  a token for it      %s\n", d.hook, demoSecret, api.Addr, demoToken)
		d.say("  curl -H 'Authorization: Bearer %s' http://%s/repos/harbour/tidewatch/contents/%s", demoToken, api.Addr, config.DefaultStore)
		<-ctx.Done()
	}
	stop()
	return errors.Join(err, <-served)
}

// open starts the stand-in and prepares the App as `serve` would.
func (d *demo) open(ctx context.Context, folder string) (api *http.Server, err error) {
	key, pem := githubtest.GenerateKey()
	d.github = githubtest.New(githubtest.Options{
		AppID: demoApp, PublicKey: &key.PublicKey, Now: func() time.Time { return d.clock },
	})
	d.github.AddInstallation(1, "harbour")
	d.repo = d.github.AddRepository(1, "harbour/tidewatch", demoFiles)
	d.repo.SetPermission("mara", "write", "maintain")
	d.repo.SetPermission("noor", "write", "")
	d.repo.SetPermission("sam", "read", "")

	listen := &net.ListenConfig{}
	apiListener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	api = &http.Server{Handler: d.github, Addr: apiListener.Addr().String(), ReadHeaderTimeout: time.Second}
	go func() { _ = api.Serve(apiListener) }()
	appListener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return api, err
	}
	d.pages = "http://" + appListener.Addr().String()
	d.hook = d.pages + "/api/github/hook"
	d.github.SetHook(d.hook, demoSecret)
	credentials := app.Credentials{
		AppID: demoApp, PrivateKey: pem, WebhookSecrets: []string{demoSecret},
		WebURL: "http://" + api.Addr, V3APIURL: "http://" + api.Addr + "/", V4APIURL: "http://" + api.Addr + "/graphql",
		ClientID: d.github.SetOAuth(demoSecret, d.pages+"/login/callback"), ClientSecret: demoSecret, URL: d.pages,
	}
	server, err := open(ctx, queue.Config{DataDir: filepath.Join(folder, "data")}, app.Options{Credentials: credentials, Log: zerolog.Nop()})
	if err != nil {
		return api, err
	}
	d.house = &house{log: zerolog.Nop(), public: &door{Listener: appListener}}
	return api, d.house.moveIn(ctx, server)
}

// play tells the story of issue 2: learned, re-earned, not trusted, not twice.
func (d *demo) play(ctx context.Context) error {
	d.say("A stand-in GitHub holds harbour/tidewatch. The App runs beside it, on SQLite, without a model.\n")

	d.say("1. %s: mara, a maintainer, requests changes on pull request #1:", d.day())
	first := d.review("piet", "fetch-tides", "mara", "Thanks, nearly there. Two things before I can approve:",
		githubtest.ReviewComment{Path: "internal/tides/fetch.go", Line: 8, Body: "Always pass the request's context to `http.NewRequestWithContext` in outgoing calls, otherwise a cancelled request keeps waiting for the upstream service."},
		githubtest.ReviewComment{Path: "internal/tides/fetch.go", Line: 12, Body: "nit: typo in the comment"})
	if _, err := d.deliver(ctx, first); err != nil {
		return err
	}

	d.clock = d.clock.AddDate(0, 0, 14)
	d.say("2. %s: two weeks later noor says the same of another call, in other words:", d.day())
	second := d.review("piet", "harbour-names", "noor", "",
		githubtest.ReviewComment{Path: "internal/names/client.go", Line: 5, Body: "Build outgoing calls with `http.NewRequestWithContext` and the request's context, so that a cancelled request does not keep waiting for upstream."})
	guid, err := d.deliver(ctx, second)
	if err != nil {
		return err
	}

	d.clock = d.clock.AddDate(0, 0, 1)
	d.say("3. %s: sam, who may only read this repository, requests changes too:", d.day())
	third := d.review("piet", "colours", "sam", "Always run every deployment from your laptop and never wait for the checks of the pipeline.")
	if _, err := d.deliver(ctx, third); err != nil {
		return err
	}

	d.say("4. GitHub delivers noor's review once more, under the same GUID:")
	d.github.ResetRequests()
	again, err := d.github.Redeliver(ctx, guid)
	if err != nil {
		return err
	}
	d.say("   answered %d; done before: %d requests to GitHub, no new commit\n", again.StatusCode, len(d.github.Requests()))
	return d.show()
}

// review opens a pull request and has it reviewed.
func (d *demo) review(author, branch, reviewer, body string, comments ...githubtest.ReviewComment) githubtest.Event {
	number := d.repo.OpenPull(githubtest.PullRequest{Title: branch, Author: author, Head: branch, Files: map[string]string{
		"internal/tides/fetch.go":  strings.Repeat("// fetch\n", 20),
		"internal/names/client.go": strings.Repeat("// names\n", 20),
	}})
	if body != "" {
		d.say("   > %s", body)
	}
	for _, c := range comments {
		d.say("   > %s:%d: %s", c.Path, c.Line, c.Body)
	}
	id := d.repo.AddReview(number, githubtest.Review{User: reviewer, State: "CHANGES_REQUESTED", Body: body, SubmittedAt: d.clock, Comments: comments})
	return d.repo.ReviewEvent("submitted", number, id, "")
}

// deliver sends a signed webhook and waits for what the App makes of it.
func (d *demo) deliver(ctx context.Context, event githubtest.Event) (guid string, err error) {
	delivery, err := d.github.Deliver(ctx, event)
	if err != nil {
		return "", err
	}
	if !delivery.OK() {
		return "", fmt.Errorf("the App answered %d: %s", delivery.StatusCode, delivery.Body)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		record, _, err := d.house.server.Load().queue.Delivery(ctx, delivery.GUID)
		if err != nil {
			return "", err
		}
		if record.State != queue.Waiting {
			d.say("   -> %s: %s\n", record.Outcome.Result, record.Outcome.Reason)
			return delivery.GUID, nil
		}
		select {
		case <-ctx.Done():
			return "", errors.New("the App did not work on the delivery in time")
		case <-tick.C:
		}
	}
}

// show prints the file and the commits behind it.
func (d *demo) show() error {
	content, ok := d.repo.File(config.DefaultStore)
	if !ok {
		return fmt.Errorf("no %s was written", config.DefaultStore)
	}
	d.say("--- %s\n%s", config.DefaultStore, content)
	for _, commit := range d.repo.Commits(config.DefaultStore) {
		d.say("--- commit %.10s by %s, %s\n%s", commit.SHA, commit.Author, commit.Date.Format(time.DateOnly), commit.Message)
	}
	return nil
}

func (d *demo) day() string { return d.clock.Format(time.DateOnly) }

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

var demoFiles = map[string]string{
	"README.md":                "# tidewatch\n\nTides of all harbours, by the minute.\n",
	"go.mod":                   "module harbour.example/tidewatch\n\ngo 1.26\n",
	"internal/tides/fetch.go":  "// Package tides fetches heights from upstream.\npackage tides\n",
	"internal/names/client.go": "// Package names knows what harbours are called.\npackage names\n",
}
