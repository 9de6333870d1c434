// Package scaffold makes the files that a repository begins with: its configuration and its
// workflows. Pure.
package scaffold

import (
	"regexp"
	"strings"

	agentlessons "github.com/agent-corp/agent-lessons"
	"github.com/agent-corp/agent-lessons/internal/config"
)

// File is one file to begin with.
type File struct {
	Path    string // slash-separated, from the repository's top
	Content string
}

// Action is the version of the Action that workflows run.
type Action struct {
	Commit string // a whole commit id: what a workflow pins cannot be moved
	Name   string // "v1.2.3", for people; "" for none
}

// Configuration returns the configuration with all keys, none of them set.
func Configuration() File { return File{config.Path, config.Commented()} }

// BesideApp returns the workflows of a repository where the App learns.
func BesideApp(a Action) []File {
	return []File{
		{".github/workflows/lessons-metrics.yml", a.workflow(agentlessons.MetricsWorkflow)},
		{".github/workflows/lessons-sweep.yml", a.workflow(agentlessons.SweepWorkflow)},
	}
}

// NoServer returns the workflow of a repository without the App.
func NoServer(a Action) []File {
	return []File{{".github/workflows/lessons.yml", a.workflow(agentlessons.NoServerWorkflow)}}
}

// What this repository's workflows have for it alone.
var (
	aside   = regexp.MustCompile(`(?m)^#\n(?:#.*\n)+`) // the second paragraph of the head
	chooses = regexp.MustCompile(`(?m)^    if: vars\.AGENT_LESSONS \S+ 'no-server'\n|vars\.AGENT_LESSONS == 'no-server' && `)
	checks  = regexp.MustCompile(`(?m)^      - uses: actions/checkout@.*\n(?:        .*\n)*`)
)

// workflow makes of a workflow of this repository one of another.
func (a Action) workflow(own string) string {
	uses := "agent-corp/agent-lessons@" + a.Commit
	if a.Name != "" {
		uses += " # " + a.Name
	}
	for _, part := range []*regexp.Regexp{aside, chooses, checks} {
		own = part.ReplaceAllString(own, "")
	}
	return strings.Replace(own, "uses: ./\n", "uses: "+uses+"\n", 1)
}

// Attributes returns what .gitattributes must say besides, where its rules hand the lessons file to
// Git LFS: the API would see a pointer in its place.
func Attributes(before, store string) string {
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return before + "/" + store + " !filter !diff !merge text\n"
}
