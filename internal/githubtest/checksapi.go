package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// checkInput is what creates a check run, and what changes one: then a null
// leaves as it was.
type checkInput struct {
	Name, Status, Conclusion *string
	HeadSHA                  *string    `json:"head_sha"`
	ExternalID               *string    `json:"external_id"`
	DetailsURL               *string    `json:"details_url"`
	StartedAt                *time.Time `json:"started_at"`
	CompletedAt              *time.Time `json:"completed_at"`
	Output                   *struct {
		Title, Summary, Text *string
		Annotations          []Annotation
	}
	Actions []CheckAction
}

func createCheck(c *call) reply {
	run := &CheckRun{ID: c.s.nextID(), App: c.appSlug(), Status: "queued", StartedAt: c.s.now()}
	rep, ok := c.changeCheck(run)
	switch {
	case !ok:
		return rep
	case run.Name == "":
		return invalid("Invalid request.\n\n\"name\" wasn't supplied.")
	case c.repo.objects.commits[run.HeadSHA] == nil:
		return invalid("No commit found for SHA: " + run.HeadSHA)
	}
	c.repo.checks = append(c.repo.checks, run)
	return created(c.repo.checkObject(run))
}

// updateCheck is for the App that made the check run.
func updateCheck(c *call) reply {
	run := c.check()
	if run == nil {
		return notFound()
	}
	if run.App != c.appSlug() {
		return failure(http.StatusForbidden, "Invalid app_id `"+strconv.FormatInt(c.s.opts.AppID, 10)+"` - check run can only be modified by the GitHub App that created it.")
	}
	if rep, ok := c.changeCheck(run); !ok {
		return rep
	}
	return ok(c.repo.checkObject(run))
}

// changeCheck applies the body to a check run if it keeps GitHub's limits.
func (c *call) changeCheck(run *CheckRun) (reply, bool) {
	var in checkInput
	if rep, ok := c.decode(&in); !ok {
		return rep, false
	}
	if words := in.tooMuch(); words != "" {
		return invalid("Invalid request.\n\n" + words), false
	}
	set(&run.Name, in.Name)
	set(&run.HeadSHA, in.HeadSHA)
	set(&run.Status, in.Status)
	set(&run.Conclusion, in.Conclusion)
	set(&run.ExternalID, in.ExternalID)
	set(&run.DetailsURL, in.DetailsURL)
	set(&run.StartedAt, in.StartedAt)
	set(&run.CompletedAt, in.CompletedAt)
	if in.Conclusion != nil {
		run.Status = "completed"
		run.CompletedAt = orNow(c.s, run.CompletedAt)
	}
	if in.Output != nil {
		set(&run.Title, in.Output.Title)
		set(&run.Summary, in.Output.Summary)
		set(&run.Text, in.Output.Text)
		run.Annotations = append(run.Annotations, in.Output.Annotations...) // never replaced
	}
	if in.Actions != nil {
		run.Actions = in.Actions
	}
	return reply{}, true
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// tooMuch names the first of GitHub's limits that the input breaks.
func (in checkInput) tooMuch() string {
	longer := func(s string, most int) bool { return utf8.RuneCountInString(s) > most }
	if out := in.Output; out != nil {
		for _, text := range []*string{out.Summary, out.Text} {
			if text != nil && longer(*text, 65535) {
				return fmt.Sprintf("Only 65535 characters are allowed; %d were supplied.", utf8.RuneCountInString(*text))
			}
		}
		if len(out.Annotations) > 50 {
			return fmt.Sprintf("No more than 50 items are allowed; %d were supplied.", len(out.Annotations))
		}
	}
	if len(in.Actions) > 3 {
		return fmt.Sprintf("No more than 3 items are allowed; %d were supplied.", len(in.Actions))
	}
	if slices.ContainsFunc(in.Actions, func(a CheckAction) bool {
		return longer(a.Label, 20) || longer(a.Description, 40) || longer(a.Identifier, 20)
	}) {
		return "An action's label, description or identifier is too long."
	}
	return ""
}

// appSlug names the App whose token the caller has.
func (c *call) appSlug() string {
	if c.token.installation == nil {
		return "github-actions"
	}
	return c.s.opts.AppSlug
}

func (c *call) check() *CheckRun {
	id, _ := strconv.ParseInt(c.PathValue("check_run_id"), 10, 64)
	for _, run := range c.repo.checks {
		if run.ID == id {
			return run
		}
	}
	return nil
}

func getCheck(c *call) reply {
	run := c.check()
	if run == nil {
		return notFound()
	}
	return ok(c.repo.checkObject(run))
}

func listAnnotations(c *call) reply {
	run := c.check()
	if run == nil {
		return notFound()
	}
	return list(c, run.Annotations, func(a Annotation) object {
		return object{
			"path": a.Path, "blob_href": c.repo.apiURL("/contents/%s?ref=%s", escapePath(a.Path), run.HeadSHA),
			"start_line": a.StartLine, "end_line": a.EndLine, "start_column": a.StartColumn, "end_column": a.EndColumn,
			"annotation_level": a.Level, "message": a.Message,
			"title": stringOrNull(a.Title), "raw_details": stringOrNull(a.RawDetails),
		}
	})
}

// listChecks lists the check runs of a commit, newest first; of those with the
// same name and App only the newest, unless all are asked for.
func listChecks(c *call) reply {
	sha := c.repo.head(c.PathValue("ref"))
	if sha == "" {
		return invalid("No commit found for SHA: " + c.PathValue("ref"))
	}
	var all []*CheckRun
	seen := map[[2]string]bool{}
	for _, run := range slices.Backward(c.repo.checks) {
		key := [2]string{run.App, run.Name}
		name, status := c.query("check_name"), c.query("status")
		if run.HeadSHA != sha || (name != "" && name != run.Name) || (status != "" && status != run.Status) ||
			(c.query("filter") != "all" && seen[key]) {
			continue
		}
		seen[key] = true
		all = append(all, run)
	}
	part, header := page(c, all)
	return reply{status: http.StatusOK, header: header, body: object{
		"total_count": len(all), "check_runs": each(part, c.repo.checkObject),
	}}
}
