package app

import (
	"io"
	"net/http"
	"net/url"
)

// sameMethod follows GitHub's 301 and 302 for a renamed repository with the request's own
// method and body. Go's client would turn a write into a GET (github.md 2.5).
type sameMethod struct{ next http.RoundTripper }

// RoundTrip follows at most one redirect, on the same host only: the request carries a token.
func (t sameMethod) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err != nil || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return response, err
	}
	if response.StatusCode != http.StatusMovedPermanently && response.StatusCode != http.StatusFound {
		return response, nil
	}
	target := sameHost(r, response)
	if target == nil || r.GetBody == nil {
		return response, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	again := r.Clone(r.Context())
	again.URL, again.Host, again.Body = target, "", body
	return t.next.RoundTrip(again)
}

// sameHost returns where a redirect leads, nil when that is another host.
func sameHost(r *http.Request, response *http.Response) *url.URL {
	if target, err := response.Location(); err == nil && target.Host == r.URL.Host && target.Scheme == r.URL.Scheme {
		return target
	}
	return nil
}
