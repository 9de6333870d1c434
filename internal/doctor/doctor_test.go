package doctor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/needs"
)

// lines renders the findings that are not ok, one a line.
func lines(r Report) string {
	var out strings.Builder
	for _, f := range r.Findings {
		if f.Severity != OK {
			fmt.Fprintf(&out, "%s %s: %s -> %s\n", f.Severity, f.Check, f.What, f.Fix)
		}
	}
	return out.String()
}

const workflow = "on:\n  schedule:\n    - cron: '23 3 * * *'\njobs:\n  a:\n    steps:\n      - uses: agent-corp/agent-lessons@0123456789012345678901234567890123456789\n"

func soundCheckout() Checkout {
	file := func(path, content string) File { return File{Path: path, Content: []byte(content), Exists: true} }
	return Checkout{
		Git:       true,
		Config:    file(".agent-corp/config.yml", "cap: 3\n"),
		Store:     file(".agent-corp/lessons.md", "- Close what you open. (PR #1, 2026-11-02, changes-requested)\n"),
		Workflows: []File{file(".github/workflows/sweep.yml", workflow)},
		Hooks:     []Hooks{{File: ".claude/settings.json", Installed: true}},
		OnPath:    true,
	}
}

// Each row spoils a sound checkout by one thing, and must find exactly that.
func TestCheckout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*Checkout)
		want  string // the beginning of the only line; "" for none
	}{
		"sound":                  {func(*Checkout) {}, ""},
		"no checkout":            {func(c *Checkout) { c.Git = false }, "warning checkout: this folder is in no git checkout"},
		"a mistake":              {func(c *Checkout) { c.Config.Content = []byte("window: 5\ncap: 0\n") }, "broken configuration: .agent-corp/config.yml: line 2: cap: 0 is less than 1"},
		"no configuration":       {func(c *Checkout) { c.Config = File{} }, ""},
		"another name":           {func(c *Checkout) { c.Misnamed = ".agent-corp/config.yaml" }, "broken configuration: .agent-corp/config.yaml is not read"},
		"a link for a store":     {func(c *Checkout) { c.Store.Err = errors.New("it is a symbolic link") }, "broken lessons: it is a symbolic link"},
		"an ignored store":       {func(c *Checkout) { c.Ignored = true }, "broken lessons: git ignores .agent-corp/lessons.md"},
		"no store yet":           {func(c *Checkout) { c.Store.Exists, c.Store.Content = false, nil }, ""},
		"a merge conflict":       {func(c *Checkout) { c.Store.Content = []byte("\n<<<<<<< HEAD\n- Mine.\n") }, "broken lessons: .agent-corp/lessons.md:2: it holds the markers of a merge conflict"},
		"no text":                {func(c *Checkout) { c.Store.Content = []byte("- Mine.\n\xff\xfe") }, "broken lessons: .agent-corp/lessons.md is not UTF-8"},
		"a strange verdict":      {func(c *Checkout) { c.Store.Content = []byte("- Mine. (PR #1, 2026-11-02, oracle)\n") }, "warning lessons: .agent-corp/lessons.md:1: its verdict \"oracle\" is unknown"},
		"a large store":          {func(c *Checkout) { c.Store.Content = []byte(strings.Repeat("x\n", nearlyFull/2+1)) }, "warning lessons: .agent-corp/lessons.md holds 838"},
		"over the cap":           {func(c *Checkout) { c.Store.Content = []byte(bullets("alpha", "beta", "gamma", "delta")) }, "warning lessons: 4 bullets with a trailer are more than the cap of 3"},
		"said twice":             {func(c *Checkout) { c.Store.Content = []byte(bullets("alpha", "alpha")) }, "warning lessons: 1 bullets say what an earlier one says"},
		"contradictions":         {func(c *Checkout) { c.Store.Content = []byte(opposed) }, "warning lessons: lines 1 and 2 contradict each other"},
		"no document":            {func(c *Checkout) { c.Documents = []File{{Path: "AGENTS.md"}} }, "broken documents: AGENTS.md does not exist -> agent-lessons sync-docs --add AGENTS.md"},
		"a document out of step": {func(c *Checkout) { c.Documents = []File{{Path: "AGENTS.md", Exists: true, Content: []byte(markers)}} }, "warning documents: AGENTS.md is out of step"},
		"no workflow":            {func(c *Checkout) { c.Workflows = nil }, "warning workflows: no workflow runs the Action"},
		"a workflow of a tag": {func(c *Checkout) {
			c.Workflows[0].Content = []byte("on: schedule:\n    - uses: agent-corp/agent-lessons@v1\n")
		}, "warning workflows: .github/workflows/sweep.yml runs agent-corp/agent-lessons@v1, which can be moved"},
		"no schedule":           {func(c *Checkout) { c.Workflows[0].Content = []byte(strings.ReplaceAll(workflow, "schedule", "push")) }, "warning workflows: no workflow of the Action has a schedule"},
		"an empty layer":        {func(c *Checkout) { c.Layers = []Layer{{Name: "lessons: docs"}} }, "warning layers: lessons: docs: 0 lessons"},
		"a layer with a note":   {func(c *Checkout) { c.Layers = []Layer{{"lessons: docs", 2, []string{"a\x1b[31m.md: broken"}}} }, "warning layers: lessons: docs: a[31m.md: broken"},
		"broken settings":       {func(c *Checkout) { c.Hooks[0].Note = "line 3: no comma" }, "warning hooks: .claude/settings.json: line 3: no comma"},
		"hooks without program": {func(c *Checkout) { c.OnPath = false }, "broken hooks: hooks are installed, but agent-lessons is not on the PATH"},
	} {
		checkout := soundCheckout()
		c.spoil(&checkout)
		found := checkout.Diagnose()
		exactly(t, name, found, c.want)
	}
}

