package cifix

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// commitsOf reads a pull request's history: "lint=failure lint=success, lint=success" are two
// commits, a and b. An id is the run's position; times follow it. A running check completed never.
func commitsOf(history string) []Commit {
	var out []Commit
	id := int64(0)
	for i, part := range strings.Split(history, ",") {
		c := Commit{SHA: string(rune('a' + i))}
		for _, field := range strings.Split(strings.TrimSpace(part), "; ") {
			name, conclusion, ok := strings.Cut(field, "=")
			if !ok {
				continue
			}
			id++
			r := Run{ID: id, App: "github-actions", Name: name, Conclusion: conclusion}
			if app, rest, ok := strings.Cut(name, "/"); ok {
				r.App, r.Name = app, rest
			}
			if conclusion != "" {
				r.Completed = time.Date(2026, 11, 1, 0, 0, int(id), 0, time.UTC)
			}
			c.Runs = append(c.Runs, r)
		}
		out = append(out, c)
	}
	return out
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, history, want, waiting string }{
		{"fixed by a later commit", "lint=failure, lint=success", "lint a→b #1", ""},
		{"timed out, then fixed", "lint=timed_out, lint=success", "lint a→b #1", ""},
		{"fixed two commits later", "lint=failure, , lint=success", "lint a→c #1", ""},
		{"failed twice: the newest failure counts", "lint=failure, lint=failure, lint=success", "lint b→c #2", ""},
		{"never failed", "lint=success, lint=success", "", ""},
		{"still failing", "lint=failure, lint=failure", "", ""},
		{"a re-run that passes on the same commit", "lint=failure; lint=success, lint=success", "", ""},
		{"a re-run that fails on the same commit", "lint=failure; lint=failure, lint=success", "lint a→b #2", ""},
		{"the fix itself needed a re-run", "lint=failure, lint=failure; lint=success", "", ""},
		{"passed and failed on one commit", "lint=success; lint=failure, lint=success", "", ""},
		{"a re-run is running", "lint=failure, lint=failure; lint=", "", "lint"},
		{"fixed before, by another commit", "lint=failure, lint=success, lint=success", "", ""},
		{"broken again and fixed again", "lint=failure, lint=success, lint=failure, lint=success", "lint c→d #3", ""},
		{"neutral is no success", "lint=failure, lint=neutral", "", ""},
		{"skipped is no success", "lint=failure, lint=skipped", "", ""},
		{"cancelled is no success", "lint=failure, lint=cancelled", "", ""},
		{"a conclusion that nobody knows yet", "lint=failure, lint=pondering", "", ""},
		{"cancelled is no failure", "lint=cancelled, lint=success", "", ""},
		{"stale is no failure", "lint=stale, lint=success", "", ""},
		{"action_required is no failure", "lint=action_required, lint=success", "", ""},
		{"skipped in between", "lint=failure, lint=skipped, lint=success", "lint a→c #1", ""},
		{"did not run in between", "lint=failure, build=success, lint=success", "lint a→c #1", ""},
		{"it runs", "lint=failure, lint=", "", "lint"},
		{"another one runs that never failed", "lint=failure, lint=success; build=", "lint a→b #1", ""},
		{"another one runs that failed before", "lint=failure; build=failure, lint=success; build=", "lint a→b #1", "build"},
		{"the same name of two Apps", "x/lint=failure; y/lint=success, x/lint=failure; y/lint=success", "", ""},
		{"several by one push", "lint=failure; test=failure, lint=success; test=success", "lint a→b #1 | test a→b #2", ""},
		{"a matrix counts once", "test (a)=failure; test (b)=failure, test (a)=success; test (b)=success", "test a→b #1 #2", ""},
		{"one leg of a matrix failed", "test (a)=success; test (b)=failure, test (a)=success; test (b)=success", "test a→b #2", ""},
		{"one leg still fails", "test (a)=failure; test (b)=failure, test (a)=success; test (b)=failure", "", ""},
		{"one leg still runs", "test (a)=failure; test (b)=failure, test (a)=success; test (b)=", "", "test"},
		{"another leg fails now", "test (a)=failure; test (b)=success, test (a)=success; test (b)=failure", "", ""},
		{"legs failed on different commits", "test (a)=failure, test (a)=skipped; test (b)=failure, test (a)=success; test (b)=success", "test b→c #1 #3", ""},
		{"one commit alone", "lint=failure", "", ""},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fixes, waiting := Fold(commitsOf(c.history))
			var got []string
			for _, f := range fixes {
				text := fmt.Sprintf("%s %s→%s", f.Check, f.Before, f.After)
				for _, r := range f.Failed {
					text += fmt.Sprintf(" #%d", r.ID)
				}
				if f.At.IsZero() {
					t.Errorf("%s has no time", text)
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " | ")); diff != "" {
				t.Errorf("fixes (-want +got):\n%s", diff)
			}
			if got := strings.Join(waiting, " "); got != c.waiting {
				t.Errorf("waiting for %q, want %q", got, c.waiting)
			}
		})
	}
	if fixes, waiting := Fold(nil); fixes != nil || waiting != nil {
		t.Error("no commits fix nothing")
	}
}

func TestJob(t *testing.T) {
	for name, want := range map[string]string{
		"lint": "lint", "test (ubuntu-latest, 1.26)": "test", "CI / test (1)": "CI / test",
		"test (a (b), c)": "test", "(odd)": "(odd)", "": "", "a (b) c": "a (b) c",
	} {
		if got := Job(name); got != want {
			t.Errorf("Job(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFailedIn(t *testing.T) {
	fix := Fix{App: "github-actions", Check: "test"}
	for history, want := range map[string]bool{
		"test=failure": true, "test (a)=timed_out": true, "test=success": false, "other=failure": false,
		"x/test=failure": false, "test=": false, "test=failure; test=success": true, "": false,
	} {
		if got := fix.FailedIn(commitsOf(history)[0].Runs); got != want {
			t.Errorf("base %q: %v, want %v", history, got, want)
		}
	}
}
