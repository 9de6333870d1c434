package githubtest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

func TestPagination(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 250 {
		w.repo.Put("f", fmt.Sprint(i), "commit")
	}
	tests := []struct{ ask, first, last int }{{0, 30, 9}, {100, 100, 3}, {500, 100, 3}, {7, 7, 36}}
	for _, tt := range tests {
		t.Run(fmt.Sprint("per_page ", tt.ask), func(t *testing.T) {
			opts := &github.CommitsListOptions{ListOptions: github.ListOptions{PerPage: tt.ask}}
			seen := map[string]bool{}
			for {
				page, resp, err := w.inst.Repositories.ListCommits(ctx, "acme", "api", opts)
				check(t, err)
				if opts.Page == 0 && (len(page) != tt.first || resp.LastPage != tt.last) {
					t.Errorf("first page of %d, last is %d", len(page), resp.LastPage)
				}
				for _, c := range page {
					seen[c.GetSHA()] = true
				}
				if resp.NextPage == 0 {
					break
				}
				opts.Page = resp.NextPage
			}
			if len(seen) != 250 {
				t.Errorf("%d commits in all", len(seen))
			}
		})
	}
}

func TestCommitsByPath(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	for _, change := range []struct{ path, message string }{{lessons, "first"}, {"README.md", "other"}, {lessons, "second"}} {
		w.now = w.now.Add(time.Minute)
		w.repo.Put(change.path, change.message, change.message)
	}
	list := func(opts github.CommitsListOptions) (messages []string) {
		opts.Path = lessons
		commits, _, err := w.inst.Repositories.ListCommits(ctx, "acme", "api", &opts)
		check(t, err)
		for _, c := range commits {
			messages = append(messages, c.GetCommit().GetMessage())
		}
		return messages
	}
	if diff := cmp.Diff([]string{"second", "first"}, list(github.CommitsListOptions{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"second"}, list(github.CommitsListOptions{Since: opened.Add(2 * time.Minute)})); diff != "" {
		t.Error(diff)
	}
}

func TestConditionalRequestsAreFree(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	ask := func(etag string) (status int, header http.Header) {
		req, err := w.inst.NewRequest("GET", "repos/acme/api/contents/README.md", nil)
		check(t, err)
		if etag != "" {
			req.Header.Set("If-None-Match", etag)
		}
		resp, err := w.inst.BareDo(ctx, req)
		if err != nil && resp.StatusCode != http.StatusNotModified {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode, resp.Header
	}
	const left = "X-RateLimit-Remaining"
	_, first := ask("")
	unchanged, again := ask(first.Get("ETag"))
	if unchanged != http.StatusNotModified || again.Get(left) != first.Get(left) {
		t.Errorf("unchanged: %d, %s requests left after %s", unchanged, again.Get(left), first.Get(left))
	}
	w.repo.Put("README.md", "bye\n", "change")
	if changed, _ := ask(first.Get("ETag")); changed != http.StatusOK {
		t.Errorf("changed: %d", changed)
	}
}

func TestRequestsAreLogged(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	_, _, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", "README.md", nil)
	check(t, err)
	want := []githubtest.Request{
		{Method: "POST", Route: "POST /app/installations/{installation_id}/access_tokens", Path: "/app/installations/1/access_tokens", Status: 201, App: true},
		{Method: "GET", Route: "GET /repos/{owner}/{repo}/contents/{path}", Path: "/repos/acme/api/contents/README.md", Status: 200, Installation: 1},
	}
	if diff := cmp.Diff(want, w.Requests()); diff != "" {
		t.Error(diff)
	}
	w.ResetRequests()
	if got := w.Requests(); len(got) != 0 {
		t.Errorf("after the reset: %v", got)
	}
}

func TestRenamedRepository(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	w.repo.Rename("acme/service")
	repo, _, err := w.inst.Repositories.Get(ctx, "acme", "api")
	check(t, err)
	if repo.GetFullName() != "acme/service" {
		t.Errorf("the redirect leads to %s", repo.GetFullName())
	}
	byID, _, err := w.inst.Repositories.GetByID(ctx, w.repo.ID())
	check(t, err)
	if byID.GetFullName() != "acme/service" {
		t.Errorf("by id: %s", byID.GetFullName())
	}
	// Go's client follows a 301 with a GET: the write is lost in silence.
	w.ResetRequests()
	_, _ = w.put("one\n", "")
	if got := w.Requests(); got[0].Status != 301 || got[1].Method != http.MethodGet {
		t.Errorf("requests %v", got)
	}
}

func TestFaults(t *testing.T) {
	const route = "PUT /repos/{owner}/{repo}/contents/{path}"
	reset := time.Now().Add(time.Hour).Truncate(time.Second)
	tests := []struct {
		name   string
		fault  githubtest.Fault
		want   func(error) bool
		effect bool
	}{
		{"bad gateway", githubtest.Fault{Answer: githubtest.BadGateway()}, func(err error) bool { return is(err, 502) }, false},
		{"bad gateway after the effect", githubtest.Fault{Answer: githubtest.BadGateway(), After: true}, func(err error) bool { return is(err, 502) }, true},
		{"reset", githubtest.Fault{Reset: true}, func(err error) bool { return err != nil }, false},
		{"reset after the effect", githubtest.Fault{Reset: true, After: true}, func(err error) bool { return err != nil }, true},
		{"cut short", githubtest.Fault{Truncate: true, After: true}, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }, true},
		{"primary limit", githubtest.Fault{Answer: githubtest.PrimaryLimit(403, reset)}, func(err error) bool {
			var limit *github.RateLimitError
			return errors.As(err, &limit) && limit.Rate.Reset.Time.Equal(reset)
		}, false},
		{"secondary limit", githubtest.Fault{Answer: githubtest.SecondaryLimit(time.Minute)}, func(err error) bool {
			var limit *github.AbuseRateLimitError
			return errors.As(err, &limit) && limit.GetRetryAfter() == time.Minute
		}, false},
		{"another's write between", githubtest.Fault{Do: func(*http.Request) {}}, func(err error) bool { return err == nil }, true},
		{"second time only", githubtest.Fault{Reset: true, Skip: 1}, func(err error) bool { return err == nil }, true},
		{"another route", githubtest.Fault{Reset: true, Route: "GET /app"}, func(err error) bool { return err == nil }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"README.md": "hello\n"})
			if tt.fault.Route == "" {
				tt.fault.Route = route
			}
			w.Fail(tt.fault)
			_, err := w.put("one\n", "")
			if !tt.want(err) {
				t.Errorf("the client saw %v", err)
			}
			if _, written := w.repo.File(lessons); written != tt.effect {
				t.Errorf("written: %v", written)
			}
		})
	}
}

// A person's edit between reading and writing is what Do is for.
func TestFaultInterleaves(t *testing.T) {
	w := newWorld(t, map[string]string{lessons: "one\n"})
	file, _, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", lessons, nil)
	check(t, err)
	w.Fail(githubtest.Fault{
		Route: "PUT /repos/{owner}/{repo}/contents/{path}",
		Do:    func(*http.Request) { w.repo.Put(lessons, "by hand\n", "edit") },
	})
	if _, err := w.put("two\n", file.GetSHA()); !is(err, 409) {
		t.Errorf("the stale write: %v", err)
	}
	if got, _ := w.repo.File(lessons); got != "by hand\n" {
		t.Errorf("file %q", got)
	}
}