func bullets(subjects ...string) string {
	var out strings.Builder
	for i, s := range subjects {
		fmt.Fprintf(&out, "- Restart the %s before its queue is drained. (PR #%d, 2026-11-02, changes-requested)\n", s, i+1)
	}
	return out.String()
}

const (
	opposed = "- Always run `go mod tidy` before pushing a change of imports to the branch. (PR #1, 2026-01-01, changes-requested)\n" +
		"- Never run `go mod tidy` before pushing a change of imports to the branch. (PR #4, 2026-01-04, changes-requested)\n"
	markers = "<!-- agent-lessons:begin -->\n<!-- agent-lessons:end -->\n"
)

func exactly(t *testing.T, name string, found Report, want string) {
	t.Helper()
	got := lines(found)
	if want == "" && got != "" || !strings.HasPrefix(got, want) || strings.Count(got, "\n") > 1 {
		t.Errorf("%s:\n%swant only: %s", name, got, want)
	}
	if broken := strings.HasPrefix(want, "broken"); found.Healthy == broken {
		t.Errorf("%s: healthy %t", name, found.Healthy)
	}
	for _, f := range found.Findings {
		if f.Severity != OK && f.Fix == "" {
			t.Errorf("%s: no fix for %q", name, f.What)
		}
	}
}

func all() map[string]string {
	out := map[string]string{}
	for _, n := range needs.Permissions {
		out[n.Name] = n.Level
	}
	return out
}

