// Package hooks puts the product's two hooks into the settings of Claude Code and Codex, and takes
// them out again. Both agents read the same structure (an event, groups of hooks with an optional
// matcher, commands), Claude Code as JSON, Codex as JSON or TOML. A file is edited where the hooks
// are: nothing else in it changes, comments, order of keys and line ends included. Pure: content in,
// content out.
package hooks

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Hook is a command that an agent runs at an event of a session.
type Hook struct {
	Event   string // as the agents name it
	Command string
	Timeout int // seconds after which the agent gives up on it
}

// All are the hooks of the product: what fits a prompt is recalled before the agent starts on it,
// and what a turn taught is recorded when it stops.
var All = []Hook{
	{Event: "UserPromptSubmit", Command: "agent-lessons hook before", Timeout: 5},
	{Event: "Stop", Command: "agent-lessons hook after", Timeout: 10},
}

// runs reports whether a command of a settings file runs the hook h: by whatever path, and with
// whatever flags a person added.
func (h Hook) runs(command string) bool {
	want, have := strings.Fields(h.Command), strings.Fields(command)
	if len(have) < len(want) {
		return false
	}
	program := strings.Trim(strings.ReplaceAll(have[0], `\`, "/"), `"'`)
	return strings.TrimSuffix(path.Base(program), ".exe") == want[0] && slices.Equal(have[1:len(want)], want[1:])
}

// ours reports whether a command runs any hook of the product.
func ours(command string) bool {
	return slices.ContainsFunc(All, func(h Hook) bool { return h.runs(command) })
}

// Format is how a settings file is written.
type Format struct {
	decode func(src []byte) (map[string]any, error)
	add    func(src []byte, h Hook) ([]byte, error)
	remove func(src []byte) ([]byte, error)
}

// Error reports a settings file that cannot be edited. It is left as it is.
type Error struct {
	Line   int // 1-based; 0 where no line is to blame
	Reason string
}

// Error names the line and the reason.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Install returns src with the hooks that it lacks, each behind those that are there already:
// agents trust a hook by its position. Doing it again changes nothing. Empty content is a file
// without settings.
func (f Format) Install(src []byte) ([]byte, error) {
	installed, err := f.Installed(src)
	if err != nil {
		return nil, err
	}
	out := src
	for _, h := range All {
		if slices.Contains(installed, h) {
			continue
		}
		if out, err = f.add(out, h); err != nil {
			return nil, err
		}
	}
	if now, err := f.Installed(out); err != nil || len(now) != len(All) {
		return nil, errors.Join(&Error{Reason: "the hooks would not be read back from it; add them by hand"}, err)
	}
	return out, nil
}

// Uninstall returns src without the hooks of the product, and without what only held them.
func (f Format) Uninstall(src []byte) ([]byte, error) {
	if _, err := f.decode(src); err != nil {
		return nil, err
	}
	out, err := f.remove(src)
	if err != nil {
		return nil, err
	}
	if left, err := f.Installed(out); err != nil || len(left) > 0 {
		return nil, errors.Join(&Error{Reason: "the hooks are written in a way that cannot be edited; remove them by hand"}, err)
	}
	return out, nil
}

// Installed returns the hooks that src has.
func (f Format) Installed(src []byte) ([]Hook, error) {
	tree, err := f.decode(src)
	if err != nil {
		return nil, err
	}
	var out []Hook
	for _, h := range All {
		if slices.ContainsFunc(commands(tree, h.Event), h.runs) {
			out = append(out, h)
		}
	}
	return out, nil
}

// HasAny reports whether src has hooks of any kind, a person's included.
func (f Format) HasAny(src []byte) (bool, error) {
	tree, err := f.decode(src)
	if err != nil {
		return false, err
	}
	events, _ := tree["hooks"].(map[string]any)
	for _, groups := range events { // beside them Codex keeps what it trusts, which is no list
		if _, ok := groups.([]any); ok {
			return true, nil
		}
	}
	return false, nil
}

// Off returns the setting by which a person switched all hooks off in src, "" for none.
func (f Format) Off(src []byte) string {
	tree, err := f.decode(src)
	if err != nil {
		return ""
	}
	features, _ := tree["features"].(map[string]any)
	switch {
	case tree["disableAllHooks"] == true:
		return "disableAllHooks is true"
	case features["hooks"] == false:
		return "features.hooks is false"
	case features["codex_hooks"] == false:
		return "features.codex_hooks is false"
	}
	return ""
}

// commands returns the commands of an event.
func commands(tree map[string]any, event string) []string {
	var out []string
	events, _ := tree["hooks"].(map[string]any)
	groups, _ := events[event].([]any)
	for _, g := range groups {
		group, _ := g.(map[string]any)
		list, _ := group["hooks"].([]any)
		for _, l := range list {
			hook, _ := l.(map[string]any)
			if command, ok := hook["command"].(string); ok {
				out = append(out, command)
			}
		}
	}
	return out
}

// splice replaces src[start:stop] by text.
func splice(src []byte, start, stop int, text string) []byte {
	return slices.Concat(src[:start], []byte(text), src[stop:])
}

// lineEnd returns the line end that src uses.
func lineEnd(src []byte) string {
	if strings.Contains(string(src), "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// lineOf returns the 1-based line of an offset in src.
func lineOf(src []byte, offset int) int { return 1 + strings.Count(string(src[:offset]), "\n") }
