// Package cifix decides what a fixed check teaches: which checks a pull request broke and a later
// commit of it fixed, and which sentence the output of the failed one comes to. It knows nothing
// of GitHub's API or the clock (issue 4, "CI-fix channel"). Whatever a check says is hostile: the
// author of a pull request writes it.
package cifix

import (
	"cmp"
	"regexp"
	"slices"
	"time"
)

// Run is one check run: of a matrix, one leg.
type Run struct {
	ID         int64
	App        string // slug of the App that the check belongs to
	Name       string // "test (ubuntu-latest, 1.26)"
	Conclusion string // GitHub's word; "" while it runs
	Completed  time.Time
}

// Commit is a commit of a pull request with the check runs on it, re-runs included or not.
type Commit struct {
	SHA  string
	Runs []Run
}

// Fix is a check that failed on one commit and passed on a later one. A matrix is one check.
type Fix struct {
	App, Check    string // Check is the name without its matrix
	Failed        []Run  // the legs that failed, as they failed last; never empty
	Before, After string // the commits on which the check failed last, and passed
	At            time.Time
}

// Outcome is what a check run's conclusion means here.
type Outcome int

// Neutral, skipped, cancelled and unknown conclusions say nothing, in either direction.
const (
	Silent Outcome = iota
	Running
	Passed
	Failed
)

// OutcomeOf reads a conclusion in any form that webhooks and the API have (github.md 1.5).
func OutcomeOf(conclusion string) Outcome {
	switch conclusion {
	case "":
		return Running
	case "success":
		return Passed
	case "failure", "timed_out":
		return Failed
	}
	return Silent
}

// matrix is what GitHub adds to the name of a job of a matrix.
var matrix = regexp.MustCompile(`^(.*\S)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)$`)

// Job returns a check's name without the leg of its matrix: "test" for "test (ubuntu, 1.26)".
func Job(name string) string {
	if m := matrix.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

type job struct{ app, name string }

func jobOf(r Run) job { return job{r.App, Job(r.Name)} }

// Fold returns the checks that the last of the commits fixed, oldest failure first, and the names
// of those that failed before and have not concluded on it yet. Commits are in their order. A check
// that both failed and passed on one commit is a flake, which forgets what was before; one that
// still fails in another leg of its matrix is not fixed.
func Fold(commits []Commit) (fixes []Fix, waiting []string) {
	if len(commits) == 0 {
		return nil, nil
	}
	type failure struct {
		Run
		at int // index of the commit
	}
	broken := map[Run]failure{} // by App and name alone
	for i, c := range commits[:len(commits)-1] {
		for key, o := range legs(c.Runs) {
			switch o.Outcome {
			case Failed:
				broken[key] = failure{o.last, i}
			case Passed:
				delete(broken, key)
			}
		}
	}
	last := legs(commits[len(commits)-1].Runs)
	open := map[job]Outcome{} // the jobs that still fail, or run
	for key, o := range last {
		if o.Outcome == Failed || o.Outcome == Running {
			open[jobOf(key)] = max(open[jobOf(key)], o.Outcome)
		}
	}
	byJob := map[job]*Fix{}
	for key, f := range broken {
		j, now := jobOf(key), last[key]
		if state, is := open[j]; is {
			if state == Running {
				waiting = append(waiting, j.name)
			}
			continue
		}
		if now.Outcome != Passed || now.flaky {
			continue
		}
		fix := byJob[j]
		if fix == nil {
			fix = &Fix{App: j.app, Check: j.name, After: commits[len(commits)-1].SHA}
			byJob[j] = fix
		}
		fix.Failed = append(fix.Failed, f.Run)
		if now.last.Completed.After(fix.At) {
			fix.At = now.last.Completed
		}
	}
	for _, fix := range byJob {
		slices.SortFunc(fix.Failed, func(a, b Run) int { return cmp.Compare(a.ID, b.ID) })
		newest := 0
		for _, run := range fix.Failed {
			newest = max(newest, broken[Run{App: run.App, Name: run.Name}].at)
		}
		fix.Before = commits[newest].SHA
		fixes = append(fixes, *fix)
	}
	slices.SortFunc(fixes, func(a, b Fix) int { return cmp.Compare(a.Failed[0].ID, b.Failed[0].ID) })
	slices.Sort(waiting)
	return fixes, slices.Compact(waiting)
}

// leg is what the runs of one leg on one commit come to.
type leg struct {
	Outcome
	last  Run
	flaky bool // it failed and passed on the same commit
}

// legs folds the runs of one commit, by App and name. The newest that says something counts; while
// one runs, it is that one.
func legs(runs []Run) map[Run]leg {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b Run) int {
		return cmp.Or(a.Completed.Compare(b.Completed), cmp.Compare(a.ID, b.ID))
	})
	out := map[Run]leg{}
	for _, r := range runs {
		key := Run{App: r.App, Name: r.Name}
		was, o := out[key], OutcomeOf(r.Conclusion)
		switch {
		case was.Outcome == Running:
			continue
		case o == Silent:
			continue
		case was.flaky, was.Outcome == Failed && o == Passed, was.Outcome == Passed && o == Failed:
			out[key] = leg{Passed, r, true}
			if o == Running {
				out[key] = leg{Running, r, true}
			}
		default:
			out[key] = leg{o, r, false}
		}
	}
	return out
}

// FailedIn reports whether the check failed among runs, of the base branch say: then the pull
// request did not break it.
func (f Fix) FailedIn(runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool {
		return jobOf(r) == job{f.App, f.Check} && OutcomeOf(r.Conclusion) == Failed
	})
}
