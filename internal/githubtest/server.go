// Package githubtest is a stand-in for GitHub: its REST API as far as this
// product uses it, the authentication of GitHub Apps, webhooks, and the faults
// that the real one shows. Tests and the demo command run against it.
//
// It keeps real git objects, so every blob, tree and commit has the id that git
// itself would give it. What it answers is held against GitHub's own OpenAPI
// description by package contract; texts of errors that the description does
// not give are those that GitHub was seen to send.
//
//	gh := githubtest.New(githubtest.Options{AppID: 7, PublicKey: &key.PublicKey})
//	srv := httptest.NewServer(gh)
//	gh.AddInstallation(1, "acme")
//	repo := gh.AddRepository(1, "acme/api", map[string]string{"README.md": "hello\n"})
package githubtest

import (
	"crypto/rsa"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say which GitHub is stood in for. The zero value is a GitHub at the
// root path, with the machine's clock and an App that nobody can sign for.
type Options struct {
	// BasePath goes before every route: "/api/v3" makes it an Enterprise Server.
	BasePath string
	// Now dates what happens: commits, reviews, comments; time.Now if nil.
	Now func() time.Time
	// AuthNow is what credentials and rate limits are measured by; time.Now if
	// nil, as the clients that sign and renew them go by the machine's clock
	// even where a story is told weeks ahead.
	AuthNow func() time.Time
	// AppID and AppSlug name the App; 1 and "agent-lessons" if zero.
	AppID   int64
	AppSlug string
	// RateLimit is how many requests an hour an installation has; 15,000, an
	// Enterprise Cloud organisation's, if zero. Tests that ask more raise it: at
	// the end go-github does not even send its requests.
	RateLimit int
	// PublicKey checks the App's JSON web tokens; without it none is valid.
	PublicKey *rsa.PublicKey
}

// Server is the stand-in. It is an http.Handler, and all its methods may be
// called while it serves.
type Server struct {
	opts Options

	mu            sync.Mutex // guards all that follows, and all that hangs on it
	api, web      string     // absolute addresses, learnt from the last request
	lastID        int64
	users         map[string]*user
	installations map[int64]*installation
	tokens        map[string]*token
	repositories  map[int64]*Repository
	renamed       map[string]int64 // lower-case former full name → repository
	faults        []*Fault
	requests      []Request
	observers     []func(Exchange)
	hook          hook
	deliveries    []*Delivery // oldest first
	deliveryWatch []func(Delivery)

	site         http.Handler          // GitHub's pages
	conversions  map[string]conversion // by code
	grants       map[string]grant      // by code
	clientSecret string                // of the App's sign-in; "" while it has none
	callbacks    []string              // where sign-in may lead back to
	setupURL     string                // where an installation leads; "" for nowhere
}

// New returns a stand-in without installations or repositories.
func New(opts Options) *Server {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.AuthNow == nil {
		opts.AuthNow = time.Now
	}
	if opts.AppID == 0 {
		opts.AppID = 1
	}
	if opts.AppSlug == "" {
		opts.AppSlug = "agent-lessons"
	}
	if opts.RateLimit == 0 {
		opts.RateLimit = 15000
	}
	opts.BasePath = strings.TrimRight(opts.BasePath, "/")
	s := &Server{
		opts:          opts,
		lastID:        1000,
		users:         map[string]*user{},
		installations: map[int64]*installation{},
		tokens:        map[string]*token{},
		repositories:  map[int64]*Repository{},
		renamed:       map[string]int64{},
		conversions:   map[string]conversion{},
		grants:        map[string]grant{},
	}
	s.site = s.sitePages()
	s.setAddress("api.github.test")
	return s
}

// maxBody is more than any request of this product: 40 MiB is the largest blob.
const maxBody = 64 << 20

// ServeHTTP answers as GitHub would.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if isSitePage(r.URL.Path) {
		s.site.ServeHTTP(w, r)
		return
	}
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), s.opts.BasePath)
	if !ok || !strings.HasPrefix(path, "/") {
		http.NotFound(w, r)
		return
	}
	inner := r.Clone(r.Context())
	s.mu.Lock()
	s.setAddress(r.Host)
	path = s.byName(path)
	s.mu.Unlock()
	setPath(inner.URL, path)
	s.serve(w, inner)
}

// serve takes one request through faults, authentication, the route's handler,
// the conditional answer and the log.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client went away
	}
	rt, params := findRoute(r)
	for name, value := range params {
		r.SetPathValue(name, value)
	}
	ex := Exchange{Request: r, Route: rt.name(), Params: params, RequestBody: body}

	fault := s.takeFault(ex.Route, r)
	var rep reply
	if fault != nil && fault.Do != nil {
		fault.Do(r)
	}
	if fault != nil && fault.answers() && !fault.After {
		rep, ex.Fault = fault.reply(), true
	} else {
		rep = s.handle(&call{s: s, Request: r, body: body}, rt, &ex)
		if fault != nil && fault.answers() {
			ex.Fault = true
			if fault.Answer != nil {
				rep = fault.reply()
			}
		}
	}
	ex.Status, ex.Header, ex.Body = rep.status, rep.header, rep.bytes
	s.record(ex)
	write(w, rep, fault)
}

// handle answers as the caller that the credentials name.
func (s *Server) handle(c *call, rt route, ex *Exchange) reply {
	rep := s.locked(c, rt)
	ex.App = c.app
	if c.token != nil && c.token.installation != nil {
		ex.Installation = c.token.installation.id
	}
	if rep.unlocked != nil { // work that calls out, and so must not hold the lock
		rep.unlocked()
	}
	return rep
}

func (s *Server) locked(c *call, rt route) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep := s.admit(c, rt)
	if rep.status == 0 {
		rep = rt.handle(c)
	}
	rep = rep.encode().conditional(c.Request)
	s.meter(c, rt, &rep)
	return rep
}

// write sends the reply, cut short or not at all where a fault says so.
func write(w http.ResponseWriter, rep reply, fault *Fault) {
	if fault != nil && fault.Reset {
		panic(http.ErrAbortHandler) // net/http closes the connection
	}
	for k, v := range rep.header {
		w.Header()[k] = v
	}
	if len(rep.bytes) > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.bytes)))
	}
	w.WriteHeader(rep.status)
	if fault != nil && fault.Truncate {
		_, _ = w.Write(rep.bytes[:len(rep.bytes)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(rep.bytes)
}

// nextID returns an id that nothing else of this stand-in has.
func (s *Server) nextID() int64 {
	s.lastID++
	return s.lastID
}

// now is the stand-in's time, to the second as GitHub's dates are.
func (s *Server) now() time.Time { return s.opts.Now().UTC().Truncate(time.Second) }

func (s *Server) setAddress(host string) {
	s.web = "http://" + host
	s.api = s.web + s.opts.BasePath
}
