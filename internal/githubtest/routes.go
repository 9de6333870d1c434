package githubtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// access says whose credentials a route takes.
type access int

const (
	anyone       access = iota
	byApp               // the App's JSON web token
	byToken             // an installation's token, or one of AddToken
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

var placeholder = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

func (rt route) params(r *http.Request) map[string]string {
	params := map[string]string{}
	for _, m := range placeholder.FindAllStringSubmatch(rt.pattern, -1) {
		params[m[1]] = r.PathValue(m[1])
	}
	return params
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

func noRoute(*call) reply { return notFound() }

// setPath gives u an escaped path.
func setPath(u *url.URL, escaped string) {
	u.RawPath = escaped
	if p, err := url.PathUnescape(escaped); err == nil {
		u.Path = p
	}
}

const (
	repoPath  = "/repos/{owner}/{repo}"
	readCode  = "contents:read"
	writeCode = "contents:write"
)

var (
	readPulls  = []string{"pull_requests:read"}
	writePulls = []string{"pull_requests:write"}
	// Comments on a pull request's conversation go by either permission.
	readTalk  = []string{"issues:read", "pull_requests:read"}
	writeTalk = []string{"issues:write", "pull_requests:write"}
)

var routes = []route{
	{"GET /app", byApp, nil, getApp},
	{"GET /app/installations", byApp, nil, listInstallations},
	{"GET /app/installations/{installation_id}", byApp, nil, getInstallation},
	{"POST /app/installations/{installation_id}/access_tokens", byApp, nil, createToken},
	{"GET " + repoPath + "/installation", byApp, nil, getRepositoryInstallation},
	{"GET /installation/repositories", byToken, nil, listInstallationRepositories},

	{"GET " + repoPath, inRepository, nil, getRepository},
	{"GET " + repoPath + "/collaborators/{username}/permission", inRepository, nil, getPermission},

	{"GET " + repoPath + "/contents/{path...}", inRepository, []string{readCode}, getContents},
	{"PUT " + repoPath + "/contents/{path...}", inRepository, []string{writeCode}, putContents},
	{"GET " + repoPath + "/commits", inRepository, []string{readCode}, listCommits},
	{"GET " + repoPath + "/commits/{ref...}", inRepository, []string{readCode}, getCommit},

	{"GET " + repoPath + "/pulls", inRepository, readPulls, listPulls},
	{"GET " + repoPath + "/pulls/{pull_number}", inRepository, readPulls, getPull},
	{"GET " + repoPath + "/pulls/{pull_number}/reviews", inRepository, readPulls, listReviews},
	{"GET " + repoPath + "/pulls/{pull_number}/reviews/{review_id}", inRepository, readPulls, getReview},
	{"GET " + repoPath + "/pulls/{pull_number}/reviews/{review_id}/comments", inRepository, readPulls, listReviewComments},
	{"GET " + repoPath + "/pulls/{pull_number}/comments", inRepository, readPulls, listPullComments},
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
