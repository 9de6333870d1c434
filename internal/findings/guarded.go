package findings

import (
	"fmt"
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
// secrets, shortened to what the guard takes. A text that speaks to the agent refuses the record.
func guarded(r Record) (Record, error) {
	said := false
	for _, t := range r.texts() {
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
	r.Language = kebab(r.Language)
	return r, nil
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
