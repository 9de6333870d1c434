package setup

import (
	"crypto/rand"
	_ "embed"
	"net/http"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/look"
	"github.com/agent-corp/agent-lessons/internal/needs"
)

//go:embed page.html.tmpl
var pageText string

var page = look.Templates(pageText, nil)

// view is what the page shows.
type view struct {
	Problem, Unsaved string
	Choice           choice
	Chosen           bool
	Permissions      []needs.Need
	Events           []needs.Need
	Register         string // where the manifest goes
	Manifest         string
	Registered       bool
	Slug, Install    string
	Printed          bool
	Delivery         string
	Stage            string
}

// stage is one word for how far the first run is, for the script that waits for the next.
func (s *Setup) stage() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stageNow()
}

func (s *Setup) stageNow() string {
	switch {
	case s.registered.IsZero():
		return "choose"
	case s.delivery == "":
		return "registered"
	}
	return "delivered " + s.delivery
}

func (s *Setup) show(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	v := view{
		Problem: s.problem, Unsaved: s.unsaved, Choice: s.choice, Chosen: s.chosen, Permissions: needs.Permissions, Events: needs.Events,
		Registered: !s.registered.IsZero(), Slug: s.app.Slug, Printed: s.o.Print != nil, Delivery: s.delivery, Stage: s.stageNow(),
	}
	v.Install = s.choice.GitHub + "/apps/" + v.Slug + "/installations/new"
	var err error
	if s.chosen && !v.Registered {
		if s.state == "" || !s.o.Now().Before(s.stateUntil) { // else a second tab would end what the first began
			s.state, s.stateUntil = rand.Text(), s.o.Now().Add(stateAge)
		}
		v.Register = s.choice.register(s.state)
		// GitHub's names are unique among all Apps; the person may change it there.
		v.Manifest, err = s.choice.manifest("agent-lessons-"+strings.ToLower(rand.Text()[:6]), private(r))
	}
	s.mu.Unlock()
	if err == nil {
		err = look.Write(w, http.StatusOK, page, look.Frame{Title: "Set up", Script: "wait.js", Content: v})
	}
	if err != nil {
		s.o.Log.Error().Err(err).Msg("setup")
	}
}

// watch returns the webhook handler that tells the page of the first delivery: what it answers
// 2xx was signed by GitHub.
func (s *Setup) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &status{ResponseWriter: w}
		next.ServeHTTP(seen, r)
		if seen.code == 0 || seen.code < http.StatusMultipleChoices {
			s.mu.Lock()
			defer s.mu.Unlock()
			// A ping only says that the hook is right; of an installation the person wants to know.
			if event := r.Header.Get("X-GitHub-Event"); s.delivery == "" || s.delivery == "ping" {
				s.delivery = event
			}
		}
	})
}

type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// Beside returns what answers GitHub and people once the App lives: next, which is watched for the
// first delivery. During the first hour the person who comes from installing the App is led back to
// this page.
func (s *Setup) Beside(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	mux.Handle("POST /api/github/hook", s.watch(next))
	mux.HandleFunc("GET /installed", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		to, late := s.origin+"/setup", s.o.Now().Sub(s.registered) > time.Hour
		s.mu.Unlock()
		if late {
			to = "/"
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
	})
	return mux
}

// Before returns what this machine is shown once the App lives: the page, which shows what became of
// the registration, and next.
func (s *Setup) Before(next http.Handler) http.Handler {
	mux, page := http.NewServeMux(), s.Handler()
	mux.Handle("/", next)
	mux.Handle("/setup", page)
	mux.Handle("/setup/", page)
	return mux
}
