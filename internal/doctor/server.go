package doctor

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/needs"
)

// Server is what there is to know of an installation of the App.
type Server struct {
	Settings   []error // mistakes in the settings, by which GitHub could not be asked at all
	GitHub     *GitHub // nil: not asked
	Repository *Repository
	Distiller  Distiller
	Database   Database
}

// GitHub is what GitHub says of the App.
type GitHub struct {
	Err           error // GitHub refuses the key, or cannot be reached
	Slug          string
	Permissions   map[string]string // that the App asks for
	Events        []string
	Drift         time.Duration // this machine's clock less GitHub's
	Installations []Installation
	Deliveries    []Delivery // that GitHub remembers, newest first
	Failed        []error    // questions that were not answered
}

// Installation is the App on one account.
type Installation struct {
	Account     string
	Suspended   bool
	Permissions map[string]string // granted by its owner
}

// Delivery is one attempt to deliver a webhook.
type Delivery struct {
	At     time.Time
	Event  string
	Status int    // of the App's answer
	Text   string // GitHub's words
}

// Repository is the one that was asked about.
type Repository struct {
	Name     string
	Err      error // the App does not see it, or it cannot be asked
	Archived bool
	Branch   string   // that lessons are written to
	Rules    []string // types of the rules of that branch
	Mode     string   // commit.mode of its configuration
	Mistake  error    // in its configuration
}

// Distiller is what turns findings into lessons where a repository does not say.
type Distiller struct {
	Auto string // what "auto" means
	Err  error  // a mistake in its settings
	// Answer is the status with which its server lists its models, 0 where nobody was asked.
	Answer     int
	Unanswered error
}

// Database is where deliveries wait.
type Database struct {
	Place   string
	Missing bool  // a first start makes it
	Err     error // it is damaged, or cannot be opened
	Due     int   // intents that could be worked on
	Parked  int   // that wait for a limit, a retry or an owner
	GaveUp  int
	Oldest  time.Duration // how long the first that is due could have been worked on
}

// Diagnose judges an installation.
func (s Server) Diagnose() Report {
	var out []Finding
	for _, err := range s.Settings {
		out = append(out, Finding{"settings", Broken, err.Error(), "set it as the line says, and ask again; docs/operations.md lists all settings"})
	}
	if len(s.Settings) == 0 {
		out = append(out, Finding{"settings", OK, "complete", ""})
	}
	if s.GitHub != nil {
		out = append(out, s.GitHub.findings()...)
	}
	if s.Repository != nil {
		out = append(out, s.Repository.findings()...)
	}
	return judged(append(append(out, s.Distiller.finding()), s.Database.findings()...))
}

// grace is the drift of clocks that GitHub forgives: tokens are dated 30 s back, and GitHub advises 60.
const grace = 30 * time.Second

func (g GitHub) findings() []Finding {
	var out []Finding
	if drift := g.Drift.Round(time.Second); drift.Abs() > grace {
		out = append(out, Finding{"clock", Broken, fmt.Sprintf("this machine's clock is %s off GitHub's", drift), "set it by NTP: GitHub refuses keys by a wrong clock"})
	} else if g.Err == nil {
		out = append(out, Finding{"clock", OK, fmt.Sprintf("%s off GitHub's", drift), ""})
	}
	if g.Err != nil {
		return append(out, Finding{"app", Broken, g.Err.Error(), "look at the App's settings on GitHub beside this program's, and at the network between"})
	}
	out = append(out, Finding{"app", OK, "GitHub knows it as " + g.Slug, ""})
	for _, n := range needs.Permissions {
		if !Grants(g.Permissions, n) {
			out = append(out, lacks("permissions", n, "the App does not ask for "+n.Title()+": "+n.Level, "add it in the App's settings, Permissions & events; owners of installations must accept it then"))
		}
	}
	for _, n := range needs.Events {
		if !slices.Contains(g.Events, n.Name) {
			out = append(out, lacks("events", n, "the App is not subscribed to "+n.Title(), "choose it in the App's settings, Permissions & events"))
		}
	}
	out = append(out, g.installations()...)
	out = append(out, deliveries(g.Deliveries)...)
	for _, err := range g.Failed {
		out = append(out, Finding{"app", Warning, err.Error(), "ask again; githubstatus.com tells of GitHub's own troubles"})
	}
	return out
}

// Grants reports whether the permissions hold what is needed.
func Grants(permissions map[string]string, n needs.Need) bool {
	have := permissions[n.Name]
	return have == n.Level || have == "write" || have == "admin"
}

// lacks is a warning where the product works without the need, but for something.
func lacks(check string, n needs.Need, what, fix string) Finding {
	if n.Without != "" {
		return Finding{check, Warning, what + ": " + n.Without, fix}
	}
	return Finding{check, Broken, what + " (to " + n.Why + ")", fix}
}

func (g GitHub) installations() []Finding {
	const check = "installations"
	if len(g.Installations) == 0 {
		return []Finding{{check, Warning, "the App is installed nowhere", "install it on a repository: the App's settings, Install App"}}
	}
	var out []Finding
	for _, in := range g.Installations {
		if in.Suspended {
			out = append(out, Finding{check, Warning, in.Account + " is suspended: its work waits", "its owner resumes it in the installation's settings"})
			continue
		}
		for _, n := range needs.Permissions {
			if Grants(g.Permissions, n) && !Grants(in.Permissions, n) {
				out = append(out, lacks(check, n, in.Account+" has not granted "+n.Title()+": "+n.Level, "its owner accepts the new permissions in the installation's settings"))
			}
		}
	}
	out = clip(out, "agent-lessons-app doctor --json, when these are mended")
	return append(out, Finding{check, OK, fmt.Sprintf("%d", len(g.Installations)), ""})
}

