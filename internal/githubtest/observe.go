package githubtest

import "net/http"

// Request is one line of the log of what was asked.
type Request struct {
	Method string
	Route  string // "GET /repos/{owner}/{repo}"; empty where there is none
	Path   string // as asked, without the base path, with the query
	Status int
	// Conditional says that the client sent If-None-Match.
	Conditional bool
	// App says that the App itself asked; Installation whose token was used, 0
	// if none.
	App          bool
	Installation int64
}

// Exchange is a request with its answer, as observers see it.
type Exchange struct {
	Request      *http.Request // its body is read; its path is without the base path
	Route        string
	Params       map[string]string // of the route's path, by name
	RequestBody  []byte
	Status       int
	Header       http.Header
	Body         []byte
	Fault        bool // the answer is not the stand-in's own
	App          bool
	Installation int64
}

// Requests returns what was asked so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ResetRequests forgets what was asked.
func (s *Server) ResetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Observe has see called for every exchange, before the client gets its answer.
func (s *Server) Observe(see func(Exchange)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observers = append(s.observers, see)
}

func (s *Server) record(ex Exchange) {
	s.mu.Lock()
	s.requests = append(s.requests, Request{
		Method:       ex.Request.Method,
		Route:        ex.Route,
		Path:         ex.Request.URL.RequestURI(),
		Status:       ex.Status,
		Conditional:  ex.Request.Header.Get("If-None-Match") != "",
		App:          ex.App,
		Installation: ex.Installation,
	})
	observers := s.observers
	s.mu.Unlock()
	for _, see := range observers {
		see(ex)
	}
}
