package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/gittree"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

type trendCmd struct {
	Since   string   `placeholder:"YYYY-MM-DD" help:"Leave out what was committed before this day in UTC."`
	JSON    bool     `name:"json" xor:"format" help:"Print the weeks as JSON."`
	CSV     bool     `name:"csv" xor:"format" help:"Print a line for each store and week."`
	HTML    bool     `name:"html" xor:"format" help:"Print one self-contained page."`
	Mermaid bool     `xor:"format" help:"Print the chart of the Action's comment."`
	APIURL  string   `name:"api-url" default:"https://api.github.com" env:"GITHUB_API_URL" placeholder:"URL" help:"GitHub's REST API, for owner/name; an Enterprise Server's is https://HOST/api/v3."`
	Repos   []string `arg:"" optional:"" name:"repo" help:"Checkouts, or owner/name on GitHub (with the token in GITHUB_TOKEN, if any); the checkout of the working folder by default."`
}

// Run reads from the commits how stores develop.
func (c *trendCmd) Run(p *program) error {
	var since time.Time
	if c.Since != "" {
		var err error
		if since, err = time.Parse(time.DateOnly, c.Since); err != nil {
			return usageError{fmt.Errorf("--since: date %q is not YYYY-MM-DD", c.Since)}
		}
	}
	if len(c.Repos) == 0 {
		root, err := checkout()
		if err != nil {
			return err
		}
		c.Repos = []string{root}
	}
	all := []trend.Series{}
	for _, name := range c.Repos {
		h, err := c.history(p, name)
		if err != nil {
			return err
		}
		s, err := h.series(since)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, s)
	}
	return c.print(p, all)
}

func (c *trendCmd) print(p *program, all []trend.Series) error {
	var err error
	switch {
	case c.JSON:
		return p.printJSON(all)
	case c.HTML:
		return trend.HTML(p.out, all)
	case c.CSV:
		_, err = io.WriteString(p.out, trend.CSV(all))
	case c.Mermaid:
		for _, s := range all {
			_, err = fmt.Fprintf(p.out, "%s\n\n%s\n", report.Code(s.Store), trend.Mermaid(trend.Learned(s.Weeks, mermaidWeeks)))
		}
	default:
		_, err = io.WriteString(p.out, trend.Text(all))
	}
	return err
}

// mermaidWeeks is how many weeks the chart shows, as in the Action's comment.
const mermaidWeeks = 12

// history is where a store's past is read.
type history struct {
	name    string
	cfg     config.Config
	commits func(since time.Time) ([]ledger.Commit, error)
	version trend.Versions
}

func (h history) series(since time.Time) (trend.Series, error) {
	s := trend.Series{Store: h.name, Path: h.cfg.Path, Rule: h.cfg.Rule()}
	commits, err := h.commits(since)
	if err != nil {
		return s, err
	}
	rows, err := trend.Rows(commits, h.version)
	if err != nil {
		return s, err
	}
	s.Weeks = trend.Weeks(rows)
	return s, s.Measure(h.version)
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[\w.-]+$`)

// history finds a checkout by its folder, and everything else on GitHub.
func (c *trendCmd) history(p *program, name string) (history, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		root, err := checkoutOf(name)
		if err != nil {
			return history{}, err
		}
		cfg := configOf(p, root)
		tree := gittree.Checkout{Dir: root}
		return history{
			name: name, cfg: cfg,
			commits: func(since time.Time) ([]ledger.Commit, error) {
				commits, err := tree.Commits(p.ctx, cfg.Path)
				return slices.DeleteFunc(commits, func(c ledger.Commit) bool { return c.At.Before(since) }), err
			},
			version: func(sha string) ([]byte, error) { return tree.Version(p.ctx, sha, cfg.Path) },
		}, nil
	}
	if !repositoryName.MatchString(name) {
		return history{}, usageError{fmt.Errorf("%q is neither a folder nor owner/name", name)}
	}
	return c.remote(p, name)
}

// requestTimeout bounds one request to GitHub.
const requestTimeout = 30 * time.Second

func (c *trendCmd) remote(p *program, name string) (history, error) {
	api, err := url.Parse(strings.TrimSuffix(c.APIURL, "/") + "/")
	if err != nil || api.Host == "" {
		return history{}, usageError{fmt.Errorf("--api-url: %q is no URL", c.APIURL)}
	}
	client := github.NewClient(&http.Client{Timeout: requestTimeout})
	if token := os.Getenv("GITHUB_TOKEN"); token != "" {
		client = client.WithAuthToken(token)
	}
	client.BaseURL = api
	owner, repo, _ := strings.Cut(name, "/")
	found, _, err := client.Repositories.Get(p.ctx, owner, repo)
	if err != nil {
		return history{}, fmt.Errorf("%s: %w: a private repository needs a token in GITHUB_TOKEN", name, err)
	}
	cfg, mistake, err := review.NewConfigs(func() time.Time { return p.today }).Of(p.ctx, review.Repository{Client: client, Owner: owner, Name: repo})
	if err != nil {
		return history{}, fmt.Errorf("%s: %w", name, err)
	}
	if mistake != nil {
		fmt.Fprintf(p.err, "agent-lessons: warning: %s; the defaults are in force\n", mistake)
	}
	tree := gittree.GitHub{Client: client, Owner: owner, Repo: repo, Branch: cmp.Or(cfg.Branch, found.GetDefaultBranch())}
	return history{
		name: name, cfg: cfg,
		commits: func(since time.Time) ([]ledger.Commit, error) { return tree.Commits(p.ctx, cfg.Path, since) },
		version: func(sha string) ([]byte, error) { return tree.Version(p.ctx, sha, cfg.Path) },
	}, nil
}
