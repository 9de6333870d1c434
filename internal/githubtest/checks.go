package githubtest

import (
	"cmp"
	"slices"
	"time"
)

// CheckRun is a check on a commit.
type CheckRun struct {
	ID                     int64
	Name, HeadSHA          string
	Status, Conclusion     string // "completed" and "success" if empty
	App                    string // slug; "github-actions" if empty
	ExternalID, DetailsURL string
	StartedAt, CompletedAt time.Time
	Title, Summary, Text   string
	Annotations            []Annotation
	FailedStep             string // of a workflow's job, which has the check run's id
	Actions                []CheckAction
}

// Annotation is a check run's remark on lines of a file.
type Annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"`
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"`
	Message     string `json:"message"`
	Title       string `json:"title"`
	RawDetails  string `json:"raw_details"`
}

// CheckAction is a button on a check run.
type CheckAction struct{ Label, Description, Identifier string }

// AddCheckRun adds the check of another App, such as a workflow's job, and
// returns its id.
func (r *Repository) AddCheckRun(in CheckRun) int64 {
	defer r.lock()()
	in.ID = r.s.nextID()
	in.App = cmp.Or(in.App, "github-actions")
	in.Status = cmp.Or(in.Status, "completed")
	if in.Status == "completed" {
		in.Conclusion = cmp.Or(in.Conclusion, "success")
		in.CompletedAt = orNow(r.s, in.CompletedAt)
	}
	in.StartedAt = orNow(r.s, in.StartedAt)
	r.checks = append(r.checks, &in)
	return in.ID
}

// CheckRuns lists the checks on a commit, oldest first.
func (r *Repository) CheckRuns(sha string) []CheckRun {
	defer r.lock()()
	var out []CheckRun
	for _, run := range r.checks {
		if run.HeadSHA == sha {
			k := *run
			k.Annotations = slices.Clone(run.Annotations)
			out = append(out, k)
		}
	}
	return out
}

func orNow(s *Server, t time.Time) time.Time {
	if t.IsZero() {
		return s.now()
	}
	return t
}

// checkApp is the App that a check run belongs to.
func (s *Server) checkApp(slug string) object {
	app := s.appObject()
	if slug == s.opts.AppSlug {
		return app
	}
	const actionsID = 15368
	app["id"], app["node_id"] = actionsID, nodeID("A", actionsID)
	app["slug"], app["name"], app["client_id"] = slug, slug, "Iv1.05c79e9ad1f6bdfa"
	app["owner"] = s.userObject("github")
	return app
}

// checkObject is a check run. Pull requests from forks are never listed.
func (r *Repository) checkObject(run *CheckRun) object {
	self := r.apiURL("/check-runs/%d", run.ID)
	var pulls []*pull
	for _, p := range r.sortedPulls() {
		if p.State == "open" && p.Fork == "" && r.follow(p) == run.HeadSHA {
			pulls = append(pulls, p)
		}
	}
	html := r.webURL("/runs/%d", run.ID)
	return object{
		"id":           run.ID,
		"node_id":      nodeID("CR", run.ID),
		"name":         run.Name,
		"head_sha":     run.HeadSHA,
		"external_id":  run.ExternalID,
		"url":          self,
		"html_url":     html,
		"details_url":  cmp.Or(run.DetailsURL, html),
		"status":       run.Status,
		"conclusion":   stringOrNull(run.Conclusion),
		"started_at":   stampOrNull(run.StartedAt),
		"completed_at": stampOrNull(run.CompletedAt),
		"output": object{
			"title": stringOrNull(run.Title), "summary": stringOrNull(run.Summary), "text": stringOrNull(run.Text),
			"annotations_count": len(run.Annotations), "annotations_url": self + "/annotations",
		},
		"check_suite":   object{"id": r.id},
		"app":           r.s.checkApp(run.App),
		"pull_requests": each(pulls, r.minimalPull),
	}
}

func (r *Repository) minimalPull(p *pull) object {
	repo := object{"id": r.id, "url": r.apiURL(""), "name": r.name}
	return object{
		"id": p.id, "number": p.Number, "url": r.apiURL("/pulls/%d", p.Number),
		"head": object{"ref": p.Head, "sha": p.HeadSHA, "repo": repo},
		"base": object{"ref": p.Base, "sha": p.baseSHA, "repo": repo},
	}
}

// ConcludeCheck ends a check run that another App has running.
func (r *Repository) ConcludeCheck(id int64, conclusion string) {
	defer r.lock()()
	for _, run := range r.checks {
		if run.ID == id {
			run.Status, run.Conclusion, run.CompletedAt = "completed", conclusion, r.s.now()
		}
	}
}
