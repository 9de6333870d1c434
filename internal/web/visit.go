package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/look"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// visit is one request of somebody who was let in.
type visit struct {
	w http.ResponseWriter
	r *http.Request
	*desk
	viewer
	sight
}

func (v *visit) ctx() context.Context { return v.r.Context() }

// Errors that are pages. What a viewer may not see is not found: that it exists is not told.
var (
	errNotFound  = errors.New("not found")
	errForbidden = errors.New("forbidden")
)

// pageTime bounds one page, the questions to GitHub included.
const pageTime = 25 * time.Second

// visited finds out who asks and what they may see, and shows the page's error where it has one.
func (d *desk) visited(page func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), pageTime)
		defer cancel()
		r = r.WithContext(ctx)
		who, ok, err := d.who(r)
		v := &visit{w: w, r: r, desk: d, viewer: who}
		switch {
		case err != nil:
			v.failed(err)
			return
		case !ok:
			d.turnAway(w, r)
			return
		}
		if v.sight, err = d.sightOf(ctx, who); errors.Is(err, errSignedOut) {
			d.turnAway(w, r)
			return
		}
		if err == nil {
			err = page(v)
		}
		if err != nil {
			v.failed(err)
		}
	}
}

// turnAway asks a stranger to sign in, or says why that cannot be.
func (d *desk) turnAway(w http.ResponseWriter, r *http.Request) {
	if d.Credentials.ClientID != "" && d.secure(r) {
		next := "/"
		if r.Method == http.MethodGet {
			next = r.URL.RequestURI()
		}
		http.Redirect(w, r, "/welcome?"+url.Values{"next": {next}}.Encode(), http.StatusSeeOther)
		return
	}
	d.message(w, http.StatusForbidden, message{
		Title: "Nobody can sign in here",
		Text:  "The dashboard is shown to people who sign in with GitHub, over HTTPS, and to this machine itself where no sign-in is configured.",
		Hint:  "docs/dashboard.md tells how to configure either.",
	})
}

// welcome is what strangers see.
func (d *desk) welcome(w http.ResponseWriter, r *http.Request) {
	v := &visit{w: w, r: r, desk: d}
	v.write(http.StatusOK, welcomePage, "Sign in", "/login?"+url.Values{"next": {within(r.URL.Query().Get("next"))}}.Encode())
}

// message is a page that only says something.
type message struct{ Title, Text, Hint string }

func (d *desk) message(w http.ResponseWriter, status int, m message) {
	v := &visit{w: w, desk: d}
	v.write(status, messagePage, m.Title, m)
}

// failed shows an error. What GitHub said is shown; what is ours goes to the log.
func (v *visit) failed(err error) {
	var answer *github.ErrorResponse
	m, status := message{Title: "This page cannot be shown", Hint: "Try again in a minute; the log says more."}, http.StatusBadGateway
	switch {
	case errors.Is(err, errNotFound):
		status = http.StatusNotFound
		m = message{"There is nothing here", "No such page, or none that you may read.", "The App shows a repository to those who can read it on GitHub, once it is installed there. What you may see is asked anew every two minutes."}
	case errors.Is(err, errForbidden):
		status = http.StatusForbidden
		m = message{"You may not do that", "It takes write permission on the repository.", "Ask one of its maintainers."}
	case errors.As(err, &answer) && answer.Response != nil:
		m.Text = fmt.Sprintf("GitHub answered %d: %s", answer.Response.StatusCode, answer.Message)
	case errors.Is(err, context.DeadlineExceeded):
		m.Text, status = "GitHub took too long to answer.", http.StatusGatewayTimeout
	default:
		m.Text = "GitHub or the database did not answer as expected."
	}
	if status >= http.StatusInternalServerError {
		v.Log.Error().Err(err).Str("path", v.r.URL.Path).Msg("a page failed")
	}
	v.write(status, messagePage, m.Title, m)
}

func (v *visit) show(page *template.Template, title string, content any) error {
	v.write(http.StatusOK, page, title, content)
	return nil
}

func (v *visit) write(status int, page *template.Template, title string, content any) {
	f := look.Frame{Title: title, Who: v.Login, Content: content}
	if v.known() {
		path := v.r.URL.Path
		f.Nav = []look.Link{
			{Href: "/", Text: "Repositories", Here: path == "/" || strings.HasPrefix(path, "/r/")},
			{Href: "/deliveries", Text: "Deliveries", Here: strings.HasPrefix(path, "/deliveries")},
		}
		if v.operator {
			f.Nav = append(f.Nav, look.Link{Href: "/jobs", Text: "Jobs", Here: path == "/jobs"})
		}
	}
	if err := look.Write(v.w, status, page, f); err != nil {
		v.Log.Error().Err(err).Msg("a page failed")
	}
}

// repo finds the repository of the path among those that the viewer may see.
func (v *visit) repo() (repo, error) {
	r, ok := v.byName[strings.ToLower(v.r.PathValue("owner")+"/"+v.r.PathValue("name"))]
	if !ok {
		return repo{}, errNotFound
	}
	return r, nil
}

// githubURL is the address of something in a repository on GitHub.
func (s *Site) githubURL(at queue.Place, path string) string {
	return strings.TrimRight(s.Credentials.WebURL, "/") + "/" + at.FullName + path
}

// pullURL is the address of a pull request that a trailer in the repository names, "" for none.
func (s *Site) pullURL(at queue.Place, p lesson.PullRequest) string {
	if p.IsZero() {
		return ""
	}
	if p.Owner != "" {
		at.FullName = p.Owner + "/" + p.Repo
	}
	return s.githubURL(at, fmt.Sprintf("/pull/%d", p.Number))
}
