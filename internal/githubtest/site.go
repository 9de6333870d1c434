package githubtest

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// sitePages are GitHub's pages, as far as a person meets them on the way to an App: registering it
// by a manifest, installing it, and signing in. GitHub describes none of them; what they look like
// is this package's own, and where they lead is GitHub's.
func (s *Server) sitePages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /settings/apps/new", s.askToRegister)
	mux.HandleFunc("POST /organizations/{org}/settings/apps/new", s.askToRegister)
	mux.HandleFunc("POST /settings/apps/create", s.register)
	mux.HandleFunc("GET /apps/{slug}/installations/new", s.askToInstall)
	mux.HandleFunc("POST /apps/{slug}/installations/new", s.install)
	mux.HandleFunc("GET /login/oauth/authorize", s.askToAuthorize)
	mux.HandleFunc("POST /login/oauth/authorize", s.authorize)
	mux.HandleFunc("POST /login/oauth/access_token", s.exchangeCode)
	return mux
}

// isSitePage tells GitHub's pages from its API, which share a host where there is no base path.
func isSitePage(path string) bool {
	return strings.HasPrefix(path, "/settings/apps/") || strings.HasPrefix(path, "/organizations/") || strings.HasPrefix(path, "/login/oauth/") ||
		(strings.HasPrefix(path, "/apps/") && strings.HasSuffix(path, "/installations/new"))
}

var sitePage = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>{{.Title}} · stand-in GitHub</title>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem">
<p>Stand-in GitHub</p><h1>{{.Title}}</h1>
{{range .Lines}}<p>{{.}}</p>{{end}}
<form method="post" action="{{.Action}}">
{{range $name, $value := .Hidden}}<input type="hidden" name="{{$name}}" value="{{$value}}">{{end}}
{{with .Ask}}<p><label>{{.Label}}<br><input name="{{.Name}}" value="{{.Value}}" required></label></p>{{end}}
{{range .Buttons}}<p><button name="{{.Name}}" value="{{.Value}}">{{.Label}}</button></p>{{end}}
</form></body></html>`))

type siteForm struct {
	Title   string
	Lines   []string
	Action  string
	Hidden  map[string]string
	Ask     *siteField
	Buttons []siteField
}

type siteField struct{ Name, Value, Label string }

func (f siteForm) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = sitePage.Execute(w, f)
}

// askToInstall offers the accounts that have repositories: installing takes one click.
func (s *Server) askToInstall(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.PathValue("slug") != s.opts.AppSlug {
		http.NotFound(w, r)
		return
	}
	f := siteForm{Title: "Install " + s.opts.AppSlug, Action: r.URL.RequestURI()}
	var owners []string
	for _, repo := range s.repositories {
		owners = append(owners, repo.owner)
	}
	slices.Sort(owners)
	for _, owner := range slices.Compact(owners) {
		f.Buttons = append(f.Buttons, siteField{"account", owner, "Install on " + owner})
	}
	f.write(w)
}

// install installs the App on all repositories of the account, tells the App, and leads to where
// the manifest said.
func (s *Server) install(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	account := r.FormValue("account")
	id := s.nextID()
	for _, repo := range s.repositories {
		if strings.EqualFold(repo.owner, account) {
			repo.installation = id
		}
	}
	setup := s.setupURL
	s.mu.Unlock()
	s.AddInstallation(id, account)
	_, _ = s.Deliver(r.Context(), s.InstallationEvent("created", id, account)) // its outcome is in the list
	if setup == "" {
		siteForm{Title: "Installed on " + account}.write(w)
		return
	}
	redirect(w, r, setup, url.Values{"installation_id": {itoa(id)}, "setup_action": {"install"}})
}

// redirect leads to an address with more in its query.
func redirect(w http.ResponseWriter, r *http.Request, to string, more url.Values) {
	u, err := url.Parse(to)
	if err != nil || !u.IsAbs() {
		http.Error(w, "the address to come back to is none: "+to, http.StatusBadRequest)
		return
	}
	q := u.Query()
	for name, values := range more {
		q[name] = values
	}
	u.RawQuery = q.Encode()
	http.Redirect(w, r, u.String(), http.StatusFound)
}
