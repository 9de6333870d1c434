package store

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/githubtest/contract"
)

// shown stands in for the real rendering: a document is what it was up to "::", and the lessons.
func shown(lessons, document []byte) ([]byte, error) {
	owned, _, found := bytes.Cut(document, []byte("::"))
	if !found {
		return nil, errors.New("no place for lessons")
	}
	return append(append(bytes.Clone(owned), "::"...), lessons...), nil
}

// before runs a function once, before the first request that a method and the end of a path name.
type before struct {
	method, suffix string
	run            func()
}

func (b *before) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.run != nil && r.Method == b.method && strings.HasSuffix(r.URL.Path, b.suffix) {
		run := b.run
		b.run = nil
		run()
	}
	return http.DefaultTransport.RoundTrip(r)
}

func hub(t *testing.T, files map[string]string, documents ...string) (*githubtest.Server, *githubtest.Repository, GitHub, *before) {
	t.Helper()
	server := githubtest.New(githubtest.Options{})
	contract.Check(t, server)
	api := httptest.NewServer(server)
	t.Cleanup(api.Close)
	server.AddInstallation(1, "acme")
	repo := server.AddRepository(1, "acme/api", files)
	server.AddToken("token", repo, map[string]string{"contents": "write", "metadata": "read"})
	between := &before{}
	client := github.NewClient(&http.Client{Transport: between}).WithAuthToken("token")
	client.BaseURL, _ = url.Parse(api.URL + "/")
	return server, repo, GitHub{
		Client: client, Owner: "acme", Repo: "api", Path: ".agent-corp/lessons.md",
		Documents: Documents{Paths: documents, Render: shown},
	}, between
}

