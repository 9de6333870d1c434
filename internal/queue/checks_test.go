package queue

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Each story's events come in order: what fails, and last what passes.
func testChecks(t *testing.T, open database) {
	q := open(Config{})
	ctx, c := t.Context(), q.Checks()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct {
		name   string
		heads  map[string]int // of pull requests, as their events told
		failed []Check
		passed Check
		pull   int
		fixes  bool
	}{
		{"nothing failed", nil, nil, Check{Name: "lint", SHA: "b", Pulls: []int{1}}, 0, false},
		{"fixed", nil, []Check{{Name: "lint", SHA: "a", Pulls: []int{1}}}, Check{Name: "lint", SHA: "b", Pulls: []int{1}}, 1, true},
		{"the same commit", nil, []Check{{Name: "lint", SHA: "a", Pulls: []int{1}}}, Check{Name: "lint", SHA: "a", Pulls: []int{1}}, 0, false},
		{"another check", nil, []Check{{Name: "test", SHA: "a", Pulls: []int{1}}}, Check{Name: "lint", SHA: "b", Pulls: []int{1}}, 0, false},
		{"another pull request", nil, []Check{{Name: "lint", SHA: "a", Pulls: []int{1}}}, Check{Name: "lint", SHA: "b", Pulls: []int{2}}, 0, false},
		{"one of several pull requests", nil, []Check{{Name: "lint", SHA: "a", Pulls: []int{1, 2}}}, Check{Name: "lint", SHA: "b", Pulls: []int{2, 3}}, 2, true},
		{"a fork's, whose events told", map[string]int{"a": 7, "b": 7}, []Check{{Name: "lint", SHA: "a"}}, Check{Name: "lint", SHA: "b"}, 7, true},
		{"two forks'", map[string]int{"a": 7, "b": 8}, []Check{{Name: "lint", SHA: "a"}}, Check{Name: "lint", SHA: "b"}, 0, false},
		{"a fork's, whose events nobody saw", nil, []Check{{Name: "lint", SHA: "a"}}, Check{Name: "lint", SHA: "b"}, 0, true},
		{"a pull request's, and none's", nil, []Check{{Name: "lint", SHA: "a", Pulls: []int{1}}}, Check{Name: "lint", SHA: "b"}, 0, false},
		{"none's, and a pull request's", nil, []Check{{Name: "lint", SHA: "a"}}, Check{Name: "lint", SHA: "b", Pulls: []int{1}}, 0, false},
		{"two branches without a pull request", nil, []Check{{Name: "lint", SHA: "a", Branch: "x"}}, Check{Name: "lint", SHA: "b", Branch: "y"}, 0, false},
		{"opened after it had failed", map[string]int{"a": 1}, []Check{{Name: "lint", SHA: "a", Branch: "x"}}, Check{Name: "lint", SHA: "b", Branch: "x", Pulls: []int{1}}, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			repo := int64(i + 1)
			for _, k := range tt.failed {
				k.Repository = repo
				must(c.Failed(ctx, k))
				must(c.Failed(ctx, k)) // a redelivery
			}
			for sha, pull := range tt.heads {
				must(c.Head(ctx, repo, pull, sha))
			}
			tt.passed.Repository = repo
			pull, fixes, err := c.Passed(ctx, tt.passed)
			must(err)
			if pull != tt.pull || fixes != tt.fixes {
				t.Errorf("pull request %d, fixes %v; want %d, %v", pull, fixes, tt.pull, tt.fixes)
			}
			if fixing, err := c.Fixing(ctx, repo, tt.passed.SHA); err != nil || fixing != tt.fixes {
				t.Errorf("fixing %v, %v", fixing, err)
			}
			if !tt.fixes {
				return
			}
			if _, again, err := c.Passed(ctx, tt.passed); err != nil || again {
				t.Errorf("it is fixed again: %v, %v", again, err)
			}
			shas, _, err := c.Failures(ctx, repo, tt.pull, tt.passed.SHA)
			must(err)
			if !slices.Equal(shas, []string{"a"}) {
				t.Errorf("failures on %v", shas)
			}
			must(c.Learned(ctx, repo, tt.passed.SHA))
			if fixing, err := c.Fixing(ctx, repo, tt.passed.SHA); err != nil || fixing {
				t.Errorf("learned, and fixing %v, %v", fixing, err)
			}
			must(c.Closed(ctx, repo, tt.pull))
			if shas, _, err := c.Failures(ctx, repo, tt.pull, tt.passed.SHA); err != nil || tt.pull != 0 && len(shas) > 0 {
				t.Errorf("closed, and failures on %v, %v", shas, err)
			}
		})
	}
}

