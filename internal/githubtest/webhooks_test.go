package githubtest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-github/v66/github"
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
	if d.StatusCode != 202 || !d.OK() {
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
	if d.OK() || d.StatusCode != 502 {
		t.Errorf("delivery %+v", d)
	}
}
