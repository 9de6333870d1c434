// Package hook is what the product does when an agent calls it: before a task it adds what earlier
// ones taught, after a turn it records what this one did. Claude Code and Codex send the same JSON
// on standard input and read the same on standard output; a field that one of them leaves out is
// empty here. Pure but for Record, which reads a transcript and writes a store.
package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The events that the hooks are for, as both agents name them.
const (
	SessionStart     = "SessionStart"
	UserPromptSubmit = "UserPromptSubmit"
	Stop             = "Stop"
	SessionEnd       = "SessionEnd"
)

// maxInput bounds what is read of an event, in bytes: a prompt may hold a pasted file.
const maxInput = 8 << 20

// Event is what an agent says of the moment.
type Event struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`      // "" unless it is a UUID
	Transcript string `json:"transcript_path"` // "" unless it is absolute and plain
	Dir        string `json:"cwd"`
	Prompt     string `json:"prompt"`
}

var sessionID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// Read reads an event. A session or a path that is not what it should be is left out; the error
// is for input that is no event at all.
func Read(r io.Reader) (Event, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return Event{}, err
	}
	if len(src) > maxInput {
		return Event{}, fmt.Errorf("the event is larger than %d bytes", maxInput)
	}
	var e Event
	if err := json.Unmarshal(src, &e); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return Event{}, fmt.Errorf("the event is no JSON object: %w", err)
	}
	if !sessionID.MatchString(e.Session) {
		e.Session = ""
	}
	if !filepath.IsAbs(e.Transcript) || slices.Contains(strings.Split(filepath.ToSlash(e.Transcript), "/"), "..") {
		e.Transcript = ""
	}
	if !filepath.IsAbs(e.Dir) {
		e.Dir = ""
	}
	return e, nil
}
