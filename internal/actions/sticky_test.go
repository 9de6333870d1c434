package actions

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/review"
)

// A token that is not the workflow's, such as an App's, finds its own comments by asking who it is.
func TestCommentsOfAnotherTokenAreFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		viewer string // the answer's body
		want   string
	}{
		"an App's":       {`{"data":{"viewer":{"login":"lessons-of-acme[bot]"}}}`, "[2 3]"},
		"nobody answers": {`{"errors":[{"message":"Something went wrong"}]}`, "[3]"},
	} {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /api/v3/repos/acme/api/issues/7/comments", func(w http.ResponseWriter, _ *http.Request) {
			for i, login := range []string{"stranger", "lessons-of-acme[bot]", workflowLogin} {
				fmt.Fprintf(w, `%c{"id":%d,"user":{"login":%q},"body":%q}`, "[,,"[i], i+1, login, marker)
			}
			fmt.Fprint(w, "]")
		})
		mux.HandleFunc("POST /api/graphql", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.viewer) })
		api := httptest.NewServer(mux)
		defer api.Close()
		client := github.NewClient(nil)
		client.BaseURL, _ = url.Parse(api.URL + "/api/v3/")
		found, err := sticky{repo: review.Repository{Client: client, Owner: "acme", Name: "api"}, pull: 7}.find(context.Background())
		var ids []int64
		for _, comment := range found {
			ids = append(ids, comment.GetID())
		}
		if err != nil || fmt.Sprint(ids) != c.want {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}
