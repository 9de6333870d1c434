package githubtest

import (
	"net/http"
	"strconv"
	"time"
)

// quota is the primary rate limit of an installation, or of a workflow.
type quota struct {
	limit, used int
	reset       time.Time
}

// roll begins a new hour where the last one is over.
func (q *quota) roll(now time.Time) {
	if !now.Before(q.reset) {
		q.used, q.reset = 0, now.Add(time.Hour)
	}
}

func (q *quota) remaining() int { return max(q.limit-q.used, 0) }

// meter counts the request against the caller's hourly limit and writes the
// headers that every answer bears. A 304 costs nothing, nor does asking for the
// limit.
func (s *Server) meter(c *call, rt route, rep *reply) {
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
		q = c.token.quota
	}
	q.roll(now)
	if rep.status != http.StatusNotModified && rt.pattern != rateLimitRoute {
		q.used++
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(q.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(q.remaining()))
	h.Set("X-RateLimit-Used", strconv.Itoa(q.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(q.reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", "core")
}

const rateLimitRoute = "GET /rate_limit"

func getRateLimit(c *call) reply {
	c.token.quota.roll(c.s.opts.AuthNow())
	q := c.token.quota
	core := object{"limit": q.limit, "remaining": q.remaining(), "used": q.used, "reset": q.reset.Unix()}
	search := object{"limit": 30, "remaining": 30, "used": 0, "reset": q.reset.Unix()}
	return ok(object{"resources": object{"core": core, "search": search}, "rate": core})
}
