package githubtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// access says whose credentials a route takes.
type access int

const (
	anyone       access = iota
	byApp               // the App's JSON web token
	byToken             // an installation's token, or one of AddToken
	byPerson            // the token of a person who signed in to the App
	inRepository        // such a token, for the repository in the path
)

// route is one operation of the API. Its pattern is the path of GitHub's
// OpenAPI description, with "..." where a value may hold slashes.
type route struct {
	pattern string
	access  access
	// needs lists permissions, "contents:write"; any one of them will do.
	// Every token may read metadata.
	needs  []string
	handle func(*call) reply
}

// name is the route as GitHub's description writes it: "GET /repos/{owner}/{repo}".
func (rt route) name() string { return strings.ReplaceAll(rt.pattern, "...}", "}") }

// placeholder is a value in a pattern, after QuoteMeta.
var placeholder = regexp.MustCompile(`\\{(\w+)(\\\.\\\.\\\.)?\\}`)

// matcher finds the requests of one route.
type matcher struct {
	route
	method string
	path   *regexp.Regexp // of the escaped path, with a group for each value
}

// matchers are in the order of the table. net/http's own multiplexer does not
// take GitHub's paths: some overlap, with neither the more specific.
var matchers = sync.OnceValue(func() []matcher {
	all := make([]matcher, 0, len(routes))
	for _, rt := range routes {
		method, path, _ := strings.Cut(rt.pattern, " ")
		expr := placeholder.ReplaceAllStringFunc(regexp.QuoteMeta(path), func(p string) string {
			name := placeholder.FindStringSubmatch(p)
			if name[2] != "" {
				return "(?P<" + name[1] + ">.*)"
			}
			return "(?P<" + name[1] + ">[^/]+)"
		})
		all = append(all, matcher{rt, method, regexp.MustCompile("^" + expr + "$")})
	}
	return all
})

// findRoute returns the route of a request and the values in its path.
func findRoute(r *http.Request) (route, map[string]string) {
	for _, m := range matchers() {
		values := m.path.FindStringSubmatch(r.URL.EscapedPath())
		if m.method != r.Method || values == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range m.path.SubexpNames()[1:] {
			params[name], _ = url.PathUnescape(values[i+1])
		}
		return m.route, params
	}
	return route{handle: func(*call) reply { return notFound() }}, nil
}

// call is one request on its way through a handler.
type call struct {
	*http.Request
	s     *Server
	body  []byte
	app   bool   // the caller is the App itself
	token *token // the caller's token, if it has one
	repo  *Repository
}

// decode reads the JSON body into v; GitHub answers 400 to what is no JSON.
func (c *call) decode(v any) (reply, bool) {
	if err := json.Unmarshal(c.body, v); err != nil {
		return failure(http.StatusBadRequest, "Problems parsing JSON"), false
	}
	return reply{}, true
}

func (c *call) query(key string) string { return c.URL.Query().Get(key) }

// setPath gives u an escaped path.
func setPath(u *url.URL, escaped string) {
	u.RawPath = escaped
	if p, err := url.PathUnescape(escaped); err == nil {
		u.Path = p
	}
}

// Routes names all operations that the stand-in has, as GitHub's description
// writes them.
func Routes() []string {
	names := make([]string, 0, len(routes))
	for _, rt := range routes {
		names = append(names, rt.name())
	}
	return names
}
