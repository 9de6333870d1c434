package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/agent-corp/agent-lessons/internal/browsertest"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

// firstRun is a program that was started with nothing, beside a stand-in GitHub.
type firstRun struct {
	t       *testing.T
	github  *githubtest.Server
	repo    *githubtest.Repository
	address string // of the stand-in
	data    string
	public  string
	setup   string // where the log says to begin
	out     *heard
	stop    func() error
}

// heard is what a program says, to be read while it runs.
type heard struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.String()
}

func beginFirstRun(t *testing.T, args ...string) *firstRun {
	t.Helper()
	f := &firstRun{t: t, data: t.TempDir(), out: &heard{}, github: githubtest.New(githubtest.Options{BasePath: "/api/v3", RateLimit: 1 << 30})}
	contract.Check(t, f.github)
	api := httptest.NewServer(f.github)
	t.Cleanup(api.Close)
	f.address = api.URL
	f.repo = f.github.AddRepository(0, "harbour/tidewatch", map[string]string{"main.go": "package main\n"})
	f.repo.SetPermission("mara", "write", "")
	f.start(append([]string{"--setup-listen", "127.0.0.1:0"}, args...)...)
	return f
}

var (
	listens = regexp.MustCompile(`"address":"([^"]+)","time":"[^"]*","message":"listening"`)
	begins  = regexp.MustCompile(`"message":"(http://[^"]+/setup[^"]*)"`)
)

// start runs serve until it listens.
func (f *firstRun) start(args ...string) {
	f.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	p := &program{ctx: ctx, out: f.out, err: f.out}
	go func() {
		ended <- p.run(append([]string{"serve", "--listen", "127.0.0.1:0", "--data", f.data, "--web-url", f.address, "--write-gap", "0s", "--log-format", "json"}, args...))
	}()
	var once sync.Once
	f.stop = func() (err error) {
		once.Do(func() {
			stop()
			if code := <-ended; code != exitDone {
				f.t.Errorf("exit %d\n%s", code, f.out)
			}
		})
		return nil
	}
	f.t.Cleanup(func() { _ = f.stop() })
	for net := time.Now().Add(20 * time.Second); time.Now().Before(net); time.Sleep(time.Millisecond) {
		if m := listens.FindStringSubmatch(f.out.String()); m != nil {
			f.public = "http://" + m[1]
			if m := begins.FindStringSubmatch(f.out.String()); m != nil {
				f.setup = m[1]
			}
			return
		}
	}
	f.t.Fatalf("it does not listen\n%s", f.out)
}

// Issue 9, "First run": from nothing to the first delivery and the dashboard in a browser, in at most
// ten clicks, and the App lives without a restart.
func TestTheFirstRunInABrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	f := beginFirstRun(t)
	clicks := 0
	var p *browsertest.Page
	press := func(label, then string) {
		t.Helper()
		clicks++
		p.Do(chromedp.Click(`//*[self::a or self::button][normalize-space()="`+label+`"]`),
			chromedp.WaitVisible(`//body//*[contains(normalize-space(), "`+then+`")]`))
	}
	look := func(name string) {
		t.Helper()
		for _, v := range browsertest.SomeViews() { // what changes nothing may be opened as often as wanted
			q := browser.Open(t, f.setup, v)
			q.Fits()
			if v.Width == 390 {
				q.Accessible()
			}
			q.Screenshot("setup-" + name + "-" + v.String())
		}
	}
	look("where")
	p = browser.Open(t, f.setup, browsertest.View{Width: 1280})
	p.Do(chromedp.SetValue("input[name=url]", f.public))
	press("Continue", "Deliveries go to")
	look("register")
	press("Register on GitHub", "Create GitHub App")
	press("Create GitHub App", "Install it on a repository")
	look("registered")
	press("Install on GitHub", "Install on harbour")
	press("Install on harbour", "it delivered installation")
	look("delivered")
	press("Open the dashboard", "Sign in with GitHub")
	press("Sign in with GitHub", "Authorize as mara")
	press("Authorize as mara", "harbour/tidewatch")
	press("harbour/tidewatch", "Nothing learned yet")

	number := f.repo.OpenPull(githubtest.PullRequest{Title: "A change", Author: "piet", Files: map[string]string{"a.go": "package main\n"}})
	review := f.repo.AddReview(number, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Body: "Take a snapshot before compacting the lease file, otherwise a crash loses the history."})
	if d, err := f.github.Deliver(t.Context(), f.repo.ReviewEvent("submitted", number, review, "")); err != nil || !d.OK() {
		t.Fatalf("%+v, %v", d, err)
	}
	for net := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if len(f.repo.Commits(".agent-corp/lessons.md")) == 1 {
			break
		}
		if time.Now().After(net) {
			t.Fatalf("no lesson\n%s", f.out)
		}
	}
	press("Lessons", "Take a snapshot before compacting")
	if clicks > 10 {
		t.Errorf("it took %d clicks", clicks)
	}
	t.Logf("%d clicks", clicks)
}

// browserless is a person who follows redirects and keeps cookies.
type browserless struct {
	t *testing.T
	*http.Client
}

func newBrowserless(t *testing.T) browserless {
	jar, _ := cookiejar.New(nil) // its error is about options
	return browserless{t, &http.Client{Jar: jar}}
}

func (b browserless) do(resp *http.Response, err error) (*http.Response, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp, string(body)
}

var registering = regexp.MustCompile(`action="([^"]*/settings/apps/new\?state=[^"]*)"><input type="hidden" name="manifest" value="([^"]*)"`)

