package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/look"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/web"
)

// drainTime bounds how long a stopping server waits for running jobs; what is left is on disk.
const drainTime = 25 * time.Second

// server is an App with the queue that it works from.
type server struct {
	app         *app.App
	queue       *queue.Queue
	credentials app.Credentials
}

// open checks the credentials with GitHub and opens the database: whatever is wrong is said
// before a port opens.
func open(ctx context.Context, place queue.Config, options app.Options) (*server, error) {
	place.Logger = slog.New(zerolog.NewSlogHandler(options.Log))
	q, err := queue.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	options.Queue, options.UserAgent = q, "agent-lessons"
	a, err := app.New(options)
	if err == nil {
		err = a.Check(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, q.Stop(context.WithoutCancel(ctx)))
	}
	return &server{app: a, queue: q, credentials: options.Credentials}, nil
}

// house is what the program serves: doors, and behind them the App once it lives there.
type house struct {
	log       zerolog.Logger
	operators []string
	live      func(context.Context, app.Credentials) (*server, error) // opens the App
	lives     func(context.Context, *server)                          // what begins when it works; nil: nothing

	public  *door // GitHub's deliveries, and people who sign in
	private *door // setup, and whoever operates this machine; nil for none
	metrics *door // nil: beside the deliveries
	server  atomic.Pointer[server]
}

// door is a listener, and what is behind it for the time being.
type door struct {
	net.Listener
	behind atomic.Pointer[http.Handler]
}

// lead has the door lead to another handler.
func (d *door) lead(to http.Handler) { d.behind.Store(&to) }

// handler is what the door leads to; nil for nothing yet.
func (d *door) handler() http.Handler {
	if to := d.behind.Load(); to != nil {
		return *to
	}
	return nil
}

// ServeHTTP answers 503 as long as there is nothing behind the door, but that the program is well.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch to := d.handler(); {
	case to != nil:
		to.ServeHTTP(w, r)
	case r.URL.Path == "/healthz":
		_, _ = io.WriteString(w, "waiting to be set up\n")
	default:
		http.Error(w, "agent-lessons is not set up yet: the log tells where to", http.StatusServiceUnavailable)
	}
}

func (d *door) loopback() bool { return look.IsLoopback(d.Addr().String()) }

// noListener is the address of a door that is not wanted.
const noListener = "none"

// listen opens the public door and, where they have an address, those of this machine and of metrics.
func (h *house) listen(ctx context.Context, public, private, metrics string) error {
	for _, d := range []struct {
		address string
		door    **door
	}{{public, &h.public}, {private, &h.private}, {metrics, &h.metrics}} {
		if d.address == "" || d.address == noListener {
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", d.address)
		if err != nil {
			return errors.Join(err, h.close())
		}
		*d.door = &door{Listener: l}
	}
	return nil
}

func (h *house) doors() []*door {
	var out []*door
	for _, d := range []*door{h.public, h.private, h.metrics} {
		if d != nil {
			out = append(out, d)
		}
	}
	return out
}

func (h *house) close() error {
	var errs []error
	for _, d := range h.doors() {
		errs = append(errs, d.Close())
	}
	return errors.Join(errs...)
}

// moveIn starts the App, and has the doors lead to it.
func (h *house) moveIn(ctx context.Context, s *server) error {
	running := context.WithoutCancel(ctx) // a stop drains; it does not cut jobs off
	if err := s.app.Start(running); err != nil {
		return errors.Join(err, h.close(), s.queue.Stop(running))
	}
	h.server.Store(s)
	if h.lives != nil {
		h.lives(ctx, s)
	}
	pages := web.New(web.Options{
		Lessons: s.app, Deliveries: s.queue, Sessions: s.queue.Sessions(), Credentials: s.credentials, Operators: h.operators, Log: h.log,
	})
	mux := http.NewServeMux()
	if h.metrics == nil {
		mux.Handle("GET /metrics", s.app.Metrics())
	} else {
		alone := http.NewServeMux()
		alone.Handle("GET /metrics", s.app.Metrics())
		h.metrics.lead(alone)
	}
	deliveries := s.app.Handler()
	if s.credentials.ClientID != "" && s.credentials.URL != "" {
		mux.Handle("/", pages.Handler(web.Door{Base: s.credentials.URL}))
		for _, path := range []string{githubapp.DefaultWebhookRoute, "/healthz", "/readyz"} {
			mux.Handle(path, deliveries)
		}
	} else {
		mux.Handle("/", deliveries)
	}
	h.public.lead(mux)
	if h.private != nil {
		h.private.lead(pages.Handler(web.Door{Loopback: h.private.loopback()}))
	}
	return nil
}

// serve serves until ctx ends; then it stops accepting, lets running jobs finish, and leaves the
// rest on disk.
func (h *house) serve(ctx context.Context) error {
	running := context.WithoutCancel(ctx)
	failed := make(chan error, len(h.doors()))
	var servers []*http.Server
	for _, d := range h.doors() {
		s := &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
		servers = append(servers, s)
		go func() { failed <- s.Serve(d) }()
	}
	h.log.Info().Str("address", h.public.Addr().String()).Msg("listening")
	for name, d := range map[string]*door{"metrics": h.metrics, "dashboard": h.private} {
		if d != nil {
			h.log.Info().Str("address", d.Addr().String()).Msg(name)
		}
	}
	stopQueue := func(ctx context.Context) error {
		if s := h.server.Load(); s != nil {
			return s.queue.Stop(ctx)
		}
		return nil
	}
	select {
	case err := <-failed:
		return errors.Join(err, stopQueue(running))
	case <-ctx.Done():
	}
	h.log.Info().Msg("stopping: no more deliveries, running jobs finish")
	drain, cancel := context.WithTimeout(running, drainTime)
	defer cancel()
	var errs []error
	for _, s := range servers {
		errs = append(errs, s.Shutdown(drain))
	}
	if err := errors.Join(append(errs, stopQueue(drain))...); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	h.log.Info().Msg("stopped")
	return nil
}
