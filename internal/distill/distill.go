// Package distill turns the findings of a review into at most two one-sentence lessons.
package distill

import (
	"context"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// MaxLessons is the most that one review may teach (mission: "one or two one-sentence lessons").
const MaxLessons = 2

// MaxChars is the greatest length of a lesson, in Unicode code points.
const MaxChars = 240

// MinTokens is the least number of distinct tokens (similarity.Tokens) in a lesson: a shorter one
// could never collapse onto its own rewording.
const MinTokens = 8

// Finding is one piece of a reviewer's raw text: the review's body, or an inline comment.
// Its text is hostile until the guard has seen it.
type Finding struct {
	Path string `json:"path,omitempty"` // repository path of an inline comment; "" for a body
	Line int    `json:"line,omitempty"` // line in Path; 0 when the comment is on the file or outdated
	Body string `json:"body"`           // Markdown as GitHub returns it
}

// Lesson is one distilled sentence and where it came from.
type Lesson struct {
	Text   string `json:"text"`   // one line, ends in a full stop, at least MinTokens tokens, at most MaxChars characters
	Source int    `json:"source"` // index into the findings of the one that the sentence came from
}

// Refusal is a candidate that the guard did not let become a lesson.
type Refusal struct {
	Text   string `json:"text"`   // the candidate, one line
	Source int    `json:"source"` // index into the findings
	Rule   string `json:"rule"`   // the guard's rule
	Reason string `json:"reason"` // why, for the owner of the repository
}

// Result is what a review teaches.
type Result struct {
	Lessons  []Lesson  `json:"lessons"`            // at most MaxLessons, best first
	Refused  []Refusal `json:"refused,omitempty"`  // what the guard kept out
	LeftOut  int       `json:"left_out,omitempty"` // findings that were not read, or only in part: the review is too large
	Fallback string    `json:"fallback,omitempty"` // why the extractive distiller answered in a model's place; "" when it did not
}

// admit adds a sentence to the lessons, unless the guard refuses it or one of the sentences that it
// was made of, or leaves too little of it.
func (r *Result) admit(text string, source int, madeOf ...string) {
	judged := guard.Check(text)
	for _, sentence := range madeOf {
		if !judged.Refused && sentence != "" {
			if whole := guard.Judge(sentence); whole.Refused {
				judged = whole
			}
		}
	}
	if judged.Refused {
		r.Refused = append(r.Refused, Refusal{Text: text, Source: source, Rule: judged.Rule, Reason: judged.Reason})
		return
	}
	if fits(judged.Sentence) {
		r.Lessons = append(r.Lessons, Lesson{Text: judged.Sentence, Source: source})
	}
}

// fits reports whether a sentence has the length that a lesson must have.
func fits(text string) bool {
	return utf8.RuneCountInString(text) <= MaxChars && len(similarity.Tokens(text)) >= MinTokens
}

// Distiller turns findings into lessons. No lesson and no error means that there is nothing to learn.
// Of a large review the largest findings are read, up to 256 KiB and 1000 in number.
type Distiller interface {
	Distill(ctx context.Context, findings []Finding) (Result, error)
}
