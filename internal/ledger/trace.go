package ledger

import (
	"slices"
	"strings"
	"time"
)

// Commit is a commit that touched the lessons file, as git or GitHub tells of it.
type Commit struct {
	SHA     string
	Parent  string // the first parent; "" for none
	Author  string // a name or a login
	At      time.Time
	Message string
}

// Step is what one write did to a bullet.
type Step struct {
	Commit
	Touched
	Source Source // the event that the write answered
	Says   []string
}

// Trace returns what the commits, newest first, did to the bullet that has the handle, oldest step
// first. A bullet that was renamed or merged is followed back through its former handles. Says is
// the commit's own explanation.
func Trace(commits []Commit, handle string) []Step {
	names := map[string]bool{handle: true}
	var steps []Step
	for _, c := range commits {
		for _, entry := range slices.Backward(Parse(c.Message)) {
			for _, t := range slices.Backward(entry.Bullets) {
				if !names[t.Handle] && !names[t.To] {
					continue
				}
				names[t.Handle] = true
				steps = append(steps, Step{Commit: c, Touched: t, Source: entry.Source, Says: prose(c.Message)})
			}
		}
	}
	slices.Reverse(steps)
	return steps
}

// prose returns the lines of a commit's body that are no trailers of ours.
func prose(message string) []string {
	_, body, _ := strings.Cut(message, "\n")
	var out []string
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Lessons-") {
			out = append(out, line)
		}
	}
	return out
}
