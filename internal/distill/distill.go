// Package distill turns the findings of a review into at most two one-sentence lessons.
package distill

import "context"

// MaxLessons is the most that one review may teach (mission: "one or two one-sentence lessons").
const MaxLessons = 2

// Finding is one piece of a reviewer's raw text: the review's body, or an inline comment.
// Its text is hostile until the guard has seen it.
type Finding struct {
	Path string `json:"path,omitempty"` // repository path of an inline comment; "" for a body
	Line int    `json:"line,omitempty"` // line in Path; 0 when the comment is on the file or outdated
	Body string `json:"body"`           // Markdown as GitHub returns it
}

// Lesson is one distilled sentence and where it came from.
type Lesson struct {
	Text   string `json:"text"`   // one line, ends in a full stop, at least 8 tokens, at most 240 characters
	Source int    `json:"source"` // index into the findings of the one that the sentence came from
}

// Distiller turns findings into at most MaxLessons lessons, best first. No lesson and no error
// means that there is nothing to learn.
type Distiller interface {
	Distill(ctx context.Context, findings []Finding) ([]Lesson, error)
}
