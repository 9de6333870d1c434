package githubtest_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// receiver is an App that notes what it gets, and answers with a status.
type receiver struct {
	answer int
	guids  []string
	events []any
}

func (a *receiver) serve(t *testing.T) string {
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		payload, err := github.ValidatePayload(r, []byte("s3cret"))
		if err != nil {
			t.Errorf("signature: %v", err)
		}
		event, err := github.ParseWebHook(github.WebHookType(r), payload)
		if err != nil {
			t.Errorf("payload: %v", err)
		}
		a.guids = append(a.guids, github.DeliveryID(r))
		a.events = append(a.events, event)
		rw.WriteHeader(a.answer)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestReviewWebhook(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, id := w.reviewed()
	app := &receiver{answer: 202}
	w.SetHook(app.serve(t), "s3cret")

	d, err := w.Deliver(ctx, w.repo.ReviewEvent("submitted", number, id, ""))
	check(t, err)
	if d.StatusCode != http.StatusAccepted || !d.OK() {
		t.Errorf("delivery %+v", d)
	}
	e, ok := app.events[0].(*github.PullRequestReviewEvent)
	if !ok || e.GetAction() != "submitted" || e.GetReview().GetState() != "changes_requested" ||
		e.GetReview().GetID() != id || e.GetInstallation().GetID() != 1 || e.GetRepo().GetID() != w.repo.ID() ||
		e.GetSender().GetLogin() != "grace" {
		t.Errorf("event %v", app.events[0])
	}
}

// A redelivery has the GUID of its delivery, and its bytes.
func TestRedelivery(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, id := w.reviewed()
	app := &receiver{answer: 500}
	w.SetHook(app.serve(t), "s3cret")
	first, err := w.Deliver(ctx, w.repo.ReviewEvent("submitted", number, id, ""))
	check(t, err)
	w.repo.EditReview(number, id, "changed since")
	app.answer = 202
	second, err := w.Redeliver(ctx, first.GUID)
	check(t, err)
	if first.OK() || !second.OK() || first.Redelivery || !second.Redelivery {
		t.Errorf("attempts %v and %v", first, second)
	}
	if app.guids[0] != app.guids[1] || first.ID == second.ID || string(first.Payload) != string(second.Payload) {
		t.Errorf("GUIDs %v, ids %d and %d", app.guids, first.ID, second.ID)
	}
}

func TestUnreachableApp(t *testing.T) {
	w := newWorld(t, nil)
	w.SetHook("http://127.0.0.1:1/", "s3cret")
	d, err := w.Deliver(ctx, w.PingEvent())
	check(t, err)
	if d.OK() || d.StatusCode != http.StatusBadGateway {
		t.Errorf("delivery %+v", d)
	}
}

// Every event that the stand-in builds is delivered once: package contract holds
// each against GitHub's schema.
func TestEvents(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	app := &receiver{answer: 202}
	w.SetHook(app.serve(t), "s3cret")
	number, review := w.reviewed()
	fork := w.repo.OpenPull(githubtest.PullRequest{Title: "Fix", Author: "eve", Fork: "eve/api", Files: map[string]string{"x": "y\n"}})
	comment := w.repo.AddComment(number, "ada", "/lesson Close what you open.")
	plain := w.repo.AddComment(w.repo.OpenIssue("ada", "A question", ""), "ada", "Anyone?")
	head := w.repo.Pull(number).HeadSHA
	run := w.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: head, Conclusion: "failure", ExternalID: "1"})
	before := w.repo.Commits("")[0].SHA
	line := w.repo.ReviewComments(number, review)[0].ID

	ghosts := w.repo.AddReview(number, githubtest.Review{State: "CHANGES_REQUESTED"})

	steps := []func() githubtest.Event{
		w.PingEvent,
		func() githubtest.Event { return w.InstallationEvent("created", 1, "grace") },
		func() githubtest.Event { w.Suspend(1); return w.InstallationEvent("suspend", 1, "grace") },
		func() githubtest.Event { w.Unsuspend(1); return w.InstallationEvent("unsuspend", 1, "grace") },
		func() githubtest.Event { return w.InstallationEvent("new_permissions_accepted", 1, "grace") },
		func() githubtest.Event { return w.InstallationRepositoriesEvent("added", 1, "grace", w.repo) },
		func() githubtest.Event { return w.InstallationRepositoriesEvent("removed", 1, "grace", w.repo) },
		func() githubtest.Event { return w.repo.PullEvent("opened", number, "ada") },
		func() githubtest.Event { return w.repo.PullEvent("opened", fork, "eve") },
		func() githubtest.Event { return w.repo.ReviewEvent("submitted", number, review, "") },
		func() githubtest.Event { return w.repo.ReviewEvent("submitted", number, ghosts, "") },
		func() githubtest.Event { return w.repo.ReviewEvent("edited", number, review, "") },
		func() githubtest.Event { return w.repo.ReviewCommentEvent("created", line, "") },
		func() githubtest.Event { return w.repo.CommentEvent("created", comment, "") },
		func() githubtest.Event { return w.repo.CommentEvent("edited", comment, "") },
		func() githubtest.Event { return w.repo.CommentEvent("deleted", comment, "grace") },
		func() githubtest.Event { return w.repo.CommentEvent("created", plain, "") },
		func() githubtest.Event { return w.repo.CheckRunEvent("completed", run, "", "github-actions[bot]") },
		func() githubtest.Event { return w.repo.CheckRunEvent("requested_action", run, "forget", "grace") },
		func() githubtest.Event {
			w.repo.PushPull(number, "Guard the map", map[string]string{"cache.go": "package cache\n"})
			return w.repo.PullEvent("synchronize", number, "ada")
		},
		func() githubtest.Event {
			w.repo.Dismiss(number, review, "linus", "Not so.", "")
			return w.repo.ReviewEvent("dismissed", number, review, "linus")
		},
		func() githubtest.Event {
			w.repo.Merge(number, "linus")
			return w.repo.PullEvent("closed", number, "linus")
		},
		func() githubtest.Event { return w.repo.PushEvent("main", before, "linus") },
		func() githubtest.Event { w.repo.Close(fork); return w.repo.PullEvent("closed", fork, "eve") },
		func() githubtest.Event { w.repo.Reopen(fork); return w.repo.PullEvent("reopened", fork, "eve") },
		func() githubtest.Event { w.repo.Archive(); return w.repo.RepositoryEvent("archived", "", "grace") },
		func() githubtest.Event { w.repo.Unarchive(); return w.repo.RepositoryEvent("unarchived", "", "grace") },
		func() githubtest.Event {
			w.repo.Rename("acme/service")
			return w.repo.RepositoryEvent("renamed", "api", "grace")
		},
		func() githubtest.Event { return w.InstallationEvent("deleted", 1, "grace") },
	}
	for i, step := range steps {
		if d, err := w.Deliver(ctx, step()); err != nil || !d.OK() {
			t.Errorf("step %d: %v, %v", i, d, err)
		}
	}
	if len(app.events) != len(steps) {
		t.Errorf("%d of %d events arrived", len(app.events), len(steps))
	}
}

