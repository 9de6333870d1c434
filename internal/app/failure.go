package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// failure tells the queue what to do about an error of a job: wait until a limit resets, give up
// since only a person can help, or (err as it is) try again with backoff.
func failure(err error, now time.Time) error {
	var (
		primary   *github.RateLimitError
		secondary *github.AbuseRateLimitError
		token     *ghinstallation.HTTPError
		answer    *github.ErrorResponse
		paced     *pacedError
		refused   *store.RefusedError
		rule      *store.RuleError
	)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &primary):
		return queue.Later(primary.Rate.Reset.Time, err)
	case errors.As(err, &secondary):
		return queue.Later(now.Add(max(secondary.GetRetryAfter(), time.Minute)), err)
	case errors.As(err, &paced):
		return queue.Later(paced.until, err)
	case errors.As(err, &refused), errors.As(err, &rule):
		return queue.Permanent(err)
	case errors.As(err, &token) && token.Response != nil:
		message := told(token.Response)
		return byStatus(fmt.Errorf("%w: %s", err, message), token.Response, message, now)
	case errors.As(err, &answer) && answer.Response != nil:
		return byStatus(err, answer.Response, answer.Message, now)
	}
	return err
}

// byStatus is for the answers that no type tells apart. A 403 that an owner can end, and of whose
// end an event tells, parks the work: a suspended installation, which is refused its token, a
// permission that was not granted, an archived repository (github.md 1.6, 2.2).
func byStatus(err error, response *http.Response, message string, now time.Time) error {
	if until, limited := limitedUntil(response, message, now); limited {
		return queue.Later(until, err)
	}
	switch code := response.StatusCode; {
	case code == http.StatusForbidden && (strings.Contains(message, "not accessible by integration") ||
		strings.Contains(message, "was archived") || strings.Contains(message, "suspended")):
		return queue.Parked(err)
	case code == http.StatusUnauthorized, code == http.StatusRequestTimeout, code >= 500:
		return err
	case code >= 400:
		return queue.Permanent(err)
	}
	return err
}

// told reads and closes the answer to a request for a token, which ghinstallation leaves open, and
// returns its message.
func told(r *http.Response) string {
	defer r.Body.Close()
	var answer struct{ Message string }
	_ = json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&answer) // an answer that is not JSON has none
	return answer.Message
}

// limitedUntil recognises GitHub's rate limits, which answer 403 or 429 and are typed by
// go-github only in part (dependencies.md).
func limitedUntil(r *http.Response, message string, now time.Time) (time.Time, bool) {
	if r.StatusCode != http.StatusForbidden && r.StatusCode != http.StatusTooManyRequests {
		return time.Time{}, false
	}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		return now.Add(time.Duration(seconds) * time.Second), true
	}
	if r.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, err := strconv.ParseInt(r.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return time.Unix(reset, 0), true
		}
	}
	limited := r.StatusCode == http.StatusTooManyRequests || strings.Contains(strings.ToLower(message), "rate limit")
	return now.Add(time.Minute), limited
}
