package contract

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// recorder is a test that a violation fails.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// Each exchange differs from a good one in the one thing that its name says.
func TestExchangeThatBreaksTheContract(t *testing.T) {
	api, err := loadAPI()
	if err != nil {
		t.Fatal(err)
	}
	good := func() githubtest.Exchange {
		return githubtest.Exchange{
			Request:     httptest.NewRequest(http.MethodPut, "/repos/acme/api/contents/a.md", nil),
			Route:       "PUT /repos/{owner}/{repo}/contents/{path}",
			Params:      map[string]string{"owner": "acme", "repo": "api", "path": "a.md"},
			RequestBody: []byte(`{"message":"m","content":"YQ=="}`),
			Status:      201,
			Header:      http.Header{"Content-Type": {"application/json; charset=utf-8"}},
			Body:        []byte(`{"content":null,"commit":{}}`),
		}
	}
	tests := []struct {
		name  string
		spoil func(*githubtest.Exchange)
		want  string // part of the error; empty for none
	}{
		{"nothing", func(*githubtest.Exchange) {}, ""},
		{"no such route", func(ex *githubtest.Exchange) { ex.Route = "GET /nowhere" }, "no such route"},
		{"request without what is required", func(ex *githubtest.Exchange) { ex.RequestBody = []byte(`{"message":"m"}`) }, "content"},
		{"answer without what is required", func(ex *githubtest.Exchange) { ex.Body = []byte(`{"content":null}`) }, "commit"},
		{"status that is not described", func(ex *githubtest.Exchange) { ex.Status = 204 }, "204"},
		{"error in another form", func(ex *githubtest.Exchange) { ex.Status, ex.Body = 404, []byte(`{"message":404}`) }, "message"},
		{"error that is not described, in another form", func(ex *githubtest.Exchange) { ex.Status, ex.Body = 403, []byte(`[]`) }, "object"},
		{"error that is not described", func(ex *githubtest.Exchange) { ex.Status, ex.Body = 403, []byte(`{"message":"no"}`) }, ""},
		{"the answer of a fault", func(ex *githubtest.Exchange) { ex.Fault, ex.Body = true, nil }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ex := good()
			ex.Request.Header.Set("Content-Type", "application/json")
			tt.spoil(&ex)
			err := api.exchange(t.Context(), ex)
			if (err == nil) != (tt.want == "") || (err != nil && !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

func TestCheckFailsTheTest(t *testing.T) {
	gh := githubtest.New(githubtest.Options{})
	srv := httptest.NewServer(gh)
	defer srv.Close()
	rec := &recorder{TB: t}
	Check(rec, gh)
	resp, err := http.Get(srv.URL + "/nowhere")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	gh.SetHook(srv.URL, "s")
	if _, err := gh.Deliver(t.Context(), githubtest.Event{Name: "ping", Payload: map[string]any{"zen": 1}}); err != nil {
		t.Fatal(err)
	}
	// The delivery is an exchange too, as the hook leads back here.
	if len(rec.errors) != 3 {
		t.Errorf("violations: %q", rec.errors)
	}
}

// The examples were gathered over years, and the older lack what payloads have
// by now; of each event some must be as the schemas say, or the schemas are wrong.
func TestExamplesKeepTheContract(t *testing.T) {
	seen, fit := map[string]int{}, map[string]int{}
	for _, e := range Examples(t) {
		var unknown *noSchema
		err := Payload(e.Event, e.Action, e.Payload)
		if errors.As(err, &unknown) {
			continue
		}
		seen[e.Event]++
		if err == nil {
			fit[e.Event]++
		}
	}
	for _, event := range []string{
		"check_run", "installation", "installation_repositories", "issue_comment", "ping",
		"pull_request", "pull_request_review", "pull_request_review_comment", "push", "repository",
	} {
		if fit[event] == 0 {
			t.Errorf("none of %d examples of %s is as its schema says", seen[event], event)
		}
	}
}
