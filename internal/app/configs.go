package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/go-github/v66/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/config"
)

// ownerConfigAge is how long the configuration in an owner's .github repository is believed
// without asking again: it serves many repositories and changes rarely.
const ownerConfigAge = 10 * time.Minute

// configs reads configuration files by conditional requests, which cost nothing of the rate
// limit while a file does not change.
type configs struct {
	now   func() time.Time
	cache *lru.Cache[string, configFile]
}

type configFile struct {
	etag    string
	content []byte
	found   bool
	asked   time.Time
}

func newConfigs(now func() time.Time) *configs {
	cache, _ := lru.New[string, configFile](4096) // errs for a size below 1 only
	return &configs{now: now, cache: cache}
}

// of returns the configuration of r: its own file on the default branch, else the file in its
// owner's .github repository, else the defaults (design decision 15). A mistake is logged, and
// the defaults stay in force.
func (c *configs) of(ctx context.Context, r repository) (config.Config, error) {
	content, found, err := c.read(ctx, r, 0)
	where := r.owner + "/" + r.name
	if err == nil && !found && r.name != ".github" {
		where = r.owner + "/.github"
		content, found, err = c.read(ctx, repository{client: r.client, owner: r.owner, name: ".github"}, ownerConfigAge)
	}
	if err != nil || !found {
		return config.Default(), err
	}
	cfg, err := config.Parse(where+"/"+config.Path, content)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the configuration has a mistake: the defaults are in force")
	}
	return cfg, nil
}

// read returns the configuration file of one repository; a cached answer younger than age is
// taken as it is.
func (c *configs) read(ctx context.Context, r repository, age time.Duration) (content []byte, found bool, err error) {
	key := r.owner + "/" + r.name
	known, ok := c.cache.Get(key)
	if ok && c.now().Sub(known.asked) < age {
		return known.content, known.found, nil
	}
	request, err := r.client.NewRequest(http.MethodGet,
		fmt.Sprintf("repos/%s/%s/contents/%s", url.PathEscape(r.owner), url.PathEscape(r.name), config.Path), nil)
	if err != nil {
		return nil, false, err
	}
	if known.etag != "" {
		request.Header.Set("If-None-Match", known.etag)
	}
	var file github.RepositoryContent
	response, err := r.client.Do(ctx, request, &file)
	switch {
	case response != nil && response.StatusCode == http.StatusNotModified:
		known.asked = c.now()
	case response != nil && response.StatusCode == http.StatusNotFound:
		known = configFile{asked: c.now()}
	case err != nil:
		return nil, false, err
	default:
		text, err := file.GetContent()
		if err != nil {
			return nil, false, err
		}
		known = configFile{etag: response.Header.Get("ETag"), content: []byte(text), found: true, asked: c.now()}
	}
	c.cache.Add(key, known)
	return known.content, known.found, nil
}
