package distill

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Endpoint is where a model is reached. It belongs to the installation, never to a repository.
type Endpoint struct {
	BaseURL string        // empty: the provider's own
	Key     string        // never in a log or an error; may be empty for a local OpenAI-compatible server
	Model   string        // the provider's name of the model
	Timeout time.Duration // of a whole distillation with its retries; 0: DefaultTimeout
	Client  *http.Client  // nil: a client of its own
}

// String shows the endpoint without its key, however it is printed.
func (e Endpoint) String() string {
	key := "no key"
	if e.Key != "" {
		key = "key set"
	}
	return fmt.Sprintf("model %q at %q, %s", e.Model, e.BaseURL, key)
}

// GoString is String, for %#v.
func (e Endpoint) GoString() string { return e.String() }

// LogValue is String, for slog.
func (e Endpoint) LogValue() slog.Value { return slog.StringValue(e.String()) }

// DefaultTimeout is how long a model may take, retries included.
const DefaultTimeout = 60 * time.Second

const (
	maxRetries    = 2
	minRetryWait  = 500 * time.Millisecond
	maxRetryWait  = 10 * time.Second
	maxRetryAfter = 30 * time.Second // a provider that asks for more has failed for now
	maxAnswer     = 1 << 20          // bytes of a response that are read
	maxOutput     = 1024             // tokens that two sentences and a schema need at most
)

// caller posts JSON to an endpoint and retries what may pass.
type caller struct {
	provider string
	model    string
	url      string
	header   http.Header
	http     *retryablehttp.Client
}

// newCaller checks the endpoint. path is appended to its base URL.
func newCaller(provider string, e Endpoint, base, path string, header http.Header) (caller, error) {
	if e.Model == "" {
		return caller{}, fmt.Errorf("%s needs the name of a model", provider)
	}
	u, err := url.Parse(strings.TrimRight(cmp.Or(e.BaseURL, base), "/") + path)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return caller{}, fmt.Errorf("the base URL of %s must be http(s)://host[/path], without user or query", provider)
	}
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.RetryMax, client.RetryWaitMin, client.RetryWaitMax = maxRetries, minRetryWait, maxRetryWait
	client.CheckRetry, client.Backoff, client.ErrorHandler = mayPass, backoff, retryablehttp.PassthroughErrorHandler
	if e.Client != nil {
		own := *e.Client
		client.HTTPClient = &own
	}
	// A redirect would take the key to another host.
	client.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	header.Set("Content-Type", "application/json")
	return caller{provider: provider, model: e.Model, url: u.String(), header: header, http: client}, nil
}

func (c caller) name() string { return c.provider + " " + c.model }

// post sends body and decodes the response into reply.
func (c caller) post(ctx context.Context, body, reply any) error {
	payload, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, c.url, payload)
	if err != nil {
		return err
	}
	req.Header = c.header.Clone()
	resp, err := c.http.Do(req)
	if err != nil {
		return unreachable(ctx, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return unreachable(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %d%s", resp.StatusCode, errorKind(answer))
	}
	if err := json.Unmarshal(answer, reply); err != nil {
		return errors.New("answered what is not the protocol's JSON")
	}
	return nil
}

// unreachable says why no answer came.
func unreachable(ctx context.Context, err error) error {
	var wrapped *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("did not answer in time")
	case errors.As(err, &wrapped):
		return fmt.Errorf("could not be reached: %w", wrapped.Err)
	}
	return fmt.Errorf("could not be reached: %w", err)
}

// errorKinds are the types of errors that the two protocols name. A server may answer with
// anything in their place, the key included.
var errorKinds = setOf(`invalid_request_error authentication_error billing_error permission_error not_found_error
	request_too_large rate_limit_error timeout_error api_error overloaded_error server_error insufficient_quota
	invalid_api_key model_not_found context_length_exceeded tokens requests`)

// errorKind is the error's type in a response of either protocol. Its message stays unsaid: it
// may quote the request or a part of the key.
func errorKind(answer []byte) string {
	var reply struct {
		Error struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(answer, &reply) != nil || !errorKinds[reply.Error.Type] {
		return ""
	}
	return " " + reply.Error.Type
}

// mayPass retries what the vendors' own clients retry: 408, 409, 429, 5xx (529 is Anthropic's
// "overloaded") and broken connections, unless the provider asks for too long a wait.
func mayPass(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return retryablehttp.ErrorPropagatedRetryPolicy(ctx, resp, err)
	}
	switch code := resp.StatusCode; {
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooManyRequests, code >= 500:
		wait, _ := retryAfter(resp)
		return wait <= maxRetryAfter, nil
	}
	return false, nil
}

// backoff waits as long as the provider asks, and else longer with each attempt.
func backoff(shortest, longest time.Duration, attempt int, resp *http.Response) time.Duration {
	if wait, ok := retryAfter(resp); ok {
		return wait
	}
	return retryablehttp.LinearJitterBackoff(shortest, longest, attempt, nil)
}

// retryAfter reads the Retry-After header in seconds, or as a date against the response's own. A wait
// that is longer than maxRetryAfter is one second longer.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp == nil {
		return 0, false
	}
	value := resp.Header.Get("Retry-After")
	if digits := strings.Trim(value, "0123456789"); value != "" && digits == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter + time.Second, true // however long, it is too long
		}
		return time.Duration(seconds) * time.Second, true
	}
	until, err := http.ParseTime(value)
	now, nowErr := http.ParseTime(resp.Header.Get("Date"))
	if err != nil || nowErr != nil {
		return 0, false
	}
	return min(max(0, until.Sub(now)), maxRetryAfter+time.Second), true
}
