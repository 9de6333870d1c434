// Package web is the dashboard: what the App learned, why, what it did not learn and why not, for
// the people who may read the repositories. Pages are rendered here and work without script.
package web

import (
	"cmp"
	"context"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/look"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

// lessons is what pages ask of the App.
type lessons interface {
	Places(ctx context.Context) ([]queue.Place, error)
	Shelf(ctx context.Context, at queue.Place) (app.Shelf, error)
	Trend(ctx context.Context, at queue.Place, s app.Shelf) (trend.Series, error)
	MayWrite(ctx context.Context, at queue.Place, login string) (bool, error)
	Obey(ctx context.Context, at queue.Place, order func(memory.Memory, memory.History) (memory.Obeyed, error)) (memory.Obeyed, error)
}

// deliveries is what they ask of the queue.
type deliveries interface {
	Delivery(ctx context.Context, guid string) (queue.Delivery, bool, error)
	Deliveries(ctx context.Context, filter queue.Filter, limit int) ([]queue.Delivery, error)
	Tallies(ctx context.Context, ids []int64) (map[int64]queue.Tally, error)
	Retry(ctx context.Context, guid string) error
}

// sessions keeps who is signed in.
type sessions interface {
	Put(ctx context.Context, id string, content []byte, expires time.Time) error
	Get(ctx context.Context, id string) (content []byte, ok bool, err error)
	Delete(ctx context.Context, id string) error
}

// Options are what a dashboard is made of.
type Options struct {
	Lessons     lessons
	Deliveries  deliveries
	Sessions    sessions
	Credentials app.Credentials // its ClientID: whether people can sign in
	Operators   []string        // logins of those who see the work of all repositories
	Log         zerolog.Logger
	Now         func() time.Time // nil: time.Now
	// Transport is under the requests in a person's name; nil: http.DefaultTransport.
	Transport http.RoundTripper
}

// Site is the dashboard.
type Site struct {
	Options
	vault vault
	seen  *lru.Cache[string, sight] // what viewers may see, for minutes
}

// maxSights bounds the viewers whose repositories are remembered.
const maxSights = 1000

// New makes a dashboard.
func New(o Options) *Site {
	if o.Now == nil {
		o.Now = time.Now
	}
	seen, _ := lru.New[string, sight](maxSights) // its error is about the size
	return &Site{Options: o, vault: newVault(o.Credentials.ClientSecret), seen: seen}
}

// Door is an address at which the dashboard is served.
type Door struct {
	// Base is the address that people know it by; "" is what their browsers ask for.
	Base string
	// Loopback says that only this machine can ask.
	Loopback bool
}

// Handler serves the dashboard at a door. Where people can sign in they have to; where they
// cannot, only this machine's own door shows anything, and shows it all.
func (s *Site) Handler(door Door) http.Handler {
	d := &desk{Site: s, door: door}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/", look.Assets)
	mux.HandleFunc("GET /welcome", d.welcome)
	mux.HandleFunc("GET /login", d.signIn)
	mux.HandleFunc("GET /login/callback", d.callback)
	mux.HandleFunc("POST /logout", d.signOut)
	mux.HandleFunc("GET /installed", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusSeeOther) })
	for pattern, page := range map[string]func(*visit) error{
		"GET /{$}":                               d.repositories,
		"GET /r/{owner}/{name}":                  d.lessons,
		"GET /r/{owner}/{name}/lesson/{handle}":  d.lesson,
		"POST /r/{owner}/{name}/lesson/{handle}": d.act,
		"GET /r/{owner}/{name}/pairs":            d.pairs,
		"GET /r/{owner}/{name}/trend":            d.trend,
		"GET /r/{owner}/{name}/deliveries":       d.deliveriesOf,
		"GET /deliveries":                        d.allDeliveries,
		"GET /deliveries/{delivery}":             d.delivery,
		"POST /deliveries/{delivery}":            d.retry,
		"GET /jobs":                              d.jobs,
		"GET /":                                  func(*visit) error { return errNotFound },
	} {
		mux.HandleFunc(pattern, d.visited(page))
	}
	kept := look.Kept(mux, nil)
	switch {
	case door.Loopback:
		return look.OnlyHosts(kept, look.IsLoopback)
	case door.Base != "":
		return look.OnlyHosts(kept, func(host string) bool { return host == hostOf(door.Base) })
	}
	return kept
}

// desk answers at one door.
type desk struct {
	*Site
	door Door
}

// base is the address of the door as the browser knows it.
func (d *desk) base(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return cmp.Or(d.door.Base, scheme+"://"+r.Host)
}
