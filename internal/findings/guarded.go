package findings

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// RefusedError says why the guard keeps a finding from agents.
type RefusedError struct {
	Field  string
	Reason string
}

// Error names field and reason, and quotes nothing.
func (e *RefusedError) Error() string { return fmt.Sprintf("%s: refused: %s", e.Field, e.Reason) }

// texts are the fields that agents read, with their names.
func (r *Record) texts() [3]struct {
	name string
	text *string
} {
	return [3]struct {
		name string
		text *string
	}{{"what_worked", &r.WhatWorked}, {"what_failed", &r.WhatFailed}, {"better_exit_condition", &r.BetterExitCondition}}
}

// guarded returns the record with each text as it may be shown to an agent: one line without
// secrets, shortened to what the guard takes. A text that speaks to the agent refuses the record,
// and so does one that is spread over names and texts: an agent reads them one after the other.
func guarded(r Record) (Record, error) {
	if err := guardNames(r); err != nil {
		return r, err
	}
	parts := []string{spoken(r.TaskType), spoken(r.Language)}
	said := false
	for _, t := range r.texts() {
		parts = append(parts, *t.text)
		text, err := guardText(t.name, *t.text)
		if err != nil {
			return r, err
		}
		*t.text = text
		said = said || text != ""
	}
	if !said {
		return r, &RefusedError{"what_worked", "the finding says nothing"}
	}
	if err := guardSeams(append(parts, spoken(strings.Join(r.Tags, " ")))); err != nil {
		return r, err
	}
	if r.Language = kebab(r.Language); strings.Count(r.Language, "-") >= languageWords {
		r.Language = "multiple"
	}
	return r, nil
}

// languageWords is how many words the name of a language may have; more are a list, or a sentence.
const languageWords = 3

// spoken is a name in kebab-case as an agent reads it.
func spoken(name string) string { return strings.ReplaceAll(name, "-", " ") }

// guardNames judges the names that a finding is found by, which are shown with it.
func guardNames(r Record) error {
	for _, n := range []struct{ name, text string }{
		{"task_type", r.TaskType}, {"language", r.Language}, {"tags", strings.Join(r.Tags, ". ")}, {"tags", strings.Join(r.Tags, " ")},
	} {
		if judged := guard.Judge(spoken(n.text)); judged.Refused {
			return &RefusedError{n.name, judged.Reason}
		}
	}
	return nil
}

// guardSeams judges what is said from the end of one part on into the next ones.
func guardSeams(parts []string) error {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	for i := 1; i < len(parts); i++ {
		if judged := guard.Judge(lastSentence(parts[i-1]) + " " + beginning(strings.Join(parts[i:], " "))); judged.Refused {
			return &RefusedError{"the fields together", judged.Reason}
		}
	}
	return nil
}

// seam is how many characters on either side of a seam are judged.
const seam = guard.MaxLength

func beginning(text string) string {
	return string([]rune(text)[:min(seam, utf8.RuneCountInString(text))])
}

// lastSentence returns the end of text, from the last sentence on, without its full stop.
func lastSentence(text string) string {
	const stops = ".!?…。！？\n"
	text = strings.TrimRight(text, stops+" ")
	if i := strings.LastIndexAny(text, stops); i >= 0 {
		text = text[i:]
	}
	runes := []rune(strings.TrimLeft(text, stops+" "))
	return string(runes[max(0, len(runes)-seam):])
}

func guardText(field, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	judged := guard.CheckNote(shorten(text))
	if judged.Refused {
		return "", &RefusedError{field, judged.Reason}
	}
	return judged.Sentence, nil
}

// room is left for the code spans and full stop that the guard adds.
const room = 100

// shorten cuts text at a word, so that it fits.
func shorten(text string) string {
	limit := guard.MaxNoteLength - room
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	runes := []rune(text)[:limit]
	for i := len(runes) - 1; i > limit/2; i-- {
		if runes[i] == ' ' || runes[i] == '\n' {
			runes = runes[:i]
			break
		}
	}
	return string(runes) + " …"
}
