package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/look"
)

// Options are what a first run is made of.
type Options struct {
	Data     string    // folder that credentials are stored in
	Print    io.Writer // takes the credentials instead, as environment; nil: they are stored
	URL      string    // where GitHub reaches this server, as far as it is known
	GitHub   string    // the GitHub's web address; "" is github.com
	Loopback bool      // only this machine can ask; else a token from the log is demanded
	// Live has the App go live with its credentials.
	Live func(context.Context, app.Settings) error
	Log  zerolog.Logger
	Now  func() time.Time
}

// Setup is a first run. It serves its page below /setup until an App is registered, and only shows
// what became of that afterwards.
type Setup struct {
	o     Options
	token string // opens the page once, "" where none is demanded

	mu         sync.Mutex
	browser    string // the cookie of the browser that the token let in
	choice     choice
	chosen     bool
	state      string // of the registration under way: good for one return
	stateUntil time.Time
	problem    string // what went wrong last, for the person
	registered time.Time
	origin     string // of this page, as the browser knows it
	app        stored // without its secrets
	unsaved    string // why the credentials are not on disk
	delivery   string // the first delivery's event
}

// New begins a first run.
func New(o Options) (*Setup, error) {
	s := &Setup{o: o, choice: choice{URL: o.URL, GitHub: cmp.Or(o.GitHub, publicGitHub)}}
	s.chosen = o.URL != "" && s.choice.check() == nil
	if !o.Loopback {
		s.token = rand.Text()
	}
	if o.Print == nil {
		if err := writable(o.Data); err != nil {
			return nil, fmt.Errorf("the App's credentials could not be stored: %w: name a data folder that this user may write to, or have them printed by --print-credentials", err)
		}
	}
	return s, nil
}

// Address is where a person begins, given the host that serves the page. Its token opens the page
// once.
func (s *Setup) Address(host string) string {
	u := url.URL{Scheme: "http", Host: host, Path: "/setup"}
	if s.token != "" {
		u.RawQuery = "token=" + s.token
	}
	return u.String()
}

// Handler serves the page.
func (s *Setup) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/", look.Assets)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/setup", http.StatusSeeOther) })
	mux.HandleFunc("GET /setup", s.admitted(s.show))
	mux.HandleFunc("POST /setup", s.admitted(s.choose))
	mux.HandleFunc("GET /setup/created", s.admitted(s.created))
	mux.HandleFunc("GET /setup/stage", s.admitted(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s.stage()) }))
	kept := look.Kept(mux, func() []string {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.chosen { // what was not checked becomes part of no header
			return nil
		}
		return []string{s.choice.origin()}
	})
	if !s.o.Loopback {
		return kept
	}
	return look.OnlyHosts(kept, look.IsLoopback)
}

const browserCookie = "setup"

// admitted lets in the browser that came with the token.
func (s *Setup) admitted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if browser, fresh := s.admit(r.URL.Query().Get("token")); fresh {
			http.SetCookie(w, &http.Cookie{Name: browserCookie, Value: browser, Path: "/setup", HttpOnly: true, Secure: isHTTPS(r), SameSite: http.SameSiteLaxMode})
			http.Redirect(w, r, "/setup", http.StatusSeeOther)
			return
		}
		if s.token != "" && !s.knows(r) {
			http.Error(w, "Open this page by the address in the log of agent-lessons-app: it holds a token that is good once. Restart the program for another.", http.StatusForbidden)
			return
		}
		next(w, r)
	}
}

// admit exchanges the token for a browser's cookie, once.
func (s *Setup) admit(token string) (browser string, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == "" || s.browser != "" || !same(token, s.token) {
		return "", false
	}
	s.browser = rand.Text()
	return s.browser, true
}

// knows reports whether the request comes from the browser that was let in.
func (s *Setup) knows(r *http.Request) bool {
	cookie, err := r.Cookie(browserCookie)
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && s.browser != "" && same(cookie.Value, s.browser)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func isHTTPS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// private is this page's own origin, as the browser knows it.
func private(r *http.Request) string {
	if isHTTPS(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// choose takes where the App is to live.
func (s *Setup) choose(w http.ResponseWriter, r *http.Request) {
	c := choice{URL: r.PostFormValue("url"), Account: r.PostFormValue("account"), GitHub: r.PostFormValue("github")}
	err := c.check()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.registered.IsZero() {
		s.choice, s.chosen, s.problem = c, err == nil, ""
		if err != nil {
			s.problem = err.Error()
		}
	}
	http.Redirect(w, r, "/setup", http.StatusSeeOther)
}

// stateAge bounds how long a registration may take; GitHub's code is good for an hour.
const stateAge = time.Hour

var codePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// created is where GitHub leads with the code of a new App.
func (s *Setup) created(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock() // two returns at once: one waits, and is of no use any more
	good := s.registered.IsZero() && s.state != "" && s.o.Now().Before(s.stateUntil) && same(q.Get("state"), s.state)
	switch {
	case !s.registered.IsZero():
	case !good || !codePattern.MatchString(q.Get("code")):
		s.problem = "GitHub's answer does not belong to the registration that was begun here, or that was too long ago. Begin again."
	default:
		s.state, s.problem, s.origin = "", "", private(r)
		if err := s.register(r.Context(), q.Get("code")); err != nil {
			s.o.Log.Error().Err(err).Msg("setup")
			s.problem = err.Error()
		}
	}
	http.Redirect(w, r, "/setup", http.StatusSeeOther)
}

// register exchanges the code, stores what it brings, and goes live.
func (s *Setup) register(ctx context.Context, code string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second) // a code is good once: see it through
	defer cancel()
	settings := s.choice.settings()
	addresses, err := settings.Addresses()
	if err != nil {
		return err
	}
	client := github.NewClient(&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }})
	if client.BaseURL, err = url.Parse(addresses.V3APIURL); err != nil {
		return err
	}
	made, _, err := client.Apps.CompleteAppManifest(ctx, code)
	if err != nil {
		return fmt.Errorf("GitHub did not hand out the App's credentials (%w). If the App is there, delete it on GitHub, and begin again", withoutCode(err))
	}
	creds := stored{
		AppID: strconv.FormatInt(made.GetID(), 10), Slug: made.GetSlug(), PrivateKey: made.GetPEM(), WebhookSecret: made.GetWebhookSecret(),
		ClientID: made.GetClientID(), ClientSecret: made.GetClientSecret(), WebURL: settings.WebURL, URL: settings.URL,
	}
	if s.o.Print != nil {
		err = creds.print(s.o.Print)
	} else {
		err = creds.save(s.o.Data)
	}
	if err != nil {
		s.unsaved = err.Error()
	}
	s.registered, s.app = s.o.Now(), stored{AppID: creds.AppID, Slug: creds.Slug}
	s.o.Log.Info().Str("app", creds.Slug).Msg("registered")
	settings.AppID, settings.PrivateKey, settings.WebhookSecrets = creds.AppID, creds.PrivateKey, []string{creds.WebhookSecret}
	settings.ClientID, settings.ClientSecret = creds.ClientID, creds.ClientSecret
	if err := s.o.Live(ctx, settings); err != nil {
		return fmt.Errorf("the App is registered, and does not run: %w", err)
	}
	return nil
}

// withoutCode drops the address from a client's error: it holds the code.
func withoutCode(err error) error {
	var answer *github.ErrorResponse
	var address *url.Error
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		return fmt.Errorf("%d %s", answer.Response.StatusCode, answer.Message)
	case errors.As(err, &address):
		return address.Err
	}
	return err
}
