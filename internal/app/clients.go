package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/gregjones/httpcache"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/palantir/go-githubapp/githubapp"
)

// requestTimeout bounds one request to GitHub, the wait for its turn included.
const requestTimeout = 30 * time.Second

// clients makes GitHub clients: one for the App itself, and for each installation one that works and
// one that lists. Lists are read conditionally: an answer that says "unchanged" is free.
type clients struct {
	creator     githubapp.ClientCreator
	work, lists *perInstallation
}

// perInstallation keeps a client for each installation, since its token is good for an hour.
type perInstallation struct {
	creator func(installation int64) githubapp.ClientCreator
	mu      sync.Mutex
	clients map[int64]*github.Client
}

func newPerInstallation(creator func(int64) githubapp.ClientCreator) *perInstallation {
	return &perInstallation{creator: creator, clients: map[int64]*github.Client{}}
}

// of returns the client that acts as the installation.
func (p *perInstallation) of(id int64) (*github.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if client, ok := p.clients[id]; ok {
		return client, nil
	}
	client, err := p.creator(id).NewInstallationClient(id)
	if err != nil {
		return nil, err
	}
	p.clients[id] = client
	return client, nil
}

// forget drops the client with its token.
func (p *perInstallation) forget(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.clients, id)
}

// maxLists bounds the answers that are remembered for conditional reads, of some 100 KB each.
const maxLists = 500

func newClients(c Credentials, userAgent string, transport http.RoundTripper, pace githubapp.ClientMiddleware, timeout time.Duration, m *metrics) *clients {
	if transport == nil {
		transport = http.DefaultTransport
	}
	creator := func(more ...githubapp.ClientOption) githubapp.ClientCreator {
		return githubapp.NewClientCreator(c.V3APIURL, c.V4APIURL, c.AppID, c.PrivateKey, append(more,
			githubapp.WithClientUserAgent(userAgent),
			githubapp.WithClientTimeout(timeout),
			githubapp.WithTransport(sameMethod{newCounting(transport, m, c.V3APIURL)}))...)
	}
	remembered, _ := lru.New[string, []byte](maxLists) // its error is about the size
	return &clients{
		creator: creator(githubapp.WithClientMiddleware(pace)),
		work: newPerInstallation(func(id int64) githubapp.ClientCreator {
			return creator(githubapp.WithClientMiddleware(pace, m.noting(id)))
		}),
		lists: newPerInstallation(func(id int64) githubapp.ClientCreator {
			return creator(githubapp.WithClientMiddleware(m.noting(id)),
				githubapp.WithClientCaching(true, func() httpcache.Cache { return answersCache{remembered} }))
		}),
	}
}

// answersCache makes a bounded cache what go-githubapp wants.
type answersCache struct{ *lru.Cache[string, []byte] }

// Set remembers an answer.
func (c answersCache) Set(key string, answer []byte) { c.Add(key, answer) }

// Delete forgets one.
func (c answersCache) Delete(key string) { c.Remove(key) }

// installation returns the client that acts as the installation.
func (c *clients) installation(id int64) (*github.Client, error) { return c.work.of(id) }

// forget drops an installation's clients with their tokens.
func (c *clients) forget(id int64) {
	c.work.forget(id)
	c.lists.forget(id)
}

// app returns the client that acts as the App itself.
func (c *clients) app() (*github.Client, error) { return c.creator.NewAppClient() }

// self asks GitHub which App the key belongs to.
func (c *clients) self(ctx context.Context) (*github.App, error) {
	client, err := c.app()
	if err != nil {
		return nil, err
	}
	app, _, err := client.Apps.Get(ctx, "")
	return app, err
}

// installations lists all installations of the App, suspended ones too.
func (c *clients) installations(ctx context.Context) ([]*github.Installation, error) {
	client, err := c.app()
	if err != nil {
		return nil, err
	}
	var out []*github.Installation
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := client.Apps.ListInstallations(ctx, page)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if response.NextPage == 0 {
			return out, nil
		}
		page.Page = response.NextPage
	}
}
