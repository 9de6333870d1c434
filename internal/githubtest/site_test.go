package githubtest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

// site is a browser that follows no redirect.
var site = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// leads sends a form and returns the query of where that leads.
func leads(t *testing.T, address string, form url.Values) url.Values {
	t.Helper()
	resp, err := site.PostForm(address, form)
	check(t, err)
	defer resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		t.Fatalf("%s answered %s, and leads nowhere", address, resp.Status)
	}
	return to.Query()
}

func TestAManifestBecomesAnApp(t *testing.T) {
	w := newWorld(t, nil)
	root := strings.TrimSuffix(w.url, "/api/v3")
	manifest := `{"name":"Our Lessons!","url":"http://a.test","hook_attributes":{"url":"http://a.test/hook"},"redirect_url":"http://a.test/back","setup_url":"http://a.test/installed",
"default_permissions":{"contents":"write"},"default_events":["pull_request"]}`
	if resp, err := site.PostForm(root+"/organizations/acme/settings/apps/new?state=s", url.Values{"manifest": {manifest}}); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%+v, %v", resp, err)
	}
	back := leads(t, root+"/settings/apps/create", url.Values{"manifest": {manifest}, "state": {"s"}, "org": {"acme"}, "name": {"Our Lessons!"}})
	if back.Get("state") != "s" {
		t.Errorf("the state came back as %q", back.Get("state"))
	}
	nobody := w.client(t, http.DefaultTransport)
	made, _, err := nobody.Apps.CompleteAppManifest(ctx, back.Get("code"))
	check(t, err)
	if made.GetSlug() != "our-lessons" || made.GetOwner().GetLogin() != "acme" || made.GetPEM() == "" || made.GetWebhookSecret() == "" || made.GetClientSecret() == "" {
		t.Errorf("the App is %+v", made)
	}
	if _, resp, err := nobody.Apps.CompleteAppManifest(ctx, back.Get("code")); err == nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("a code was exchanged twice: %v", err)
	}
	if to := leads(t, root+"/apps/our-lessons/installations/new", url.Values{"account": {"acme"}}); to.Get("setup_action") != "install" || to.Get("installation_id") == "" {
		t.Errorf("installing leads to %v", to)
	}
}

func TestAPersonSeesWhatIsTheirs(t *testing.T) {
	w := newWorld(t, nil)
	root := strings.TrimSuffix(w.url, "/api/v3")
	w.repo.SetPermission("mara", "write", "")
	w.repo.SetPermission("gone", "none", "")
	w.AddRepository(1, "acme/secret", map[string]string{"a": "b"}).SetPermission("noor", "read", "")
	id := w.SetOAuth("hush", "http://a.test/callback")

	signIn := func(login, secret string) (answer struct {
		Token string `json:"access_token"`
		Error string
	}) {
		q := url.Values{"client_id": {id}, "redirect_uri": {"http://a.test/callback"}, "state": {"s"}}
		back := leads(t, root+"/login/oauth/authorize?"+q.Encode(), url.Values{"login": {login}})
		resp, err := site.PostForm(root+"/login/oauth/access_token", url.Values{
			"client_id": {id}, "client_secret": {secret}, "code": {back.Get("code")}, "redirect_uri": {"http://a.test/callback"},
		})
		check(t, err)
		defer resp.Body.Close()
		check(t, json.NewDecoder(resp.Body).Decode(&answer))
		return answer
	}
	if refused := signIn("mara", "guessed"); refused.Error != "incorrect_client_credentials" || refused.Token != "" {
		t.Errorf("a guessed secret: %+v", refused)
	}
	for login, want := range map[string]string{"mara": "acme/api push", "noor": "acme/secret", "gone": ""} {
		client := w.client(t, bearer(signIn(login, "hush").Token))
		user, _, err := client.Users.Get(ctx, "")
		check(t, err)
		var seen []string
		installations, _, err := client.Apps.ListUserInstallations(ctx, nil)
		check(t, err)
		for _, in := range installations {
			repos, _, err := client.Apps.ListUserRepos(ctx, in.GetID(), &github.ListOptions{})
			check(t, err)
			for _, r := range repos.Repositories {
				name := r.GetFullName()
				if r.GetPermissions()["push"] {
					name += " push"
				}
				seen = append(seen, name)
			}
		}
		if got := strings.Join(seen, ", "); got != want || user.GetLogin() != login {
			t.Errorf("%s, known as %s, sees %q, want %q", login, user.GetLogin(), got, want)
		}
		if _, resp, err := client.Apps.ListRepos(ctx, nil); err == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("a person's token lists the installation's repositories: %v", err)
		}
	}
	if resp, err := site.Get(root + "/login/oauth/authorize?client_id=" + id + "&redirect_uri=http://evil.test/callback"); err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Errorf("an address that is not the App's: %+v, %v", resp, err)
	}
}
