package githubtest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

var pullRequestRule = githubtest.Rule{Type: "pull_request"}

// bearer sends every request with one credential.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func TestAppTokens(t *testing.T) {
	other, _ := githubtest.GenerateKey()
	now := time.Now()
	sign := func(method jwt.SigningMethod, by any, iss string, iat, exp time.Time) string {
		s, err := jwt.NewWithClaims(method, jwt.RegisteredClaims{
			Issuer: iss, IssuedAt: jwt.NewNumericDate(iat), ExpiresAt: jwt.NewNumericDate(exp),
		}).SignedString(by)
		check(t, err)
		return s
	}
	soon := now.Add(5 * time.Minute)
	tests := []struct {
		name, token, message string
		status               int
	}{
		{"good", sign(jwt.SigningMethodRS256, key, "7", now, soon), "", 200},
		{"within the grace", sign(jwt.SigningMethodRS256, key, "7", now.Add(50*time.Second), now.Add(10*time.Minute+50*time.Second)), "", 200},
		{"another's key", sign(jwt.SigningMethodRS256, other, "7", now, soon), "A JSON web token could not be decoded", 401},
		{"HMAC", sign(jwt.SigningMethodHS256, []byte("x"), "7", now, soon), "A JSON web token could not be decoded", 401},
		{"from the future", sign(jwt.SigningMethodRS256, key, "7", now.Add(2*time.Minute), soon), "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued", 401},
		{"expired", sign(jwt.SigningMethodRS256, key, "7", now.Add(-10*time.Minute), now.Add(-2*time.Minute)), "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires", 401},
		{"too long", sign(jwt.SigningMethodRS256, key, "7", now, now.Add(12*time.Minute)), "'Expiration time' claim ('exp') is too far in the future", 401},
		{"another App", sign(jwt.SigningMethodRS256, key, "8", now, soon), "Integration not found", 404},
	}
	w := newWorld(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, resp, err := w.client(t, bearer(tt.token)).Apps.Get(ctx, "")
			_, message := status(err)
			if resp.StatusCode != tt.status || message != tt.message {
				t.Errorf("answered %d %q", resp.StatusCode, message)
			}
		})
	}
}

func TestInstallationTokens(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	w.AddInstallation(2, "other")
	w.AddRepository(2, "other/secret", nil)

	token, _, err := w.app.Apps.CreateInstallationToken(ctx, 1, nil)
	check(t, err)
	if !strings.HasPrefix(token.GetToken(), "ghs_7_") || len(token.GetToken()) < 300 {
		t.Errorf("token %q has not the form of 2026", token.GetToken())
	}
	c := w.client(t, bearer(token.GetToken()))
	_, _, err = c.Repositories.Get(ctx, "acme", "api")
	check(t, err)
	if _, _, err = c.Repositories.Get(ctx, "other", "secret"); !is(err, 404) {
		t.Errorf("another installation's repository: %v", err)
	}
	repos, _, err := c.Apps.ListRepos(ctx, nil)
	check(t, err)
	if repos.GetTotalCount() != 1 || repos.Repositories[0].GetID() != w.repo.ID() {
		t.Errorf("repositories %v", repos.Repositories)
	}

	w.auth += time.Hour + time.Second
	if _, _, err = c.Repositories.Get(ctx, "acme", "api"); !is(err, 401) {
		t.Errorf("expired: %v", err)
	}
	if _, _, err = w.client(t, bearer("ghs_nobody")).Repositories.Get(ctx, "acme", "api"); !is(err, 401) {
		t.Errorf("unknown: %v", err)
	}
}

func TestNarrowedTokens(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	second := w.AddRepository(1, "acme/second", nil)
	token, _, err := w.app.Apps.CreateInstallationToken(ctx, 1, &github.InstallationTokenOptions{
		RepositoryIDs: []int64{second.ID()}, Permissions: &github.InstallationPermissions{Contents: github.String("read")},
	})
	check(t, err)
	c := w.client(t, bearer(token.GetToken()))
	if _, _, err := c.Repositories.Get(ctx, "acme", "api"); !is(err, 404) {
		t.Errorf("outside of the token's repositories: %v", err)
	}
	if _, _, err := c.PullRequests.List(ctx, "acme", "second", nil); !is(err, 403) {
		t.Errorf("outside of its permissions: %v", err)
	}
}

func TestInstallationsThatGiveNoToken(t *testing.T) {
	w := newWorld(t, nil)
	if _, _, err := w.app.Apps.CreateInstallationToken(ctx, 99, nil); !is(err, 404) {
		t.Errorf("unknown: %v", err)
	}
	token, _, err := w.app.Apps.CreateInstallationToken(ctx, 1, nil)
	check(t, err)
	w.Suspend(1)
	_, _, err = w.app.Apps.CreateInstallationToken(ctx, 1, nil)
	if code, message := status(err); code != 403 || message != "This installation has been suspended" {
		t.Errorf("suspended: %d %q", code, message)
	}
	if _, _, err = w.client(t, bearer(token.GetToken())).Repositories.Get(ctx, "acme", "api"); !is(err, 403) {
		t.Errorf("token of a suspended installation: %v", err)
	}
	w.Uninstall(1)
	if _, _, err = w.app.Apps.CreateInstallationToken(ctx, 1, nil); !is(err, 404) {
		t.Errorf("uninstalled: %v", err)
	}
}

// A workflow's token is for its repository and the permissions it was given.
func TestWorkflowToken(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	w.AddToken("ghs_workflow", w.repo, map[string]string{"contents": "read"})
	c := w.client(t, bearer("ghs_workflow"))
	_, _, _, err := c.Repositories.GetContents(ctx, "acme", "api", "README.md", nil)
	check(t, err)
	if _, _, err := c.PullRequests.List(ctx, "acme", "api", nil); !is(err, 403) {
		t.Errorf("without pull-requests: %v", err)
	}
}

func is(err error, want int) bool {
	code, _ := status(err)
	return code == want
}

func TestInstallationsOfTheApp(t *testing.T) {
	w := newWorld(t, nil)
	w.AddInstallation(2, "other")
	w.Suspend(2)
	all, _, err := w.app.Apps.ListInstallations(ctx, nil)
	check(t, err)
	if len(all) != 2 || all[0].GetAccount().GetLogin() != "acme" || all[1].SuspendedAt == nil {
		t.Errorf("installations %v", all)
	}
	one, _, err := w.app.Apps.GetInstallation(ctx, 1)
	check(t, err)
	ofRepo, _, err := w.app.Apps.FindRepositoryInstallation(ctx, "acme", "api")
	check(t, err)
	if one.GetID() != 1 || ofRepo.GetID() != 1 {
		t.Errorf("installation %v, the repository's %v", one, ofRepo)
	}
}

func TestRateLimit(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	_, resp, err := w.inst.Repositories.Get(ctx, "acme", "api")
	check(t, err)
	limits, _, err := w.inst.RateLimit.Get(ctx)
	check(t, err)
	if limits.Core.Limit != 1_000_000 || limits.Core.Remaining != resp.Rate.Remaining {
		t.Errorf("limits %v after an answer with %v", limits.Core, resp.Rate)
	}
}