func soundServer() Server {
	var events []string
	for _, n := range needs.Events {
		events = append(events, n.Name)
	}
	return Server{
		GitHub: &GitHub{
			Slug: "lessons", Permissions: all(), Events: events, Drift: 2 * time.Second,
			Installations: []Installation{{Account: "acme", Permissions: all()}},
			Deliveries:    []Delivery{{Event: "pull_request_review", Status: 200, Text: "OK"}},
		},
		Repository: &Repository{Name: "acme/api", Branch: "main", Mode: "auto"},
		Distiller:  Distiller{Auto: "anthropic large", Answer: 200},
		Database:   Database{Place: "data/agent-lessons.db"},
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	first := func(status int, text string) func(*Server) {
		return func(s *Server) {
			s.GitHub.Deliveries = slices.Insert(s.GitHub.Deliveries, 0, Delivery{Event: "ping", Status: status, Text: text})
		}
	}
	for name, c := range map[string]struct {
		spoil func(*Server)
		want  string
	}{
		"sound":                      {func(*Server) {}, ""},
		"a missing setting":          {func(s *Server) { s.Settings, s.GitHub, s.Repository = []error{errors.New("no key")}, nil, nil }, "broken settings: no key"},
		"a wrong key":                {func(s *Server) { s.GitHub.Err = errors.New("GitHub answers 401") }, "broken app: GitHub answers 401"},
		"a wrong clock":              {func(s *Server) { s.GitHub.Drift = -2 * time.Minute }, "broken clock: this machine's clock is -2m0s off GitHub's"},
		"no question answered":       {func(s *Server) { s.GitHub.Failed = []error{errors.New("502")} }, "warning app: 502"},
		"a permission not asked for": {func(s *Server) { s.GitHub.Permissions["contents"] = "read" }, "broken permissions: the App does not ask for Contents: write"},
		"a permission to spare":      {func(s *Server) { delete(s.GitHub.Permissions, "actions") }, "warning permissions: the App does not ask for Actions: read: that name stays unknown"},
		"an event not chosen":        {func(s *Server) { s.GitHub.Events = s.GitHub.Events[1:] }, "broken events: the App is not subscribed to Pull request review"},
		"installed nowhere":          {func(s *Server) { s.GitHub.Installations = nil }, "warning installations: the App is installed nowhere"},
		"suspended":                  {func(s *Server) { s.GitHub.Installations[0] = Installation{Account: "acme", Suspended: true} }, "warning installations: acme is suspended"},
		"not granted":                {func(s *Server) { s.GitHub.Installations[0].Permissions["pull_requests"] = "read" }, "broken installations: acme has not granted Pull requests: write"},
		"no deliveries":              {func(s *Server) { s.GitHub.Deliveries = nil }, "warning deliveries: GitHub remembers none"},
		"another secret":             {first(401, "Invalid HTTP Response: 401"), "broken secret: the newest (ping, 0001-01-01T00:00:00Z) failed: Invalid HTTP Response: 401 -> the webhook secret"},
		"another address":            {first(404, "Invalid HTTP Response: 404"), "broken deliveries: the newest (ping, 0001-01-01T00:00:00Z) failed: Invalid HTTP Response: 404 -> set the webhook's address"},
		"not reached":                {first(502, "failed to connect to host"), "broken deliveries: the newest (ping, 0001-01-01T00:00:00Z) failed: failed to connect to host -> make the address"},
		"not stored":                 {first(503, "Invalid HTTP Response: 503"), "broken deliveries: the newest (ping, 0001-01-01T00:00:00Z) failed: Invalid HTTP Response: 503 -> the App could not store it"},
		"mended since": {func(s *Server) { s.GitHub.Deliveries = append(s.GitHub.Deliveries, Delivery{Status: 502}) },
			"warning deliveries: 1 of the last 2 failed"},
		"not installed there":     {func(s *Server) { s.Repository.Err = errors.New("404") }, "broken acme/api: 404"},
		"archived":                {func(s *Server) { s.Repository.Archived = true }, "broken acme/api: it is archived"},
		"a mistake there":         {func(s *Server) { s.Repository.Mistake = errors.New("line 2: cap") }, "broken acme/api: line 2: cap; the defaults are in force"},
		"rules":                   {func(s *Server) { s.Repository.Rules = []string{"deletion", "pull_request", "pull_request"} }, "warning acme/api: rules of main forbid direct commits (pull_request): lessons wait in a standing pull request"},
		"harmless rules":          {func(s *Server) { s.Repository.Rules = []string{"deletion", "code_scanning"} }, ""},
		"rules, and direct":       {func(s *Server) { s.Repository.Rules, s.Repository.Mode = []string{"merge_queue"}, "direct" }, "broken acme/api: rules of main forbid direct commits (merge_queue), and commit.mode is direct"},
		"a key without owners":    {func(s *Server) { s.Distiller = Distiller{Err: errors.New("no owner")} }, "broken distiller: no owner"},
		"a model away":            {func(s *Server) { s.Distiller.Unanswered = errors.New("did not answer in time") }, "warning distiller: anthropic large: did not answer in time; the extractive"},
		"a refused key":           {func(s *Server) { s.Distiller.Answer = 401 }, "warning distiller: anthropic large refuses the key (401)"},
		"a model in trouble":      {func(s *Server) { s.Distiller.Answer = 529 }, "warning distiller: anthropic large answers 529"},
		"a model without a list":  {func(s *Server) { s.Distiller.Answer = 404 }, ""},
		"a damaged database":      {func(s *Server) { s.Database.Err = errors.New("it is damaged") }, "broken database: data/agent-lessons.db: it is damaged"},
		"a database not made yet": {func(s *Server) { s.Database.Missing = true }, ""},
		"old work":                {func(s *Server) { s.Database.Due, s.Database.Oldest = 1, time.Hour }, "warning database: work has been due for 1h0m0s"},
		"given up":                {func(s *Server) { s.Database.GaveUp = 2 }, "warning database: 2 deliveries were given up"},
	} {
		server := soundServer()
		c.spoil(&server)
		exactly(t, name, server.Diagnose(), c.want)
	}
}

// A repository with hundreds of strange bullets does not bury what else there is to say.
func TestManyOfAKind(t *testing.T) {
	t.Parallel()
	checkout := soundCheckout()
	var store strings.Builder
	for i := range 300 {
		fmt.Fprintf(&store, "- Number %d is strange. (PR #1, 2026-11-02, oracle)\n", i)
	}
	checkout.Store.Content = []byte(store.String())
	got := lines(checkout.Diagnose())
	if !strings.Contains(got, "290 more like that -> agent-lessons list") || strings.Count(got, "\n") > 14 {
		t.Errorf("%s", got)
	}
}