// register goes from the setup page to the code that GitHub hands out, and returns where that leads.
func (f *firstRun) register(b browserless) string {
	f.t.Helper()
	root := f.setup[:strings.Index(f.setup, "/setup")]
	_, page := b.do(b.PostForm(root+"/setup", url.Values{"url": {f.public}, "account": {"harbour"}, "github": {f.address}}))
	m := registering.FindStringSubmatch(page)
	if m == nil || !strings.Contains(m[1], "/organizations/harbour/settings/apps/new") {
		f.t.Fatalf("no registration is offered:\n%s", page)
	}
	unescape := strings.NewReplacer("&#34;", `"`, "&amp;", "&", "&#43;", "+").Replace
	state, _ := url.Parse(unescape(m[1]))
	alone := *b.Client
	alone.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := alone.PostForm(f.address+"/settings/apps/create", url.Values{"manifest": {unescape(m[2])}, "state": {state.Query().Get("state")}, "org": {"harbour"}, "name": {"lessons"}})
	if err != nil {
		f.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.Header.Get("Location")
}

// The credentials are stored for their owner alone and never shown; setup closes for good.
func TestSetupClosesForGood(t *testing.T) {
	t.Parallel()
	f := beginFirstRun(t)
	b := newBrowserless(t)
	if resp, _ := b.do(b.Get(f.public + "/api/github/hook")); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("before it lives, deliveries are answered %s", resp.Status)
	}
	back := f.register(b)
	forged := regexp.MustCompile(`state=[^&]*`).ReplaceAllString(back, "state=forged")
	if _, page := b.do(b.Get(forged)); !strings.Contains(page, "does not belong to the registration") {
		t.Errorf("a forged state was taken:\n%s", page)
	}
	_, page := b.do(b.Get(back))
	if !strings.Contains(page, "is registered") {
		t.Fatalf("not registered:\n%s\n%s", page, f.out)
	}
	path := filepath.Join(f.data, "credentials.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var secrets map[string]string
	if err := json.Unmarshal(content, &secrets); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"private_key", "webhook_secret", "client_secret"} {
		if secrets[name] == "" || strings.Contains(page+f.out.String(), secrets[name]) {
			t.Errorf("%s is %d bytes long, or is shown", name, len(secrets[name]))
		}
	}
	exchanges := 0
	for _, r := range f.github.Requests() {
		if strings.HasPrefix(r.Path, "/app-manifests/") {
			exchanges++
		}
	}
	root := f.setup[:strings.Index(f.setup, "/setup")]
	b.do(b.Get(back)) // once more
	if _, page := b.do(b.PostForm(root+"/setup", url.Values{"url": {"https://evil.test"}, "github": {"https://evil.test"}})); strings.Contains(page, "evil.test") || strings.Contains(page, "manifest") {
		t.Error("setup takes another choice after it was done")
	}
	for _, r := range f.github.Requests() {
		if strings.HasPrefix(r.Path, "/app-manifests/") {
			exchanges--
		}
	}
	if exchanges != 0 {
		t.Error("a code was exchanged again")
	}
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	f.out = &heard{}
	f.start("--setup-listen", "127.0.0.1:0") // with what was stored
	if strings.Contains(f.out.String(), "/setup") {
		t.Errorf("setup is open again:\n%s", f.out)
	}
	if resp, _ := b.do(b.Get(f.public + "/api/github/hook")); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("after a restart, the webhook answers %s", resp.Status)
	}
}

// Where others can ask, a token from the log opens the page, once, for one browser.
func TestTheTokenOpensSetupOnce(t *testing.T) {
	t.Parallel()
	f := beginFirstRun(t, "--setup-listen", "0.0.0.0:0", "--print-credentials")
	at, err := url.Parse(f.setup)
	if err != nil || at.Query().Get("token") == "" {
		t.Fatalf("the log says %q, %v", f.setup, err)
	}
	_, port, _ := net.SplitHostPort(at.Host)
	root := "http://127.0.0.1:" + port
	f.setup = root + "/setup?" + at.RawQuery
	first, second := newBrowserless(t), newBrowserless(t)
	for _, path := range []string{"/setup", "/setup?token=", "/setup?token=guessed", "/setup/created?code=a&state=", "/setup/stage"} {
		if resp, _ := first.do(first.Get(root + path)); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s without the token: %s", path, resp.Status)
		}
	}
	if resp, page := first.do(first.Get(f.setup)); resp.StatusCode != http.StatusOK || strings.Contains(resp.Request.URL.RawQuery, "token") || !strings.Contains(page, "Set up agent-lessons") {
		t.Errorf("with the token: %s at %s", resp.Status, resp.Request.URL)
	}
	if resp, _ := second.do(second.Get(f.setup)); resp.StatusCode != http.StatusForbidden {
		t.Errorf("the token is good twice: %s", resp.Status)
	}
	if _, page := first.do(first.Get(f.register(first))); !strings.Contains(page, "is registered") {
		t.Errorf("not registered:\n%s", page)
	}
	if _, err := os.Stat(filepath.Join(f.data, "credentials.json")); err == nil {
		t.Error("what was printed is stored as well")
	}
	for _, name := range []string{"GITHUB_APP_INTEGRATION_ID='", "GITHUB_APP_PRIVATE_KEY='-----BEGIN", "GITHUB_APP_WEBHOOK_SECRET='", "GITHUB_OAUTH_CLIENT_SECRET='"} {
		if !strings.Contains(f.out.String(), "\n"+name) {
			t.Errorf("%s is not printed", name)
		}
	}
}
