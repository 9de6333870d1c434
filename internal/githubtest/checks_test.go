package githubtest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

func annotations(n int) []*github.CheckRunAnnotation {
	out := make([]*github.CheckRunAnnotation, 0, n)
	for i := range n {
		out = append(out, &github.CheckRunAnnotation{
			Path: github.String("README.md"), StartLine: github.Int(1), EndLine: github.Int(1),
			AnnotationLevel: github.String("notice"), Message: github.String(fmt.Sprint("remark ", i)),
		})
	}
	return out
}

func TestCheckRuns(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, _ := w.reviewed()
	head := w.repo.Pull(number).HeadSHA
	output := func(n int) *github.CheckRunOutput {
		return &github.CheckRunOutput{Title: github.String("Lessons"), Summary: github.String("Two learned."), Annotations: annotations(n)}
	}
	run, _, err := w.inst.Checks.CreateCheckRun(ctx, "acme", "api", github.CreateCheckRunOptions{
		Name: "lessons", HeadSHA: head, Status: github.String("in_progress"), Output: output(50),
		Actions: []*github.CheckRunAction{{Label: "Forget", Description: "Withdraw the lesson", Identifier: "forget"}},
	})
	check(t, err)
	if len(run.PullRequests) != 1 || run.PullRequests[0].GetNumber() != number {
		t.Errorf("pull requests %v", run.PullRequests)
	}
	_, _, err = w.inst.Checks.UpdateCheckRun(ctx, "acme", "api", run.GetID(), github.UpdateCheckRunOptions{
		Name: "lessons", Conclusion: github.String("success"), Output: output(10),
	})
	check(t, err)
	run, _, err = w.inst.Checks.GetCheckRun(ctx, "acme", "api", run.GetID())
	check(t, err)
	if run.GetStatus() != "completed" || run.GetOutput().GetAnnotationsCount() != 60 {
		t.Errorf("run %v: annotations are added to, never replaced", run)
	}
	remarks, resp, err := w.inst.Checks.ListCheckRunAnnotations(ctx, "acme", "api", run.GetID(), nil)
	check(t, err)
	if len(remarks) != 30 || resp.LastPage != 2 {
		t.Errorf("%d annotations on the first page of %d", len(remarks), resp.LastPage)
	}

	_, _, err = w.inst.Checks.UpdateCheckRun(ctx, "acme", "api", run.GetID(), github.UpdateCheckRunOptions{Name: "lessons", Output: output(51)})
	if code, message := status(err); code != 422 || message != "Invalid request.\n\nNo more than 50 items are allowed; 51 were supplied." {
		t.Errorf("too many: %d %q", code, message)
	}
}

func TestChecksOfOthers(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	number, _ := w.reviewed()
	head := w.repo.Pull(number).HeadSHA
	w.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: head, Conclusion: "failure"})
	newer := w.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: head, Conclusion: "success"})
	runs, _, err := w.inst.Checks.ListCheckRunsForRef(ctx, "acme", "api", head, nil)
	check(t, err)
	if runs.GetTotal() != 1 || runs.CheckRuns[0].GetID() != newer || runs.CheckRuns[0].GetApp().GetSlug() != "github-actions" {
		t.Errorf("latest runs %v", runs.CheckRuns)
	}
	_, _, err = w.inst.Checks.UpdateCheckRun(ctx, "acme", "api", newer, github.UpdateCheckRunOptions{Name: "build"})
	if !is(err, 403) {
		t.Errorf("another App's run: %v", err)
	}
}

// A job of a workflow has its check run's id, and tells which step failed.
func TestJobOfACheck(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	head := w.repo.Head("main")
	id := w.repo.AddCheckRun(githubtest.CheckRun{Name: "build", HeadSHA: head, Conclusion: "failure", FailedStep: "go vet ./..."})
	job, _, err := w.inst.Actions.GetWorkflowJobByID(ctx, "acme", "api", id)
	check(t, err)
	if len(job.Steps) != 3 || job.Steps[1].GetName() != "go vet ./..." || job.Steps[1].GetConclusion() != "failure" || job.GetHeadSHA() != head {
		t.Errorf("job %v", job)
	}
	other := w.repo.AddCheckRun(githubtest.CheckRun{Name: "scan", HeadSHA: head, Status: "in_progress", App: "scanner"})
	w.repo.ConcludeCheck(other, "failure")
	if runs := w.repo.CheckRuns(head); runs[1].Conclusion != "failure" {
		t.Errorf("runs %+v", runs)
	}
	if _, _, err := w.inst.Actions.GetWorkflowJobByID(ctx, "acme", "api", other); !is(err, 404) {
		t.Errorf("the job of another App's check: %v", err)
	}
}
