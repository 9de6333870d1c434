package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/agent-corp/agent-lessons/internal/config"
)

// ownerConfigAge is how long the configuration in an owner's .github repository is believed
// without asking again: it serves many repositories and changes rarely.
const ownerConfigAge = 10 * time.Minute

// Configs reads configuration files by conditional requests, which cost nothing of the rate
// limit while a file does not change.
type Configs struct {
	now   func() time.Time
	cache *lru.Cache[string, configFile]
}

type configFile struct {
	etag    string
	content []byte
	problem string // why the file cannot be read as a configuration
	found   bool
	asked   time.Time
}

// NewConfigs returns an empty cache that goes by the clock now.
func NewConfigs(now func() time.Time) *Configs {
	cache, _ := lru.New[string, configFile](4096) // errs for a size below 1 only
	return &Configs{now: now, cache: cache}
}

// commentConfigAge is how long a configuration is believed when it decides whether comment-only
// reviews are looked at. Every inline comment makes one, and nearly all of them teach nothing.
const commentConfigAge = 10 * time.Minute

// IgnoresComments reports whether the configuration, as it was read in the last ten minutes,
// has no use for a comment-only review of login. It asks nobody: what it does not know, it does
// not ignore.
func (c *Configs) IgnoresComments(fullName, login string, bot bool) bool {
	owner, _, _ := strings.Cut(fullName, "/")
	for _, name := range []string{fullName, owner + "/.github"} {
		known, ok := c.cache.Get(name)
		if !ok || c.now().Sub(known.asked) >= commentConfigAge {
			return false
		}
		if known.problem != "" {
			return true // the defaults are in force
		}
		if known.found {
			cfg, _ := config.Parse(name, known.content)
			return (!bot || !cfg.NamesBot(login)) && (bot || !cfg.Reviewers.Comments)
		}
	}
	return true
}

// PathOf returns where a repository's lessons file is, as far as its configuration is remembered;
// it asks nobody.
func (c *Configs) PathOf(fullName string) string {
	owner, _, _ := strings.Cut(fullName, "/")
	for _, name := range []string{fullName, owner + "/.github"} {
		if known, ok := c.cache.Get(name); ok && known.found {
			cfg, _ := config.Parse(name, known.content)
			return cfg.Path
		}
	}
	return config.DefaultStore
}

// Of returns the configuration of r: its own file on the default branch, else the file in its
// owner's .github repository, else the defaults (design decision 15). A mistake in the file is
// returned beside the defaults, which stay in force.
func (c *Configs) Of(ctx context.Context, r Repository) (cfg config.Config, mistake, err error) {
	file, err := c.read(ctx, r, 0)
	where := r.FullName()
	if err == nil && !file.found && r.Name != ".github" {
		where = r.Owner + "/.github"
		file, err = c.read(ctx, Repository{Client: r.Client, Owner: r.Owner, Name: ".github"}, ownerConfigAge)
	}
	if err != nil || !file.found {
		return config.Default(), nil, err
	}
	if file.problem != "" {
		return config.Default(), fmt.Errorf("%s/%s: %s", where, config.Path, file.problem), nil
	}
	cfg, mistake = config.Parse(where+"/"+config.Path, file.content)
	return cfg, mistake, nil
}

// read returns the configuration file of one repository; a cached answer younger than age is
// taken as it is.
func (c *Configs) read(ctx context.Context, r Repository, age time.Duration) (configFile, error) {
	key := r.FullName()
	known, ok := c.cache.Get(key)
	if ok && c.now().Sub(known.asked) < age {
		return known, nil
	}
	request, err := r.Client.NewRequest(http.MethodGet,
		fmt.Sprintf("repos/%s/%s/contents/%s", url.PathEscape(r.Owner), url.PathEscape(r.Name), config.Path), nil)
	if err != nil {
		return configFile{}, err
	}
	if known.etag != "" {
		request.Header.Set("If-None-Match", known.etag)
	}
	var body json.RawMessage
	response, err := r.Client.Do(ctx, request, &body)
	switch {
	case response != nil && response.StatusCode == http.StatusNotModified:
		known.asked = c.now()
	case response != nil && response.StatusCode == http.StatusNotFound:
		known = configFile{asked: c.now()}
	case err != nil:
		return configFile{}, err
	default:
		known = configFile{etag: response.Header.Get("ETag"), found: true, asked: c.now()}
		known.content, known.problem = configContent(body)
	}
	c.cache.Add(key, known)
	return known, nil
}

// configContent reads the contents API's answer. What is no readable file is a mistake of the
// repository's, not a failure: the defaults stay in force.
func configContent(body json.RawMessage) (content []byte, problem string) {
	var file github.RepositoryContent
	switch err := json.Unmarshal(body, &file); {
	case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
		return nil, "it is a directory; a configuration is a file"
	case err != nil:
		return nil, "GitHub's answer cannot be read: " + err.Error()
	case file.GetType() != "file":
		return nil, "it is a " + file.GetType() + "; a configuration is a file"
	}
	text, err := file.GetContent()
	if err != nil {
		return nil, fmt.Sprintf("it cannot be read (%d bytes): a configuration is a short file", file.GetSize())
	}
	return []byte(text), ""
}
