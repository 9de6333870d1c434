package githubtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// manifest is how an App is described that is to be registered.
type manifest struct {
	Name           string `json:"name"`
	URL            string `json:"url"`
	HookAttributes struct {
		URL    string `json:"url"`
		Active *bool  `json:"active"`
	} `json:"hook_attributes"`
	RedirectURL  string            `json:"redirect_url"`
	CallbackURLs []string          `json:"callback_urls"`
	SetupURL     string            `json:"setup_url"`
	Public       bool              `json:"public"`
	Permissions  map[string]string `json:"default_permissions"`
	Events       []string          `json:"default_events"`
	owner        string
}

// conversion is a code that a registration led to; it is good for one exchange.
type conversion struct {
	manifest
	slug string
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func (s *Server) askToRegister(w http.ResponseWriter, r *http.Request) {
	var m manifest
	if err := json.Unmarshal([]byte(r.FormValue("manifest")), &m); err != nil || m.URL == "" || m.HookAttributes.URL == "" || m.RedirectURL == "" {
		http.Error(w, "the manifest is not understood", http.StatusUnprocessableEntity)
		return
	}
	siteForm{
		Title: "Create GitHub App", Lines: []string{"Its webhook is " + m.HookAttributes.URL},
		Action: "/settings/apps/create",
		Hidden: map[string]string{"manifest": r.FormValue("manifest"), "state": r.URL.Query().Get("state"), "org": r.PathValue("org")},
		Ask:    &siteField{"name", m.Name, "GitHub App name"}, Buttons: []siteField{{Label: "Create GitHub App"}},
	}.write(w)
}

var slugless = regexp.MustCompile(`[^a-z0-9]+`)

// register keeps the App until its code is exchanged, and leads back with the code and the state.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var m manifest
	if err := json.Unmarshal([]byte(r.FormValue("manifest")), &m); err != nil {
		http.Error(w, "the manifest is not understood", http.StatusUnprocessableEntity)
		return
	}
	m.Name, m.owner = r.FormValue("name"), r.FormValue("org")
	code := randomHex(20)
	s.mu.Lock()
	s.conversions[code] = conversion{m, strings.Trim(slugless.ReplaceAllString(strings.ToLower(m.Name), "-"), "-")}
	s.mu.Unlock()
	redirect(w, r, m.RedirectURL, url.Values{"code": {code}, "state": {r.FormValue("state")}})
}

// convertManifest answers with all secrets of the App, once. The stand-in's App is that one from
// now on.
func convertManifest(c *call) reply {
	s := c.s
	m, known := s.conversions[c.PathValue("code")]
	if !known {
		return notFound()
	}
	delete(s.conversions, c.PathValue("code"))
	key, pem := GenerateKey()
	s.opts.AppID, s.opts.AppSlug, s.opts.PublicKey = s.nextID(), m.slug, &key.PublicKey
	s.setupURL, s.callbacks, s.clientSecret = m.SetupURL, m.CallbackURLs, randomHex(20)
	s.hook = hook{url: m.HookAttributes.URL, secret: randomHex(20), id: s.nextID()}
	body := s.appObject()
	owner := m.owner
	if owner == "" {
		owner = "agent-corp"
	}
	maps.Copy(body, object{
		"name": m.Name, "owner": s.userObject(owner), "permissions": m.Permissions, "events": m.Events,
		"client_secret": s.clientSecret, "webhook_secret": s.hook.secret, "pem": string(pem),
	})
	return created(body)
}

// SetOAuth gives the App a client secret and the addresses that sign-in may lead back to, and
// returns the client's id.
func (s *Server) SetOAuth(secret string, callbacks ...string) (clientID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clientSecret, s.callbacks = secret, callbacks
	return s.clientID()
}
