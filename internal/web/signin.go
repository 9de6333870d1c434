package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/look"
)

// attempt is a sign-in under way, in a cookie of the browser that began it.
type attempt struct {
	State    string `json:"state"`
	Verifier string `json:"verifier"` // of PKCE, RFC 7636
	Next     string `json:"next"`     // the page to come back to
}

const (
	attemptCookie = "signin"
	attemptAge    = 10 * time.Minute
)

func isHTTPS(base string) bool { return strings.HasPrefix(base, "https://") }

// secure reports whether cookies stay secret on their way: over HTTPS, or within this machine.
func (d *desk) secure(r *http.Request) bool {
	base := d.base(r)
	return isHTTPS(base) || look.IsLoopback(hostOf(base))
}

// signIn leads to GitHub.
func (d *desk) signIn(w http.ResponseWriter, r *http.Request) {
	if d.Credentials.ClientID == "" || !d.secure(r) {
		d.turnAway(w, r)
		return
	}
	a := attempt{State: rand.Text(), Verifier: rand.Text() + rand.Text(), Next: within(r.URL.Query().Get("next"))}
	content, _ := json.Marshal(a) // strings never fail
	http.SetCookie(w, d.cookie(r, attemptCookie, base64.RawURLEncoding.EncodeToString(content), attemptAge))
	challenge := sha256.Sum256([]byte(a.Verifier))
	http.Redirect(w, r, d.github("/login/oauth/authorize")+"?"+url.Values{
		"client_id": {d.Credentials.ClientID}, "redirect_uri": {d.base(r) + "/login/callback"}, "state": {a.State},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}.Encode(), http.StatusSeeOther)
}

// within keeps a page to come back to within this site.
func within(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

func (d *desk) github(path string) string { return strings.TrimRight(d.Credentials.WebURL, "/") + path }

// callback is where GitHub leads back to.
func (d *desk) callback(w http.ResponseWriter, r *http.Request) {
	var a attempt
	if given, err := r.Cookie(d.cookie(r, attemptCookie, "", 0).Name); err == nil {
		if content, err := base64.RawURLEncoding.DecodeString(given.Value); err == nil {
			_ = json.Unmarshal(content, &a) // what is none of ours has no state
		}
	}
	http.SetCookie(w, d.cookie(r, attemptCookie, "", -time.Second))
	q := r.URL.Query()
	if a.State == "" || subtle.ConstantTimeCompare([]byte(a.State), []byte(q.Get("state"))) != 1 || q.Get("code") == "" {
		d.message(w, http.StatusBadRequest, message{"You are not signed in", "GitHub's answer does not belong to a sign-in that this browser began in the last ten minutes.", "Open the page that you wanted, and sign in from there."})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	s, age, err := d.exchange(ctx, q.Get("code"), a.Verifier, d.base(r)+"/login/callback")
	if err == nil {
		err = d.keep(w, r, s, age)
	}
	if err != nil {
		d.Log.Error().Err(err).Msg("sign in")
		d.message(w, http.StatusBadGateway, message{"You are not signed in", "GitHub did not confirm who you are.", "Try again. If it stays so, GITHUB_OAUTH_CLIENT_SECRET may not be the App's; the log says more."})
		return
	}
	d.Log.Info().Str("login", s.Login).Msg("signed in")
	http.Redirect(w, r, within(a.Next), http.StatusSeeOther)
}

// exchange trades a code for a person's token, and asks whose it is. Its errors hold no secret.
func (d *desk) exchange(ctx context.Context, code, verifier, redirect string) (session, time.Duration, error) {
	form := url.Values{
		"client_id": {d.Credentials.ClientID}, "client_secret": {d.Credentials.ClientSecret},
		"code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.github("/login/oauth/access_token"), strings.NewReader(form.Encode()))
	if err != nil {
		return session{}, 0, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	response, err := (&http.Client{Transport: d.Transport, Timeout: personTimeout}).Do(request)
	if err != nil {
		return session{}, 0, errors.New("GitHub cannot be reached")
	}
	defer response.Body.Close()
	var answer struct {
		Token   string `json:"access_token"`
		Expires int    `json:"expires_in"`
		Error   string `json:"error"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&answer); err != nil || answer.Token == "" {
		return session{}, 0, fmt.Errorf("no token: %d %s", response.StatusCode, answer.Error)
	}
	client, err := d.asPerson(answer.Token)
	if err != nil {
		return session{}, 0, err
	}
	user, _, err := client.Users.Get(ctx, "")
	if err != nil {
		return session{}, 0, fmt.Errorf("whose token it is: %w", err)
	}
	age := sessionAge
	if answer.Expires > 0 {
		age = min(age, time.Duration(answer.Expires)*time.Second)
	}
	return session{Login: user.GetLogin(), ID: user.GetID(), Token: answer.Token}, age, nil
}
