package githubtest

import (
	"net/http"
	"strconv"
	"time"
)

// Fault is something that goes wrong with requests of one route. Without an
// Answer, Reset or Truncate the request is served as ever, after Do has run:
// that is how a test lets a person edit a file between a reading and a writing,
// or holds an answer back.
type Fault struct {
	// Route is a method and a path of GitHub's description, such as
	// "PUT /repos/{owner}/{repo}/contents/{path}"; empty means every route.
	Route string
	// Match narrows it to some requests of the route.
	Match func(*http.Request) bool
	// Skip lets that many requests pass first; Times is how many it then
	// strikes, 1 if zero, all if negative.
	Skip, Times int
	// Do runs before the request is served.
	Do func(*http.Request)
	// After lets the request have its effect and spoils only the answer.
	After bool

	Answer   *Answer // is sent instead
	Reset    bool    // the connection is closed without an answer
	Truncate bool    // the connection is closed in the midst of the answer
}

// Answer is a whole response. Its body is JSON unless the header says otherwise.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Fail switches a fault on. The oldest one that matches a request strikes.
func (s *Server) Fail(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// ClearFaults switches all faults off.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (s *Server) takeFault(route string, r *http.Request) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		switch {
		case f.Times == 0, f.Route != "" && f.Route != route, f.Match != nil && !f.Match(r):
		case f.Skip > 0:
			f.Skip--
		default:
			f.Times-- // a negative count never gets to zero
			return f
		}
	}
	return nil
}

func (f *Fault) answers() bool { return f.Answer != nil || f.Reset || f.Truncate }

func (f *Fault) reply() reply {
	a := f.Answer
	if a == nil {
		a = &Answer{Status: http.StatusOK, Body: `{"message":"cut short"}`}
	}
	header := a.Header.Clone()
	return reply{status: a.Status, header: header, bytes: []byte(a.Body)}.encode()
}

// The answers of a GitHub that has trouble or enough of the caller.

// BadGateway is what GitHub's front answers while the rest is away: not JSON.
func BadGateway() *Answer {
	return &Answer{http.StatusBadGateway, http.Header{"Content-Type": {"text/html"}}, "<html><title>Unicorn!</title></html>"}
}

// SecondaryLimit is the secondary rate limit. Without a wait it bears no
// Retry-After header, as is seen too.
func SecondaryLimit(wait time.Duration) *Answer {
	header := http.Header{}
	if wait > 0 {
		header.Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	}
	return &Answer{http.StatusForbidden, header, `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",` +
		`"documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits","status":"403"}`}
}

// PrimaryLimit is the used-up hourly limit, until reset.
func PrimaryLimit(status int, reset time.Time) *Answer {
	return &Answer{status, http.Header{
		"X-Ratelimit-Limit":     {"5000"},
		"X-Ratelimit-Remaining": {"0"},
		"X-Ratelimit-Used":      {"5000"},
		"X-Ratelimit-Resource":  {"core"},
		"X-Ratelimit-Reset":     {strconv.FormatInt(reset.Unix(), 10)},
	}, `{"message":"API rate limit exceeded for installation ID 1.",` +
		`"documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api","status":"` + strconv.Itoa(status) + `"}`}
}

// ErrorAnswer is an error in GitHub's form.
func ErrorAnswer(status int, message string) *Answer {
	rep := failure(status, message).encode()
	return &Answer{Status: status, Body: string(rep.bytes)}
}
