package audit

import (
	"io/fs"
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
	maxSaid = 512 << 10
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
func Measure(folders []Folder, sessions []Session) Usage {
	var lessons []File
	for _, f := range folders {
		lessons = append(lessons, slices.DeleteFunc(slices.Clone(f.Files), func(f File) bool { return f.Other })...)
	}
	lessons = slices.DeleteFunc(unrepeated(lessons, groupByName(lessons)), func(f File) bool { return !f.Lesson.Active() || f.Lesson.AlwaysApply })
	hits := make([]atomic.Int64, len(lessons))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() {
			for n := first; n < len(sessions); n += workers {
				context := gptme.NewContext(sessions[n].Said, sessions[n].Tools...)
				for i, f := range lessons {
					if f.Lesson.Match(context).Score > 0 {
						hits[i].Add(1)
					}
				}
			}
		})
	}
	wait.Wait()
	u := Usage{Sessions: len(sessions), Lessons: len(lessons), Silent: []string{}, Broad: []Breadth{}}
	for i, f := range lessons {
		share := float64(hits[i].Load()) / float64(max(1, len(sessions)))
		switch {
		case share == 0:
			u.Silent = append(u.Silent, f.Name)
		case share >= broadShare && len(sessions) >= fewSessions:
			u.Broad = append(u.Broad, Breadth{f.Name, share})
		}
	}
	u.SilentRate = float64(len(u.Silent)) / float64(max(1, len(lessons)))
	return u
}

// LoadSessions reads the transcripts of Claude Code and Codex below a folder; notes name those that
// could not be read, and what the folder's bounds left out.
func LoadSessions(folder string) (sessions []Session, notes []string, err error) {
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == folder:
			return err
		case err != nil:
			notes = append(notes, err.Error())
			return nil
		case !entry.Type().IsRegular() || !strings.HasSuffix(name, ".jsonl"):
			return nil
		case len(sessions) == maxSessions:
			notes = append(notes, "there are more sessions than are read")
			return fs.SkipAll
		}
		s, err := transcript.Open(name)
		if err != nil {
			notes = append(notes, err.Error())
			return nil
		}
		if len(s.Messages) > 0 {
			sessions = append(sessions, sessionOf(s))
		}
		return nil
	})
	return sessions, notes, err
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
