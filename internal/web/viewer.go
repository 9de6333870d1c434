package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

// viewer is who looks: a person who signed in, or this machine's operator, who has no login.
type viewer struct {
	Login    string
	ID       int64
	token    string // the person's, for asking GitHub in their name
	operator bool   // may see the work of all repositories
	key      string // of what is remembered of them
}

func (w viewer) known() bool { return w.Login != "" || w.operator }

// repo is a repository as the viewer may see it.
type repo struct {
	queue.Place
	Push bool // the person may write, as GitHub said minutes ago
}

// sight is what a viewer may see.
type sight struct {
	byName map[string]repo // by lower-case full name
	byID   map[int64]repo
	asked  time.Time
}

// sightAge is how long an answer of what a viewer may see is believed.
const sightAge = 2 * time.Minute

// ids lists the repositories, for the queue; never nil, which would mean all.
func (s sight) ids() []int64 {
	out := []int64{}
	for id := range s.byID {
		out = append(out, id)
	}
	return out
}

// who returns the viewer of a request; false for a stranger.
func (d *desk) who(r *http.Request) (viewer, bool, error) {
	if d.Credentials.ClientID == "" {
		// Whoever may open this machine's own port may read its disk as well.
		return viewer{operator: true, key: "operator"}, d.door.Loopback, nil
	}
	s, key, ok, err := d.session(r)
	return viewer{
		Login: s.Login, ID: s.ID, token: s.Token, key: key,
		operator: slices.ContainsFunc(d.Operators, func(o string) bool { return strings.EqualFold(o, s.Login) }),
	}, ok, err
}

// sightOf asks GitHub what the viewer may see, or remembers.
func (s *Site) sightOf(ctx context.Context, who viewer) (sight, error) {
	if known, ok := s.seen.Get(who.key); ok && s.Now().Sub(known.asked) < sightAge {
		return known, nil
	}
	var found []repo
	var err error
	if who.token != "" {
		found, err = s.repositoriesOf(ctx, who.token)
	} else {
		var places []queue.Place
		places, err = s.Lessons.Places(ctx)
		for _, at := range places {
			found = append(found, repo{Place: at})
		}
	}
	if err != nil {
		return sight{}, err
	}
	fresh := sight{byName: map[string]repo{}, byID: map[int64]repo{}, asked: s.Now()}
	for _, r := range found {
		fresh.byName[strings.ToLower(r.FullName)] = r
		fresh.byID[r.Repository] = r
	}
	s.seen.Add(who.key, fresh)
	return fresh, nil
}

// errSignedOut reports that GitHub no longer takes the person's token.
var errSignedOut = errors.New("signed out")

// repositoriesOf lists what a person can read through the App's installations: GitHub decides.
func (s *Site) repositoriesOf(ctx context.Context, token string) ([]repo, error) {
	client, err := s.asPerson(token)
	if err != nil {
		return nil, err
	}
	var out []repo
	err = pages(func(page *github.ListOptions) (*github.Response, error) {
		list, response, err := client.Apps.ListUserInstallations(ctx, page)
		if err != nil {
			return response, err
		}
		for _, in := range list {
			if in.SuspendedAt != nil {
				continue
			}
			err := pages(func(page *github.ListOptions) (*github.Response, error) {
				found, response, err := client.Apps.ListUserRepos(ctx, in.GetID(), page)
				if err != nil {
					return response, err
				}
				for _, r := range found.Repositories {
					at := queue.Place{Installation: in.GetID(), Repository: r.GetID(), FullName: r.GetFullName()}
					out = append(out, repo{at, r.GetPermissions()["push"] || r.GetPermissions()["admin"]})
				}
				return response, nil
			})
			if err != nil {
				return response, err
			}
		}
		return response, nil
	})
	var answer *github.ErrorResponse
	if errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == http.StatusUnauthorized {
		return nil, errSignedOut
	}
	return out, err
}

// pages calls list for each page.
func pages(list func(*github.ListOptions) (*github.Response, error)) error {
	page := &github.ListOptions{PerPage: 100}
	for {
		response, err := list(page)
		if err != nil || response.NextPage == 0 {
			return err
		}
		page.Page = response.NextPage
	}
}

// asPerson returns a client that acts in a person's name.
func (s *Site) asPerson(token string) (*github.Client, error) {
	client := github.NewClient(&http.Client{Transport: s.Transport, Timeout: personTimeout}).WithAuthToken(token)
	var err error
	client.BaseURL, err = url.Parse(s.Credentials.V3APIURL)
	return client, err
}

// personTimeout bounds one request in a person's name.
const personTimeout = 10 * time.Second

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}
