package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/palantir/go-githubapp/githubapp"
)

// requestTimeout bounds one request to GitHub.
const requestTimeout = 30 * time.Second

// clients makes GitHub clients: one for the App itself, and one for each installation, kept
// since its token is good for an hour.
type clients struct {
	creator githubapp.ClientCreator

	mu             sync.Mutex
	byInstallation map[int64]*github.Client
}

func newClients(c Credentials, userAgent string, transport http.RoundTripper) *clients {
	if transport == nil {
		transport = http.DefaultTransport
	}
	return &clients{
		creator: githubapp.NewClientCreator(c.V3APIURL, c.V4APIURL, c.AppID, c.PrivateKey,
			githubapp.WithClientUserAgent(userAgent),
			githubapp.WithClientTimeout(requestTimeout),
			githubapp.WithTransport(sameMethod{transport}),
		),
		byInstallation: map[int64]*github.Client{},
	}
}

// installation returns the client that acts as the installation.
func (c *clients) installation(id int64) (*github.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client, ok := c.byInstallation[id]; ok {
		return client, nil
	}
	client, err := c.creator.NewInstallationClient(id)
	if err != nil {
		return nil, err
	}
	c.byInstallation[id] = client
	return client, nil
}

// forget drops an installation's client with its token.
func (c *clients) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byInstallation, id)
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
