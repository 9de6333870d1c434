package trend

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Versions returns the lessons file as a commit left it; nil where it has none.
type Versions func(sha string) ([]byte, error)

// Rows returns the writes that commits tell of, oldest first. The commits come newest first, as git and
// GitHub list them. An entry that several messages hold, as after a squash, counts once. A commit that
// a later one reverts counts for nothing, and neither does the revert. Where a message holds no
// entry (a squash lost it, or a person wrote), the row is recomputed from the two versions of the
// file (design decision 4); versions nil leaves such commits out.
func Rows(commits []ledger.Commit, versions Versions) ([]Row, error) {
	kept := withoutReverted(commits)
	var rows []Row
	seen := map[string]bool{}
	for i := len(kept) - 1; i >= 0; i-- {
		c := kept[i]
		entries := ledger.Parse(c.Message)
		if len(entries) == 0 && versions != nil {
			entry, changed, err := lost(c, versions)
			if err != nil {
				return nil, err
			}
			if changed {
				rows = append(rows, Row{At: c.At, SHA: c.SHA, Entry: entry})
			}
			continue
		}
		for _, e := range entries {
			if name := nameOf(e); name == "" || !seen[name] {
				seen[name] = true
				rows = append(rows, Row{At: c.At, SHA: c.SHA, Entry: e})
			}
		}
	}
	return rows, nil
}

// nameOf tells entries apart by their event and what it did. A sweep that names no bullet has no name.
func nameOf(e ledger.Entry) string {
	if e.Source == ledger.Sweep() && len(e.Bullets) == 0 {
		return ""
	}
	return fmt.Sprint(e.Source, e.Bullets)
}

var revertPattern = regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{7,40})`)

// withoutReverted leaves out what a later commit reverted, and the reverts. A revert that was itself
// reverted reverts nothing.
func withoutReverted(commits []ledger.Commit) []ledger.Commit {
	var kept []ledger.Commit
	var void []string
	for _, c := range commits {
		if isVoid(c.SHA, void) {
			continue
		}
		if m := revertPattern.FindStringSubmatch(c.Message); m != nil {
			void = append(void, m[1])
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

func isVoid(sha string, void []string) bool {
	for _, v := range void {
		if strings.HasPrefix(sha, v) {
			return true
		}
	}
	return false
}

// lost recomputes the numbers of a commit from the file before and after it.
func lost(c ledger.Commit, versions Versions) (e ledger.Entry, changed bool, err error) {
	var before, after []byte
	if c.Parent != "" {
		before, err = versions(c.Parent)
	}
	if err == nil {
		after, err = versions(c.SHA)
	}
	if err != nil {
		return e, false, fmt.Errorf("the lessons file at %.10s: %w", c.SHA, err)
	}
	e, changed = Recompute(lesson.Parse(before), lesson.Parse(after))
	return e, changed, nil
}

// Recompute returns the numbers of a write by the bullets with a trailer, told apart by their sentences,
// and whether there was any.
func Recompute(before, after *lesson.File) (e ledger.Entry, changed bool) {
	was, is := byHandle(before), byHandle(after)
	for handle, now := range is {
		old, there := was[handle]
		switch {
		case !there && !now.Retired():
			e.Appended++
		case !there, old.Retired():
		case now.Retired():
			e.Retired++
		case now.Earned > old.Earned || old.Date.Before(now.Date):
			e.Refreshed++
		}
	}
	for handle := range was {
		if _, there := is[handle]; !there {
			e.Evicted++
		}
	}
	changed = e.Appended+e.Refreshed+e.Retired+e.Evicted > 0
	e.Active, e.Total = after.Counts()
	return e, changed
}

func byHandle(f *lesson.File) map[string]lesson.Trailer {
	out := map[string]lesson.Trailer{}
	for _, b := range f.Bullets() {
		if b.Trailer != nil {
			out[b.Handle()] = *b.Trailer
		}
	}
	return out
}
