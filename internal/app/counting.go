package app

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
)

// words are the parts of GitHub's routes; whatever else is in a path is a value.
var words = strings.Fields(`access_tokens actions annotations app attempts blobs branches check-runs collaborators comments
	commits compare contents deliveries git graphql hook installation installations issues jobs permission pulls rate_limit
	reactions ref refs repos repositories reviews rules timeline trees`)

// maxDepth is how many parts a route has at most.
const maxDepth = 9

// routeOf is the route of a request, as a template: "GET /repos/{owner}/{repo}/pulls/{}". It has
// none of the path's values, so there are few, whatever repositories and files are called.
func routeOf(method, path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	repository := len(parts) >= 3 && parts[0] == "repos"
	for i, part := range parts {
		switch {
		case repository && i == 1:
			parts[i] = "{owner}"
		case repository && i == 2:
			parts[i] = "{repo}"
		case i == maxDepth, i > 0 && slices.Contains([]string{"contents", "compare", "ref", "refs", "branches"}, parts[i-1]):
			parts[i] = "{}"
			return method + " /" + strings.Join(parts[:i+1], "/") // the value may have slashes
		case !slices.Contains(words, part):
			parts[i] = "{}"
		}
	}
	return method + " /" + strings.Join(parts, "/")
}

// counting counts all requests that are sent, those for tokens included.
type counting struct {
	next    http.RoundTripper
	metrics *metrics
	base    string // the path of GitHub's REST API
}

func newCounting(next http.RoundTripper, m *metrics, api string) counting {
	base := ""
	if u, err := url.Parse(api); err == nil {
		base = u.EscapedPath()
	}
	return counting{next, m, base}
}

// RoundTrip counts.
func (t counting) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	status := "error"
	if err == nil {
		status = strconv.Itoa(response.StatusCode)
	}
	t.metrics.requests.WithLabelValues(routeOf(r.Method, strings.TrimPrefix(r.URL.EscapedPath(), t.base)), status).Inc()
	return response, err
}

// noting makes a client note what GitHub says that the installation has left.
func (m *metrics) noting(installation int64) githubapp.ClientMiddleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil {
				m.budgets.note(installation, response.Header)
			}
			return response, err
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// events are those that are counted by name: what does not come from GitHub may say anything.
var events = []string{"check_run", "installation", "installation_repositories", "issue_comment", "ping", "pull_request",
	"pull_request_review", "pull_request_review_comment", "push", "repository", "workflow_run"}

// counted counts how next answers deliveries, and notes when one was accepted.
func (a *App) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		answer := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, r)
		outcome := "accepted"
		switch {
		case answer.status >= 500:
			outcome = "unavailable"
		case answer.status >= 400:
			outcome = "refused"
		default:
			a.lastDelivery.Store(a.now().UnixNano())
		}
		event := r.Header.Get("X-GitHub-Event")
		if !slices.Contains(events, event) {
			event = "other"
		}
		a.metrics.deliveries.WithLabelValues(event, outcome).Inc()
		a.metrics.answered.Observe(time.Since(began).Seconds())
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader remembers.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
