package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// line is any line of either format; what a format does not have stays empty.
type line struct {
	Type string `json:"type"`
	CWD  string `json:"cwd"`

	// Claude Code
	SessionID   string `json:"sessionId"`
	IsSidechain bool   `json:"isSidechain"`      // what a sub-agent was told and said
	IsMeta      bool   `json:"isMeta"`           // said by the program in the user's name
	IsSummary   bool   `json:"isCompactSummary"` // of a conversation that is above
	Message     *said  `json:"message"`

	// Codex: an envelope, or, in the older form, the item itself
	Payload json.RawMessage `json:"payload"`
	said
	item
}

// said is a message in either format.
type said struct {
	ID      string          `json:"id"`
	Role    Role            `json:"role"`
	Content json.RawMessage `json:"content"` // a string, or a list of parts
}

// part is a piece of a message's content.
type part struct {
	Type  string          `json:"type"` // text, input_text, output_text, tool_use; others are left out
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// item is a tool call of Codex.
type item struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // of a function_call: a string with JSON in it
	Input     json.RawMessage `json:"input"`     // of a custom_tool_call
	Action    json.RawMessage `json:"action"`    // of a local_shell_call
}

// add reads one line into the session; nil is a line that was too long.
func (s *Session) add(src []byte) {
	var l line
	if src == nil || !decode(src, &l) {
		s.Skipped++
		return
	}
	switch {
	case l.SessionID != "":
		s.identify(ClaudeCode, l.SessionID, l.CWD)
		if (l.Type == "user" || l.Type == "assistant") && !l.IsSidechain && !l.IsMeta && !l.IsSummary && l.Message != nil {
			s.say(*l.Message)
		}
	case l.Payload != nil:
		s.addCodex(l.Type, l.Payload)
	case l.Type == "" && l.ID != "" && bytes.Contains(src, []byte(`"timestamp"`)): // the older form's first line
		s.identify(Codex, l.ID, l.CWD)
	case l.Type == "message", strings.HasSuffix(l.Type, "_call"):
		s.identify(Codex, "", "")
		s.addItem(l)
	}
}

// decode reports whether src is JSON. A field of an unexpected type stays empty: lines of kinds
// that we do not know use the same names for other things.
func decode(src []byte, into any) bool {
	err := json.Unmarshal(src, into)
	return err == nil || errors.As(err, new(*json.UnmarshalTypeError))
}

// addCodex reads the payload of an envelope.
func (s *Session) addCodex(kind string, payload json.RawMessage) {
	var l line
	decode(payload, &l)
	switch kind {
	case "session_meta":
		s.identify(Codex, l.ID, l.CWD)
	case "turn_context":
		s.identify(Codex, "", l.CWD)
	case "response_item": // event_msg repeats it for the screen
		s.identify(Codex, "", "")
		s.addItem(l)
	}
}

func (s *Session) addItem(l line) {
	switch l.Type {
	case "message":
		s.say(l.said)
	case "function_call", "custom_tool_call":
		s.Messages = append(s.Messages, Message{Role: Assistant, Tools: []ToolUse{tool(l.Name, l.Arguments, l.Input)}})
	case "local_shell_call":
		s.Messages = append(s.Messages, Message{Role: Assistant, Tools: []ToolUse{tool("shell", l.Action)}})
	}
}

// identify keeps what was told first: a session may change its folder, not where it began.
func (s *Session) identify(agent Agent, id, dir string) {
	if s.Agent == "" {
		s.Agent = agent
	}
	if s.ID == "" {
		s.ID = id
	}
	if s.Dir == "" {
		s.Dir = dir
	}
}

func (s *Session) say(m said) {
	if m.Role != User && m.Role != Assistant {
		return
	}
	message := Message{Role: m.Role}
	var texts []string
	for _, p := range parts(m.Content) {
		switch p.Type {
		case "text", "input_text", "output_text":
			if text := strings.TrimSpace(p.Text); text != "" && (m.Role != User || !injected(text)) {
				texts = append(texts, text)
			}
		case "tool_use":
			message.Tools = append(message.Tools, tool(p.Name, p.Input))
		}
	}
	message.Text = strings.Join(texts, "\n\n")
	if message.Text != "" || message.Tools != nil {
		s.Messages = append(s.Messages, message)
	}
}

// parts reads a message's content, none where it is neither a string nor a list of parts.
func parts(content json.RawMessage) []part {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []part{{Type: "text", Text: text}}
	}
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		return nil
	}
	var out []part
	for _, raw := range list {
		var p part
		decode(raw, &p)
		out = append(out, p)
	}
	return out
}

// injections begin what the programs write in the user's name.
var injections = []string{
	"<system-reminder>", "<command-name>", "<command-message>", "<local-command-", "<bash-", "Caveat: The messages below", // Claude Code
	"<environment_context>", "<user_instructions>", "<permissions", "<turn_aborted>", "# AGENTS.md instructions", // Codex
}

func injected(text string) bool {
	for _, prefix := range injections {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// tool takes the first input that is there.
func tool(name string, inputs ...json.RawMessage) ToolUse {
	use := ToolUse{Name: name}
	for _, raw := range inputs {
		if raw != nil {
			if json.Unmarshal(raw, &use.Input) != nil {
				use.Input = string(raw)
			}
			break
		}
	}
	use.Input = use.Input[:cut(use.Input, MaxInput)]
	return use
}

// cut returns the greatest length up to n at which s can be cut between two characters.
func cut(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