// Failed deliveries are found and asked for again through the API.
func TestDeliveriesAPI(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, id := w.reviewed()
	app := &receiver{answer: 500}
	w.SetHook(app.serve(t), "s3cret")
	for range 3 {
		_, err := w.Deliver(ctx, w.repo.ReviewEvent("submitted", number, id, ""))
		check(t, err)
	}
	app.answer = 202
	opts := &github.ListCursorOptions{PerPage: 2}
	var failed []*github.HookDelivery
	for {
		page, resp, err := w.app.Apps.ListHookDeliveries(ctx, opts)
		check(t, err)
		failed = append(failed, page...)
		if opts.Cursor = resp.Cursor; opts.Cursor == "" {
			break
		}
	}
	if len(failed) != 3 || failed[0].GetStatusCode() != 500 || failed[0].GetRepositoryID() != w.repo.ID() {
		t.Fatalf("deliveries %v", failed)
	}
	one, _, err := w.app.Apps.GetHookDelivery(ctx, failed[0].GetID())
	check(t, err)
	if one.Request.GetHeaders()["X-Github-Event"] != "pull_request_review" {
		t.Errorf("delivery %v", one)
	}
	_, _, err = w.app.Apps.RedeliverHookDelivery(ctx, failed[0].GetID())
	if accepted := new(github.AcceptedError); err != nil && !errors.As(err, &accepted) {
		t.Fatal(err)
	}
	last := w.Deliveries()[3]
	if !last.OK() || !last.Redelivery || last.GUID != failed[0].GetGUID() {
		t.Errorf("redelivery %+v", last)
	}
	w.now = w.now.Add(73 * time.Hour)
	forgotten, _, err := w.app.Apps.ListHookDeliveries(ctx, nil)
	check(t, err)
	if len(forgotten) != 0 {
		t.Errorf("after three days %d deliveries are remembered", len(forgotten))
	}
}
