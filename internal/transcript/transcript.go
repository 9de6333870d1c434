// Package transcript reads what coding agents write down of their sessions: the JSON lines of
// Claude Code (~/.claude/projects/FOLDER/SESSION.jsonl) and of Codex
// (~/.codex/sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl, the older form without envelopes
// too). Which of the two it is, each line says itself.
//
//	session, err := transcript.Open(path)         // all of it: what was said, which tools ran
//	session, err := transcript.Tail(path, 60_000) // the newest 60,000 bytes of what was said
//
// Neither format is promised by its agent. A line that is unknown, broken, cut off or longer
// than MaxLine is left out and counted; it never fails the reading. All text is the agent's and
// its user's: hostile until package guard has seen it.
package transcript

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// MaxLine is the greatest length of a line that is read, in bytes. Longer ones are tool results
// with whole files or pictures in them.
const MaxLine = 4 << 20

// MaxInput is the most that is kept of a tool's input, in bytes.
const MaxInput = 8 << 10

// Agent names the program that wrote a transcript.
type Agent string

// The agents whose transcripts are read.
const (
	ClaudeCode Agent = "claude-code"
	Codex      Agent = "codex"
)

// Role is who speaks.
type Role string

// The roles; what a program injected (system and developer messages, reminders, tool results,
// side chains of sub-agents) is in no message.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Session is what a transcript holds.
type Session struct {
	Agent    Agent  // "" when no line told
	ID       string // as the transcript gives it, unchecked; "" when no line told
	Dir      string // working directory at the start, absolute as that machine writes it; "" when no line told
	Messages []Message
	Skipped  int  // lines that were broken, cut off or too long
	Partial  bool // older messages were left out by Tail
}

// Message is one thing said, or a use of tools, or both.
type Message struct {
	Role  Role
	Text  string // Markdown; "" when only tools were used
	Tools []ToolUse
}

// ToolUse is one call of a tool by the agent.
type ToolUse struct {
	Name  string // "Bash", "Edit", "shell", "mcp__server__tool"
	Input string // JSON or plain text as the agent wrote it, cut to MaxInput bytes
}

// Open reads the whole transcript at path. The error is the file system's.
func Open(path string) (Session, error) {
	file, err := os.Open(path)
	if err != nil {
		return Session{}, err
	}
	defer file.Close()
	return Read(file)
}

// Read reads a transcript. The error is the reader's; what was read before it is returned.
func Read(r io.Reader) (Session, error) {
	var s Session
	err := lines(r, s.add)
	return s, err
}

// lines calls add with each line that is not blank, nil in place of one longer than MaxLine.
func lines(r io.Reader, add func(line []byte)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		switch {
		case long:
			add(nil)
		case !blank(line):
			add(line)
		}
		line, long = line[:0], false
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}
