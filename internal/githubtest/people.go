package githubtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// grant is what a person allowed the App on the sign-in page, until the App exchanges its code.
type grant struct{ login, redirect, challenge string }

// askToAuthorize offers everybody who has a role somewhere: the stand-in's browsers are nobody's.
func (s *Server) askToAuthorize(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	if q.Get("client_id") != s.clientID() || !s.mayCallBack(q.Get("redirect_uri")) {
		http.Error(w, "The redirect_uri is not associated with this application.", http.StatusBadRequest)
		return
	}
	f := siteForm{Title: "Sign in to " + s.opts.AppSlug, Action: r.URL.RequestURI()}
	logins := map[string]bool{}
	for _, repo := range s.repositories {
		for login := range repo.roles {
			logins[login] = true
		}
	}
	for _, login := range slices.Sorted(maps.Keys(logins)) {
		f.Buttons = append(f.Buttons, siteField{"login", login, "Authorize as " + login})
	}
	f.write(w)
}

// mayCallBack holds an address against those of the App; of a loopback address the port may be any.
func (s *Server) mayCallBack(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.callbacks, func(registered string) bool {
		have, err := url.Parse(registered)
		if err != nil || have.Scheme != u.Scheme || !strings.HasPrefix(u.Path, have.Path) {
			return false
		}
		return have.Host == u.Host || (net.ParseIP(u.Hostname()).IsLoopback() && have.Hostname() == u.Hostname())
	})
}

func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	code := randomHex(10)
	s.mu.Lock()
	s.grants[code] = grant{r.FormValue("login"), q.Get("redirect_uri"), q.Get("code_challenge")}
	s.mu.Unlock()
	redirect(w, r, q.Get("redirect_uri"), url.Values{"code": {code}, "state": {q.Get("state")}})
}

// exchangeCode answers 200 even where it refuses, as GitHub does.
func (s *Server) exchangeCode(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := func(o object) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(o)
	}
	if s.clientSecret == "" || r.FormValue("client_id") != s.clientID() || r.FormValue("client_secret") != s.clientSecret {
		answer(object{"error": "incorrect_client_credentials", "error_description": "The client_id and/or client_secret passed are incorrect."})
		return
	}
	g, known := s.grants[r.FormValue("code")]
	delete(s.grants, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || g.redirect != r.FormValue("redirect_uri") || (g.challenge != "" && g.challenge != base64.RawURLEncoding.EncodeToString(sum[:])) {
		answer(object{"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."})
		return
	}
	t := &token{
		value: "ghu_" + randomHex(18), person: g.login, login: g.login,
		expires: s.opts.AuthNow().Add(8 * time.Hour), quota: &quota{limit: 5000},
	}
	s.tokens[t.value] = t
	answer(object{"access_token": t.value, "token_type": "bearer", "scope": "", "expires_in": 28800})
}

func getUser(c *call) reply {
	u := c.s.userObject(c.token.person).(object)
	maps.Copy(u, object{
		"user_view_type": "public", "name": nil, "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil,
		"public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
	})
	return ok(u)
}

// listUserInstallations lists those in which the person may read a repository.
func listUserInstallations(c *call) reply {
	seen := map[int64]bool{}
	for _, r := range c.s.visible(c.token) {
		seen[r.installation] = true
	}
	var all []*installation
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		if in := c.s.installations[id]; in != nil {
			all = append(all, in)
		}
	}
	part, header := page(c, all)
	return reply{status: http.StatusOK, header: header, body: object{
		"total_count": len(all), "installations": each(part, c.s.installationObject),
	}}
}

func listUserRepositories(c *call) reply {
	in := c.installation()
	all := slices.DeleteFunc(c.s.visible(c.token), func(r *Repository) bool { return in == nil || r.installation != in.id })
	if len(all) == 0 {
		return notFound()
	}
	part, header := page(c, all)
	return reply{status: http.StatusOK, header: header, body: object{
		"total_count": len(all), "repository_selection": "selected",
		"repositories": each(part, func(r *Repository) object {
			o, has := c.s.repositoryObject(r), r.roles[strings.ToLower(c.token.person)].permission
			o["permissions"] = object{"admin": has == "admin", "push": has == "admin" || has == "write", "pull": true}
			return o
		}),
	}}
}

// mayRead reports whether the person has a role in the repository.
func (r *Repository) mayRead(login string) bool {
	has, found := r.roles[strings.ToLower(login)]
	return found && has.permission != "none"
}
