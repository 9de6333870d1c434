package audit

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/transcript"
)

const (
	// broadShare is the share of sessions from which a lesson says nothing about any of them.
	broadShare = 0.8
	// fewSessions is how many sessions there must be to call a lesson too broad.
	fewSessions = 5
	maxSessions = 5_000
	// maxSaid bounds, in bytes, how much of a session is matched.
	maxSaid = 256 << 10
)

// Usage is how often lessons would have been shown in past sessions.
type Usage struct {
	Sessions   int       `json:"sessions"`
	Lessons    int       `json:"lessons"`
	Silent     []string  `json:"silent"`      // matched in no session
	SilentRate float64   `json:"silent_rate"` // their share of the lessons
	Broad      []Breadth `json:"too_broad"`
}

// Breadth is a lesson that matched in nearly all sessions.
type Breadth struct {
	File  string  `json:"file"`
	Share float64 `json:"share"` // of the sessions, 0 to 1
}

// Session is what of a transcript lessons are matched against.
type Session struct {
	Said  string
	Tools []string
}

// Measure matches every active lesson, each once, against every session as a whole: what was said by the
// user and the agent, and the tools in use. Rules that always apply are not counted.
func Measure(folders []Folder, sessions iter.Seq[Session]) Usage {
	var lessons []File
	for _, f := range folders {
		lessons = append(lessons, slices.DeleteFunc(slices.Clone(f.Files), func(f File) bool { return f.Other })...)
	}
	lessons = slices.DeleteFunc(unrepeated(lessons, groupByName(lessons)), func(f File) bool { return !f.Lesson.Active() || f.Lesson.AlwaysApply })
	hits := make([]atomic.Int64, len(lessons))
	waiting := make(chan Session) // one a worker at most is in memory
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for s := range waiting {
				context := gptme.NewContext(s.Said, s.Tools...)
				for i, f := range lessons {
					if f.Lesson.Match(context).Score > 0 {
						hits[i].Add(1)
					}
				}
			}
		})
	}
	u := Usage{Lessons: len(lessons), Silent: []string{}, Broad: []Breadth{}}
	for s := range sessions {
		u.Sessions++
		waiting <- s
	}
	close(waiting)
	wait.Wait()
	if u.Sessions == 0 { // which says nothing of anybody
		return u
	}
	for i, f := range lessons {
		share := float64(hits[i].Load()) / float64(max(1, u.Sessions))
		switch {
		case share == 0:
			u.Silent = append(u.Silent, f.Name)
		case share >= broadShare && u.Sessions >= fewSessions:
			u.Broad = append(u.Broad, Breadth{f.Name, share})
		}
	}
	u.SilentRate = float64(len(u.Silent)) / float64(max(1, len(lessons)))
	return u
}

// Sessions reads the transcripts of Claude Code and Codex below a folder, one after another. Once they
// are read, notes names those that could not be, and says whether there are more than are read.
func Sessions(folder string) (sessions iter.Seq[Session], notes func() []string, err error) {
	if _, err := os.ReadDir(folder); err != nil {
		return nil, nil, err
	}
	var said []string
	sessions = func(yield func(Session) bool) {
		found := 0
		_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error { // the visits return no error
			switch {
			case err != nil:
				said = append(said, err.Error())
				return nil
			case !entry.Type().IsRegular() || !strings.HasSuffix(name, ".jsonl"):
				return nil
			case found == maxSessions:
				said = append(said, fmt.Sprintf("there are more than %d sessions: the rest is not read", maxSessions))
				return fs.SkipAll
			}
			s, err := transcript.Open(name)
			if err != nil {
				said = append(said, err.Error())
				return nil
			}
			if len(s.Messages) == 0 {
				return nil
			}
			found++
			if !yield(sessionOf(s)) {
				return fs.SkipAll
			}
			return nil
		})
	}
	return sessions, func() []string { return said }, nil
}

var fenced = regexp.MustCompile("(?m)^```([\\w+-]+)")

// gptmeTools translates the names of other agents' tools.
var gptmeTools = map[string]string{
	"bash": "shell", "exec_command": "shell", "local_shell": "shell", "edit": "patch", "multiedit": "patch",
	"apply_patch": "patch", "write": "save", "webfetch": "browser", "websearch": "browser",
}

// sessionOf collects what was said, and the tools: those that ran, and as in gptme the languages of code.
func sessionOf(s transcript.Session) Session {
	var out Session
	var said strings.Builder
	add := func(tool string) {
		if !slices.Contains(out.Tools, tool) {
			out.Tools = append(out.Tools, tool)
		}
	}
	for _, m := range s.Messages {
		if said.Len() < maxSaid {
			said.WriteString(m.Text + "\n")
		}
		for _, t := range m.Tools {
			name := strings.ToLower(t.Name)
			if known, ok := gptmeTools[name]; ok {
				name = known
			}
			add(name)
		}
	}
	out.Said = said.String()
	out.Said = out.Said[:min(len(out.Said), maxSaid)]
	for _, m := range fenced.FindAllStringSubmatch(out.Said, -1) {
		add(strings.ToLower(m[1]))
	}
	return out
}
