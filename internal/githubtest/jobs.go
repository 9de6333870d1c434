package githubtest

import "strconv"

// getJob is a job of a workflow: its check run has the same id.
func getJob(c *call) reply {
	id, _ := strconv.ParseInt(c.PathValue("job_id"), 10, 64)
	for _, run := range c.repo.checks {
		if run.ID == id && run.App == "github-actions" {
			return ok(c.repo.jobObject(run))
		}
	}
	return notFound()
}

func (r *Repository) jobObject(run *CheckRun) object {
	step := func(number int, name, conclusion string) object {
		return object{
			"name": name, "status": "completed", "conclusion": conclusion, "number": number,
			"started_at": stampOrNull(run.StartedAt), "completed_at": stampOrNull(run.CompletedAt),
		}
	}
	steps := []object{step(1, "Set up job", "success")}
	if run.FailedStep != "" {
		steps = append(steps, step(2, run.FailedStep, "failure"), step(3, "Complete job", "success"))
	}
	self := r.apiURL("/actions/jobs/%d", run.ID)
	return object{
		"id": run.ID, "run_id": run.ID, "run_url": r.apiURL("/actions/runs/%d", run.ID), "run_attempt": 1,
		"node_id": nodeID("CR", run.ID), "head_sha": run.HeadSHA, "url": self, "html_url": r.webURL("/runs/%d", run.ID),
		"status": run.Status, "conclusion": stringOrNull(run.Conclusion), "created_at": stampOrNull(run.StartedAt),
		"started_at": stampOrNull(run.StartedAt), "completed_at": stampOrNull(run.CompletedAt), "name": run.Name,
		"steps": steps, "check_run_url": r.apiURL("/check-runs/%d", run.ID), "labels": []string{"ubuntu-latest"},
		"runner_id": 1, "runner_name": "GitHub Actions 1", "runner_group_id": 2, "runner_group_name": "GitHub Actions",
		"workflow_name": "CI", "head_branch": nil,
	}
}