func testForgetsChecks(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	c, ctx := q.Checks(), t.Context()
	for i := range pruneStep + 10 {
		if err := c.Failed(ctx, Check{Repository: 1, Name: "lint", SHA: fmt.Sprint("old", i), Pulls: []int{1}}); err != nil {
			t.Fatal(err)
		}
	}
	now.advance(rememberChecks + time.Minute)
	if err := c.Failed(ctx, Check{Repository: 1, Name: "lint", SHA: "new", Pulls: []int{1}}); err != nil {
		t.Fatal(err)
	}
	q.prune()
	if shas, _, err := c.Failures(ctx, 1, 1, "fix"); err != nil || !slices.Equal(shas, []string{"new"}) {
		t.Errorf("left are %v, %v", shas, err)
	}
}

// On commit b: what it waits for of what failed on a, and whose event it waits for.
func testPending(t *testing.T, open database) {
	q := open(Config{})
	ctx, c := t.Context(), q.Checks()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	on := func(name, sha string, pull int) Check {
		return Check{Repository: 1, Name: name, SHA: sha, Pulls: []int{pull}}
	}
	for _, name := range []string{"lint", "vet", "test", "build"} {
		must(c.Failed(ctx, on(name, "a", 1)))
	}
	must(c.Failed(ctx, on("foreign", "x", 2)))
	pending := func(want ...string) {
		t.Helper()
		got, err := c.Pending(ctx, on("any", "b", 1))
		must(err)
		if !slices.Equal(got, want) {
			t.Errorf("pending are %q, want %q", got, want)
		}
	}
	pending("build", "lint", "test", "vet")
	_, _, err := c.Passed(ctx, on("lint", "b", 1))
	must(err)
	pending("build", "test", "vet")
	must(c.Silent(ctx, on("vet", "b", 1)))
	must(c.Failed(ctx, on("test", "b", 1)))
	pending("build")
	for name, want := range map[string]bool{"lint": true, "build": true, "foreign": false, "another": false} {
		if awaited, err := c.Awaited(ctx, on(name, "b", 1)); err != nil || awaited != want {
			t.Errorf("%s is awaited: %v, %v", name, awaited, err)
		}
	}
	if heads, err := c.Unlearned(ctx, 1, 1); err != nil || !slices.Equal(heads, []string{"b"}) {
		t.Errorf("unlearned are %q, %v", heads, err)
	}
	must(c.Learned(ctx, 1, "b"))
	if heads, err := c.Unlearned(ctx, 1, 1); err != nil || len(heads) != 0 {
		t.Errorf("unlearned are %q, %v", heads, err)
	}
}

func testNotBefore(t *testing.T, open database) {
	now := newClock()
	q := open(Config{Now: now.Now})
	in := intent("later", 1)
	in.NotBefore = now.Now().Add(time.Hour)
	if _, err := q.Put(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{0, 1} {
		if due, err := q.Due(t.Context(), 1, in.Kind, 0, 10); err != nil || len(due) != want {
			t.Errorf("%d are due, %v; want %d", len(due), err, want)
		}
		now.advance(time.Hour)
	}
}
