package distill

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// Reach asks the model's server for the list of its models, once, which costs nothing. It returns
// the status of the answer; a server without such a list is reached all the same. The error says
// why no answer came.
func (m *Model) Reach(ctx context.Context) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	return m.protocol.reach(ctx)
}

// reach lists the models: in both protocols their list stands beside what is posted to.
func (c caller) reach(ctx context.Context) (status int, err error) {
	base := strings.TrimSuffix(strings.TrimSuffix(c.url, "/messages"), "/chat/completions")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/models", nil)
	if err != nil {
		return 0, err
	}
	req.Header = c.header.Clone()
	resp, err := c.http.HTTPClient.Do(req)
	if err != nil {
		return 0, unreachable(ctx, err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) // the connection may be used again
	return resp.StatusCode, nil
}