// deliveries judges by the newest attempt: an older failure was mended since.
func deliveries(all []Delivery) []Finding {
	const check = "deliveries"
	if len(all) == 0 {
		return []Finding{{check, Warning, "GitHub remembers none of the last days", "if something happened in these days: is the webhook active in the App's settings, and is its address right?"}}
	}
	newest := all[0]
	failed := 0
	for _, d := range all {
		if !d.ok() {
			failed++
		}
	}
	when := newest.At.UTC().Format(time.RFC3339)
	if newest.ok() {
		out := []Finding{{check, OK, fmt.Sprintf("the newest (%s, %s) arrived", newest.Event, when), ""}}
		if failed > 0 {
			out = append(out, Finding{check, Warning, fmt.Sprintf("%d of the last %d failed", failed, len(all)), "nothing: the running App asks GitHub for them again within 15 minutes"})
		}
		return out
	}
	f := Finding{check, Broken, fmt.Sprintf("the newest (%s, %s) failed: %s", newest.Event, when, newest.Text), ""}
	switch newest.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		f.Check, f.Fix = "secret", "the webhook secret on GitHub is none of this program's, or a proxy refuses: set the same one on both sides"
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType:
		f.Fix = "set the webhook's address to https://YOUR-HOST/api/github/hook and its content type to application/json"
	case http.StatusServiceUnavailable:
		f.Fix = "the App could not store it: its log and /readyz say why"
	default:
		f.Fix = "make the address that GitHub has reachable from outside: DNS, firewall, certificate, proxy; then redeliver from the App's settings, Advanced"
	}
	return []Finding{f}
}

func (d Delivery) ok() bool { return d.Status >= 200 && d.Status < 300 }

// forbidding are the rules of a branch that forbid a direct write.
var forbidding = []string{"pull_request", "merge_queue", "required_status_checks", "update"}

func (r Repository) findings() []Finding {
	check := r.Name
	if r.Err != nil {
		return []Finding{{check, Broken, r.Err.Error(), "install the App on that repository, or correct its name"}}
	}
	var out []Finding
	if r.Archived {
		out = append(out, Finding{check, Broken, "it is archived: nothing is written", "unarchive it"})
	}
	if r.Mistake != nil {
		out = append(out, Finding{check, Broken, r.Mistake.Error() + "; the defaults are in force", "correct that line: docs/configuration.md explains every key"})
	}
	var rules []string
	for _, rule := range r.Rules {
		if slices.Contains(forbidding, rule) && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	what := fmt.Sprintf("rules of %s forbid direct commits (%s)", r.Branch, strings.Join(rules, ", "))
	switch {
	case len(rules) == 0:
		out = append(out, Finding{check, OK, "no ruleset forbids direct commits to " + r.Branch, ""})
	case r.Mode == "direct":
		out = append(out, Finding{check, Broken, what + ", and commit.mode is direct: every lesson is given up", "set commit.mode: auto, or let the App bypass the rule"})
	default:
		out = append(out, Finding{check, Warning, what + ": lessons wait in a standing pull request", "merge it now and then; or let the App bypass the rule"})
	}
	return out
}

func (d Distiller) finding() Finding {
	const check = "distiller"
	switch {
	case d.Err != nil:
		return Finding{check, Broken, d.Err.Error(), "correct that setting, or take the key out: the extractive distiller needs none"}
	case d.Unanswered != nil:
		return Finding{check, Warning, d.Auto + ": " + d.Unanswered.Error() + "; the extractive distiller answers meanwhile", "look at its address and the network between"}
	case d.Answer == http.StatusUnauthorized || d.Answer == http.StatusForbidden:
		return Finding{check, Warning, fmt.Sprintf("%s refuses the key (%d); the extractive distiller answers meanwhile", d.Auto, d.Answer), "make a new key, or look at the account behind it"}
	case d.Answer >= http.StatusInternalServerError:
		return Finding{check, Warning, fmt.Sprintf("%s answers %d; the extractive distiller answers meanwhile", d.Auto, d.Answer), "nothing, if it passes"}
	case d.Answer == 0:
		return Finding{check, OK, "auto means " + d.Auto, ""}
	}
	return Finding{check, OK, fmt.Sprintf("auto means %s, which is reached (%d)", d.Auto, d.Answer), ""}
}

// stuck is how long work may be due before it is told.
const stuck = 15 * time.Minute

func (d Database) findings() []Finding {
	const check = "database"
	switch {
	case d.Err != nil:
		return []Finding{{check, Broken, d.Place + ": " + d.Err.Error(), "docs/operations.md says how to restore it; what was learned is in the repositories' commits"}}
	case d.Missing:
		return []Finding{{check, OK, d.Place + ": none yet: the first start makes it", ""}}
	}
	out := []Finding{{check, OK, fmt.Sprintf("%s: sound; %d due, %d parked, %d given up", d.Place, d.Due, d.Parked, d.GaveUp), ""}}
	if d.Oldest > stuck {
		out = append(out, Finding{check, Warning, "work has been due for " + d.Oldest.Round(time.Minute).String(), "is the server running? docs/operations.md, LessonsQueueOld"})
	}
	if d.GaveUp > 0 {
		out = append(out, Finding{check, Warning, fmt.Sprintf("%d deliveries were given up", d.GaveUp), "the log says why (given up); redeliver them from the App's settings, Advanced, when that is mended"})
	}
	return out
}
