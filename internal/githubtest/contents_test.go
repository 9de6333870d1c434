package githubtest_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

// put writes the lessons file through the API.
func (w *world) put(content, sha string) (*github.RepositoryContentResponse, error) {
	opts := &github.RepositoryContentFileOptions{Message: github.String("Learn"), Content: []byte(content)}
	if sha != "" {
		opts.SHA = &sha
	}
	out, _, err := w.inst.Repositories.CreateFile(ctx, "acme", "api", lessons, opts)
	return out, err
}

func TestContentsWriteIsACompareAndSwap(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "hello\n"})

	first, err := w.put("one\n", "")
	check(t, err)
	// git hash-object: the id of "one\n" is not the stand-in's invention.
	if got := first.Content.GetSHA(); got != "5626abf0f72e58d7a153368ba57db4c673c0e171" {
		t.Errorf("blob id %s", got)
	}
	tests := []struct {
		name, sha string
		status    int
		message   string
	}{
		{"without the sha", "", 422, "Invalid request.\n\n\"sha\" wasn't supplied."},
		{"with a stale sha", strings.Repeat("0", 40), 409, lessons + " does not match " + strings.Repeat("0", 40)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.put("two\n", tt.sha)
			if code, message := status(err); code != tt.status || message != tt.message {
				t.Errorf("answered %d %q", code, message)
			}
		})
	}
	_, err = w.put("two\n", first.Content.GetSHA())
	check(t, err)

	commits := w.repo.Commits(lessons)
	if len(commits) != 2 || commits[0].Content != "two\n" || commits[1].Content != "one\n" {
		t.Fatalf("commits of the file: %+v", commits)
	}
	if c := commits[0]; !c.Verified || c.Author != "agent-lessons[bot]" || c.Committer != "web-flow" {
		t.Errorf("a commit without author is GitHub's, signed: %+v", c)
	}
}

func TestContentsOfAnEmptyRepository(t *testing.T) {
	w := newWorld(t, nil)
	_, _, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", lessons, nil)
	if code, message := status(err); code != 404 || message != "This repository is empty." {
		t.Errorf("reading: %d %q", code, message)
	}
	_, err = w.put("one\n", "")
	check(t, err)
	if got, _ := w.repo.File(lessons); got != "one\n" {
		t.Errorf("file %q", got)
	}
}

func TestContentsKinds(t *testing.T) {
	w := newWorld(t, map[string]string{
		"dir/a.md": "a\n", "target.md": "target\n", "link": "target.md", "dangling": "nowhere", "module": "x",
		"big.md": strings.Repeat("x", 1<<20+1),
	})
	w.repo.SetMode("link", "120000")
	w.repo.SetMode("dangling", "120000")
	w.repo.SetMode("module", "160000")
	tests := []struct{ path, kind, content string }{
		{"target.md", "file", "target\n"},
		{"link", "file", "target\n"},
		{"dangling", "symlink", ""},
		{"module", "submodule", ""},
		{"big.md", "file", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			file, _, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", tt.path, nil)
			check(t, err)
			content := ""
			if file.Content != nil && file.GetEncoding() != "none" {
				content, err = file.GetContent()
				check(t, err)
			}
			if file.GetType() != tt.kind || content != tt.content {
				t.Errorf("%s %q", file.GetType(), content)
			}
		})
	}
	_, dir, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", "dir", nil)
	check(t, err)
	if len(dir) != 1 || dir[0].GetPath() != "dir/a.md" {
		t.Errorf("directory %v", dir)
	}
	_, dir, _, err = w.inst.Repositories.GetContents(ctx, "acme", "api", "", nil)
	check(t, err)
	if len(dir) != 6 {
		t.Errorf("root %v", dir)
	}
}

func TestContentsRefusals(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*world)
		status  int
		message string
	}{
		{"archived", func(w *world) { w.repo.Archive() }, 403, "Repository was archived so is read-only."},
		{"ruleset", func(w *world) { w.repo.SetRules("main", pullRequestRule) }, 409, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n"},
		{"classic protection", func(w *world) { w.repo.Protect("main", "") }, 409, "Could not update file: Changes must be made through a pull request."},
		{"no branch", func(w *world) { w.repo.SetDefaultBranch("trunk") }, 404, "Branch trunk not found"},
		{"no permission", func(w *world) { w.SetPermissions(1, map[string]string{"metadata": "read", "contents": "read"}) }, 403, "Resource not accessible by integration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"README.md": "hello\n"})
			tt.prepare(w)
			_, err := w.put("one\n", "")
			if code, message := status(err); code != tt.status || message != tt.message {
				t.Errorf("answered %d %q", code, message)
			}
			if _, there := w.repo.File(lessons); there {
				t.Error("the refused write happened")
			}
		})
	}
}

// The ids of trees and commits are those that git gives the same objects.
func TestObjectIDsAreGits(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	w := newWorld(t, map[string]string{"a/b.txt": "b\n", "a.txt": "a\n", "a-z": "z\n"})
	dir := t.TempDir()
	script := `git init -q -b main . && mkdir a && echo b >a/b.txt && echo a >a.txt && echo z >a-z && git add . && ` +
		`printf 'Initial commit' | git commit -q --cleanup=verbatim -F - && git rev-parse HEAD`
	head := w.repo.Commits("")[0]
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	email := w.email(t, head.SHA)
	cmd.Env = []string{
		"PATH=/usr/bin:/bin:" + strings.TrimSuffix(git, "/git"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=maintainer", "GIT_AUTHOR_EMAIL=" + email, "GIT_AUTHOR_DATE=2026-11-30T12:00:00Z",
		"GIT_COMMITTER_NAME=maintainer", "GIT_COMMITTER_EMAIL=" + email, "GIT_COMMITTER_DATE=2026-11-30T12:00:00Z",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != head.SHA {
		t.Errorf("git made %s, the stand-in %s", got, head.SHA)
	}
}

func (w *world) email(t *testing.T, sha string) string {
	t.Helper()
	c, _, err := w.inst.Repositories.GetCommit(ctx, "acme", "api", sha, nil)
	check(t, err)
	return c.GetCommit().GetAuthor().GetEmail()
}
