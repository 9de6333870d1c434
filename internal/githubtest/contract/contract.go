// Package contract holds the stand-in GitHub, and all who talk to it, against
// GitHub's own descriptions: every request and answer against the OpenAPI
// document (npm @octokit/openapi), every webhook against the schemas of
// @octokit/webhooks-schemas. Both are kept in testdata, reduced to what the
// stand-in has by package reduce. It is for tests only.
package contract

//go:generate go run ./reduce ../../../npm/node_modules testdata

import (
	"compress/gzip"
	"context"
	"embed"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

//go:embed testdata/*.json.gz
var descriptions embed.FS

// Check fails the test for every exchange and every delivery of the stand-in,
// from now to the end of the test, that is not as GitHub describes it. It names
// the route, or the event, and what is wrong.
func Check(t testing.TB, s *githubtest.Server) {
	t.Helper()
	api, err := loadAPI()
	if err != nil {
		t.Fatal(err)
	}
	report := reporter(t)
	s.Observe(func(ex githubtest.Exchange) {
		if err := api.exchange(context.Background(), ex); err != nil {
			report("%s %s answered %d: %v", ex.Request.Method, ex.Request.URL.RequestURI(), ex.Status, err)
		}
	})
	s.ObserveDeliveries(func(d githubtest.Delivery) {
		if d.Raw {
			return
		}
		if err := Payload(d.Event, d.Action, d.Payload); err != nil {
			report("webhook %s %s: %v", d.Event, d.Action, err)
		}
	})
}

// reporter is t.Errorf for goroutines that may outlive the test.
func reporter(t testing.TB) func(format string, args ...any) {
	var mu sync.Mutex
	over := false
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	})
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			t.Errorf("contract: "+format, args...)
		}
	}
}

// description reads one of the reduced documents.
func description(name string) ([]byte, error) {
	f, err := descriptions.Open("testdata/" + name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(zip)
}
