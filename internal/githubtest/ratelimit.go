package githubtest

import (
	"net/http"
	"strconv"
	"time"
)

// quota is the primary rate limit of one token.
type quota struct {
	limit, used int
	reset       time.Time
}

// meter counts the request against the caller's hourly limit and writes the
// headers that every answer bears. A 304 costs nothing.
func (s *Server) meter(c *call, rep *reply) {
	h, now := rep.header, s.opts.AuthNow()
	h.Set("Date", now.UTC().Format(http.TimeFormat))
	h.Set("X-GitHub-Request-Id", randomHex(8))
	version := c.Header.Get("X-GitHub-Api-Version")
	if version == "" {
		version = "2022-11-28"
	}
	h.Set("X-GitHub-Api-Version-Selected", version)

	q := &quota{limit: 60} // of a caller without a token; the App's own is not kept
	if c.token != nil {
		q = &c.token.quota
	}
	if !now.Before(q.reset) {
		q.used, q.reset = 0, now.Add(time.Hour)
	}
	if rep.status != http.StatusNotModified {
		q.used++
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(q.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(q.limit-q.used, 0)))
	h.Set("X-RateLimit-Used", strconv.Itoa(q.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(q.reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
}
