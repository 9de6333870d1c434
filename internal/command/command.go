// Package command reads the commands that people write in comments: "/lesson …" on a line of its
// own (issue 4). Pure; what a command may do is not decided here.
package command

import (
	"regexp"
	"strings"
)

// Verb is what a command asks for.
type Verb string

// The verbs. Note has no word of its own: it is a sentence behind /lesson.
const (
	Note    Verb = "note"
	Keep    Verb = "keep"
	List    Verb = "list"
	Why     Verb = "why"
	Retire  Verb = "retire"
	Restore Verb = "restore"
	Help    Verb = "help"
)

// Command is one line of a comment that asks for something.
type Command struct {
	Verb   Verb
	Handle string // of why, retire and restore: as written, not yet looked for
	Text   string // the sentence of a note, the reason of a retirement
	// Mistake says why the line cannot be meant as it is written, "" for nothing.
	Mistake string
}

// linePattern matches a command's line, with the spaces that nobody sees. A word that only begins with it, such as /lessons, is none.
var linePattern = regexp.MustCompile(`(?i)^[ \t\x{200B}\x{FEFF}]*/lesson(?:[ \t\x{A0}]+(.*))?$`)

// Parse returns the commands of a comment's Markdown, in order: lines of their own that are not in
// a quote, a list, a code block, a code span or an HTML comment.
func Parse(body string) []Command {
	var out []Command
	for _, l := range commandLines(body) {
		out = append(out, read(l.rest))
	}
	return out
}

// Without returns a comment without the lines of its commands, for those who look for findings in it.
func Without(body string) string {
	var b strings.Builder
	at := 0
	for _, l := range commandLines(body) {
		b.WriteString(body[at:l.start])
		at = l.stop
	}
	return b.String() + body[at:]
}

// read understands what stands behind /lesson. A verb is written in lower case, so that a sentence
// may begin with any word.
func read(rest string) Command {
	verb, args, _ := strings.Cut(rest, " ")
	args = strings.TrimSpace(args)
	switch v := Verb(verb); v {
	case "":
		return Command{Verb: Help}
	case Keep, List, Help:
		return Command{Verb: v, Mistake: superfluous(v, args)}
	case Why, Restore:
		handle, more, _ := strings.Cut(args, " ")
		c := Command{Verb: v, Handle: bare(handle), Mistake: superfluous(v, more)}
		if handle == "" {
			c.Mistake = "it names no handle"
		}
		return c
	case Retire:
		handle, reason, _ := strings.Cut(args, " ")
		c := Command{Verb: v, Handle: bare(handle), Text: strings.TrimSpace(reason)}
		if handle == "" {
			c.Mistake = "it names no handle"
		}
		return c
	default:
		return Command{Verb: Note, Text: rest, Mistake: slip(rest)}
	}
}

var (
	// verbAlone matches a verb in letters of any case, behind marks that people put before it, with what follows.
	verbAlone = regexp.MustCompile(`(?i)^[-–—*•:\s]*(keep|list|why|retire|restore|help)[.:!]?(?:\s+(\S+)(\s.*)?)?$`)
	// looksLikeHandle tells eight digits of a handle, or fewer with a decimal one, from a word such as "face".
	looksLikeHandle = regexp.MustCompile(`^(?:[0-9a-f]{8}|[a-f]*[0-9][0-9a-f]*)$`)
)

// slip says which command a note must have been meant to be: one that is nothing but a verb, or a verb
// and a handle, would else become a lesson.
func slip(note string) string {
	m := verbAlone.FindStringSubmatch(note)
	if m == nil || m[2] != "" && !looksLikeHandle.MatchString(bare(m[2])) {
		return ""
	}
	return "it reads like the command `/lesson " + strings.ToLower(m[1]) + "`, which is written in lower case, right behind /lesson"
}

func superfluous(v Verb, args string) string {
	if args == "" {
		return ""
	}
	return "more words follow than it takes: a sentence that begins with the word " + string(v) + " is kept when it begins with a capital letter"
}

// bare takes off what people write around a handle that they copy.
func bare(handle string) string { return strings.ToLower(strings.Trim(handle, "`'\"<>[]().,#")) }