// Design decision 3: several files are one commit all the same.
func TestGitHubWritesDocumentsInTheSameCommit(t *testing.T) {
	t.Parallel()
	_, repo, g, _ := hub(t, map[string]string{
		".agent-corp/lessons.md": "old", "AGENTS.md": "mine \xff::old", ".cursor/rules/a.mdc": "a::", "README.md": "read me", "run.md": "x::",
	}, "AGENTS.md", ".cursor/rules/a.mdc", "run.md")
	repo.SetMode("run.md", "100755")
	commits := len(repo.Commits(""))
	was, err := g.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	commit, err := g.Write(t.Context(), was, []byte("new \xfe"), "lessons: 1 appended")
	if err != nil || commit.Notices != nil {
		t.Fatalf("%+v, %v", commit, err)
	}
	for path, want := range map[string]string{
		".agent-corp/lessons.md": "new \xfe", "AGENTS.md": "mine \xff::new \xfe", ".cursor/rules/a.mdc": "a::new \xfe", "README.md": "read me", "run.md": "x::new \xfe",
	} {
		if got, _ := repo.File(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	all := repo.Commits("")
	if made := all[0]; len(all) != commits+1 || made.SHA != commit.SHA || !made.Verified || made.Message != "lessons: 1 appended" || commit.URL == "" {
		t.Errorf("%d commits, the newest %+v; returned %+v", len(all)-commits, made, commit)
	}
	tree, _, err := g.Client.Git.GetTree(t.Context(), "acme", "api", "HEAD", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tree.Entries {
		if e.GetPath() == "run.md" && e.GetMode() != "100755" {
			t.Errorf("run.md is not executable any more: %s", e.GetMode())
		}
	}
}

func TestGitHubRequestsOfDocuments(t *testing.T) {
	t.Parallel()
	files := map[string]string{".agent-corp/lessons.md": "old", "AGENTS.md": "a::old", "CLAUDE.md": "mine"}
	const put = "PUT /repos/{owner}/{repo}/contents/{path}"
	reads := []string{
		"GET /repos/{owner}/{repo}", "GET /repos/{owner}/{repo}/git/ref/{ref}", "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
		"GET /repos/{owner}/{repo}/git/trees/{tree_sha}", "GET /repos/{owner}/{repo}/git/trees/{tree_sha}", "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
	}
	for name, c := range map[string]struct {
		documents []string
		content   string
		want      []string
	}{
		"none configured": {nil, "new", []string{put}},
		"one changes": {[]string{"AGENTS.md"}, "new", append(reads[:len(reads):len(reads)],
			"POST /repos/{owner}/{repo}/git/blobs", "POST /repos/{owner}/{repo}/git/blobs", "POST /repos/{owner}/{repo}/git/trees",
			"POST /repos/{owner}/{repo}/git/commits", "PATCH /repos/{owner}/{repo}/git/refs/{ref}")},
		"none changes": {[]string{"CLAUDE.md"}, "new", append(reads[:len(reads):len(reads)], put)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _, g, _ := hub(t, files, c.documents...)
			was, err := g.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			server.ResetRequests()
			if _, err := g.Write(t.Context(), was, []byte(c.content), "m"); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range server.Requests() {
				got = append(got, r.Route)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever anybody does in between is a lost race: nothing of theirs is overwritten.
func TestGitHubDocumentsLoseRaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, suffix string
		push           map[string]string
	}{
		"the lessons, before the tip is read": {"GET", "/acme/api", map[string]string{".agent-corp/lessons.md": "theirs"}},
		"the lessons, at the last moment":     {"PATCH", "/heads/main", map[string]string{".agent-corp/lessons.md": "theirs"}},
		"a document":                          {"PATCH", "/heads/main", map[string]string{"AGENTS.md": "theirs::"}},
		"another file":                        {"POST", "/git/trees", map[string]string{"main.go": "theirs"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, repo, g, between := hub(t, map[string]string{".agent-corp/lessons.md": "old", "AGENTS.md": "a::old"}, "AGENTS.md")
			was, err := g.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			between.method, between.suffix, between.run = c.method, c.suffix, func() { repo.Push("main", "mara", "theirs", c.push) }
			if _, err := g.Write(t.Context(), was, []byte("new"), "m"); !errors.Is(err, ErrConflict) {
				t.Fatalf("got %v", err)
			}
			for path, want := range c.push {
				if got, _ := repo.File(path); got != want {
					t.Errorf("%s is %q", path, got)
				}
			}
			again, err := g.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Write(t.Context(), again, []byte("new"), "m"); err != nil {
				t.Fatalf("again: %v", err)
			}
			if got, _ := repo.File("AGENTS.md"); !strings.HasSuffix(got, "::new") {
				t.Errorf("AGENTS.md is %q", got)
			}
		})
	}
}

func TestGitHubDocumentsUnderARule(t *testing.T) {
	t.Parallel()
	_, repo, g, _ := hub(t, map[string]string{".agent-corp/lessons.md": "old", "AGENTS.md": "a::old"}, "AGENTS.md")
	repo.SetRules("main", githubtest.Rule{Type: "pull_request"})
	was, _ := g.Read(t.Context())
	if _, err := g.Write(t.Context(), was, []byte("new"), "m"); !errors.As(err, new(*RuleError)) {
		t.Errorf("got %v", err)
	}
}

// A document that cannot be kept in step costs no lesson, and its owner is told.
func TestDocumentsThatCannotBeKeptInStep(t *testing.T) {
	t.Parallel()
	files := map[string]string{"no.md": "mine", "lfs.md": "version https://git-lfs.github.com/spec/v1\n", "link.md": "AGENTS.md", "AGENTS.md": "a::", "dir/x": "", "big.md": "::" + strings.Repeat("x", MaxBytes)}
	documents := []string{"no.md", "gone.md", "gone/too.md", "no.md/below.md", "lfs.md", "link.md", "dir", "big.md", "AGENTS.md"}
	want := []string{
		"no.md: no place for lessons", "gone.md: it does not exist", "gone/too.md: it does not exist", "no.md/below.md: ",
		"lfs.md: it is a Git LFS pointer", "link.md: it is a symbolic link; name the file", "dir: it is a directory", "big.md: it is, or would become, 1 MB",
	}
	check := func(t *testing.T, commit Commit, err error, document string) {
		t.Helper()
		if err != nil || document != "a::new" {
			t.Errorf("AGENTS.md is %q, %v", document, err)
		}
		if len(commit.Notices) != len(want) {
			t.Fatalf("notices %q", commit.Notices)
		}
		for i, notice := range commit.Notices {
			if !strings.HasPrefix(notice, want[i]) {
				t.Errorf("notice %q, want %q", notice, want[i])
			}
		}
	}
	t.Run("on GitHub", func(t *testing.T) {
		t.Parallel()
		_, repo, g, _ := hub(t, files, documents...)
		repo.SetMode("link.md", "120000")
		was, _ := g.Read(t.Context())
		commit, err := g.Write(t.Context(), was, []byte("new"), "m")
		document, _ := repo.File("AGENTS.md")
		check(t, commit, err, document)
	})
	t.Run("in a working tree", func(t *testing.T) {
		t.Parallel()
		tr := tree(t)
		for name, content := range files {
			put(t, Tree{Root: tr.Root, Path: name}, content)
		}
		link := filepath.Join(tr.Root, "link.md")
		if err := errors.Join(os.Remove(link), os.Symlink("AGENTS.md", link)); err != nil {
			t.Skip(err)
		}
		tr.Documents = Documents{Paths: documents, Render: shown}
		commit, err := tr.Write(t.Context(), Snapshot{}, []byte("new"), "")
		document, _ := os.ReadFile(filepath.Join(tr.Root, "AGENTS.md"))
		check(t, commit, err, string(document))
	})
}

func TestGitHubDocumentsOfAnEmptyRepository(t *testing.T) {
	t.Parallel()
	_, repo, g, _ := hub(t, nil, "AGENTS.md")
	if _, err := g.Write(t.Context(), Snapshot{}, []byte("new"), "m"); err != nil {
		t.Fatal(err)
	}
	if got, _ := repo.File(".agent-corp/lessons.md"); got != "new" {
		t.Errorf("got %q", got)
	}
}

// A lost race leaves the documents as they are, and no lock behind.
func TestTreeDocumentsLoseRaces(t *testing.T) {
	t.Parallel()
	tr := tree(t)
	tr.Documents = Documents{Paths: []string{"AGENTS.md"}, Render: shown}
	document := Tree{Root: tr.Root, Path: "AGENTS.md"}
	put(t, tr, "one")
	put(t, document, "a::one")
	was, _ := tr.Read(t.Context())
	put(t, tr, "a person's")
	if _, err := tr.Write(t.Context(), was, []byte("two"), ""); !errors.Is(err, ErrConflict) {
		t.Fatalf("got %v", err)
	}
	if now, _ := document.Read(t.Context()); string(now.Content) != "a::one" {
		t.Errorf("AGENTS.md is %q", now.Content)
	}
	put(t, Tree{Root: tr.Root, Path: "AGENTS.md.lock"}, "")
	was, _ = tr.Read(t.Context())
	commit, err := tr.Write(t.Context(), was, []byte("two"), "")
	if err != nil || len(commit.Notices) != 1 || !strings.Contains(commit.Notices[0], "run agent-lessons sync-docs") {
		t.Errorf("%+v, %v", commit, err)
	}
}

// A person's edit puts documents out of step: they are brought in step without a write of the lessons.
func TestSyncDocuments(t *testing.T) {
	t.Parallel()
	server, repo, g, between := hub(t, map[string]string{".agent-corp/lessons.md": "now", "AGENTS.md": "a::old", "CLAUDE.md": "c::now"}, "AGENTS.md", "CLAUDE.md")
	between.method, between.suffix, between.run = "PATCH", "/heads/main", func() { repo.Push("main", "mara", "theirs", map[string]string{"main.go": "x"}) }
	if _, err := g.SyncDocuments(t.Context(), "m"); !errors.Is(err, ErrConflict) {
		t.Fatalf("a lost race: %v", err)
	}
	done, err := g.SyncDocuments(t.Context(), "m")
	if document, _ := repo.File("AGENTS.md"); err != nil || document != "a::now" || len(done.Documents) != 1 || done.SHA != repo.Commits("")[0].SHA {
		t.Errorf("%q, %+v, %v", document, done, err)
	}
	if again, err := g.SyncDocuments(t.Context(), "m"); err != nil || again.SHA != "" || again.Documents != nil {
		t.Errorf("again: %+v, %v", again, err)
	}
	server.ResetRequests()
	_, err = (&Remote{GitHub: g, Proposes: true}).SyncDocuments(t.Context(), "m")
	g.Documents = Documents{}
	_, without := g.SyncDocuments(t.Context(), "m")
	if err != nil || without != nil || len(server.Requests()) != 0 {
		t.Errorf("through a pull request, and without documents: %d requests, %v, %v", len(server.Requests()), err, without)
	}

	tr := tree(t)
	tr.Documents = Documents{Paths: []string{"AGENTS.md"}, Render: shown}
	put(t, tr, "now")
	put(t, Tree{Root: tr.Root, Path: "AGENTS.md"}, "a::old")
	done, err = tr.SyncDocuments(t.Context(), "")
	if document, _ := os.ReadFile(filepath.Join(tr.Root, "AGENTS.md")); err != nil || string(document) != "a::now" || len(done.Documents) != 1 {
		t.Errorf("%q, %+v, %v", document, done, err)
	}
}
