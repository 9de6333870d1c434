package githubtest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// commitFiles makes one commit of several files on a branch, as documents that
// are kept in step are written. It returns the commit, not yet on the branch.
func (w *world) commitFiles(t *testing.T, branch string, files map[string]string) *github.Commit {
	t.Helper()
	ref, _, err := w.inst.Git.GetRef(ctx, "acme", "api", "heads/"+branch)
	check(t, err)
	parent, _, err := w.inst.Git.GetCommit(ctx, "acme", "api", ref.GetObject().GetSHA())
	check(t, err)
	entries := make([]*github.TreeEntry, 0, len(files))
	for path, content := range files {
		blob, _, err := w.inst.Git.CreateBlob(ctx, "acme", "api", &github.Blob{Content: &content, Encoding: github.String("utf-8")})
		check(t, err)
		entries = append(entries, &github.TreeEntry{Path: &path, Mode: github.String("100644"), Type: github.String("blob"), SHA: blob.SHA})
	}
	tree, _, err := w.inst.Git.CreateTree(ctx, "acme", "api", parent.GetTree().GetSHA(), entries)
	check(t, err)
	made, _, err := w.inst.Git.CreateCommit(ctx, "acme", "api", &github.Commit{
		Message: github.String("Both"), Tree: tree, Parents: []*github.Commit{{SHA: parent.SHA}},
	}, nil)
	check(t, err)
	return made
}

func (w *world) move(branch, sha string) error {
	_, _, err := w.inst.Git.UpdateRef(ctx, "acme", "api", &github.Reference{
		Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: &sha},
	}, false)
	return err
}

func TestOneCommitOfSeveralFiles(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n", "keep/me.md": "kept\n"})
	made := w.commitFiles(t, "main", map[string]string{lessons: "one\n", "AGENTS.md": "two\n"})
	check(t, w.move("main", made.GetSHA()))

	if c := w.repo.Commits("")[0]; c.SHA != made.GetSHA() || !c.Verified || c.Author != "agent-lessons[bot]" {
		t.Errorf("head %+v", c)
	}
	tree, _, err := w.inst.Git.GetTree(ctx, "acme", "api", "main", true)
	check(t, err)
	got := map[string]string{}
	for _, e := range tree.Entries {
		if e.GetType() == "blob" {
			blob, _, err := w.inst.Git.GetBlobRaw(ctx, "acme", "api", e.GetSHA())
			check(t, err)
			got[e.GetPath()] = string(blob)
		}
	}
	want := map[string]string{"README.md": "hello\n", "keep/me.md": "kept\n", lessons: "one\n", "AGENTS.md": "two\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRefs(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	base := w.repo.Commits("")[0].SHA
	create := func(branch string) error {
		_, _, err := w.inst.Git.CreateRef(ctx, "acme", "api", &github.Reference{
			Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: &base},
		})
		return err
	}
	check(t, create("agent/lessons"))
	made := w.commitFiles(t, "agent/lessons", map[string]string{lessons: "one\n"})
	w.repo.Push("agent/lessons", "ada", "By hand", map[string]string{"x": "y\n"})

	tests := []struct {
		name    string
		do      func() error
		message string
	}{
		{"move over another's commit", func() error { return w.move("agent/lessons", made.GetSHA()) }, "Update is not a fast forward"},
		{"move what is not there", func() error { return w.move("nowhere", base) }, "Reference does not exist"},
		{"create what is there", func() error { return create("agent/lessons") }, "Reference already exists"},
		{"create against a rule", func() error {
			w.repo.SetRules("locked-*", githubtest.Rule{Type: "creation"})
			return create("locked-1")
		}, "Reference update failed"},
		{"move against a rule", func() error {
			w.repo.SetRules("main", pullRequestRule)
			return w.move("main", made.GetSHA())
		}, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if code, message := status(tt.do()); code != 422 || message != tt.message {
				t.Errorf("answered %d %q", code, message)
			}
		})
	}
	_, err := w.inst.Git.DeleteRef(ctx, "acme", "api", "refs/heads/agent/lessons")
	check(t, err)
	if _, _, err := w.inst.Git.GetRef(ctx, "acme", "api", "heads/agent/lessons"); !is(err, 404) {
		t.Errorf("deleted: %v", err)
	}
}

// Only the contents API can write to an empty repository.
func TestGitDataOfAnEmptyRepository(t *testing.T) {
	w := newWorld(t, nil)
	_, _, err := w.inst.Git.CreateBlob(ctx, "acme", "api", &github.Blob{Content: github.String("x"), Encoding: github.String("utf-8")})
	if code, message := status(err); code != 409 || message != "Git Repository is empty." {
		t.Errorf("answered %d %q", code, message)
	}
}

func TestCompare(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})
	w.repo.Push("topic/one", "ada", "Topic", map[string]string{"new.md": "a\nb\n"})
	w.repo.Put("README.md", "bye\n", "Main")
	got, _, err := w.inst.Repositories.CompareCommits(ctx, "acme", "api", "main", "topic/one", nil)
	check(t, err)
	if got.GetStatus() != "diverged" || got.GetAheadBy() != 1 || got.GetBehindBy() != 1 || len(got.Files) != 1 {
		t.Errorf("comparison %v", got)
	}
	if f := got.Files[0]; f.GetFilename() != "new.md" || f.GetAdditions() != 2 || f.GetPatch() != "@@ -0,0 +1,2 @@\n+a\n+b" {
		t.Errorf("file %v", f)
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t, nil)
	w.repo.SetRules("main", pullRequestRule, githubtest.Rule{Type: "required_status_checks"},
		githubtest.Rule{Type: "merge_queue"}, githubtest.Rule{Type: "required_signatures"})
	w.repo.Protect("main", "")
	rules, _, err := w.inst.Repositories.GetRulesForBranch(ctx, "acme", "api", "main")
	check(t, err)
	if len(rules) != 4 || rules[0].Type != "pull_request" {
		t.Errorf("rules %v: a classic protection is not among them", rules)
	}
	if rules, _, err = w.inst.Repositories.GetRulesForBranch(ctx, "acme", "api", "other/branch"); err != nil || len(rules) != 0 {
		t.Errorf("rules of another branch: %v, %v", rules, err)
	}
}
