package cifix

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

// Failure is what is known of a check that failed and was fixed.
type Failure struct {
	Check                string // its name without the matrix
	Step                 string // the step of the job that failed, "" when unknown
	Title, Summary, Text string // the check's output, Markdown or plain
	Annotations          []Annotation
	Subjects             []string // first lines of the commits up to the fix
	Touched              []string // paths that they touched
}

// Annotation is a check's remark on a line.
type Annotation struct {
	Path    string // in the repository; ".github" where it is on none of its files
	Line    int
	Level   string // "failure", "warning", "notice"
	Title   string
	Message string
}

// Bounds of what is read of one failure.
const (
	maxAnnotations = 50
	maxMessage     = 2 << 10  // bytes of an annotation's message
	maxText        = 24 << 10 // bytes of one text
	maxLine        = 512      // bytes of a line that a tool may have written
	maxLines       = 1000     // of everything
	minWords       = 6        // of an annotation in plain words
	maxRefused     = 10       // sentences that are told of
)

// bounded returns as much of the failure as is read.
func (f Failure) bounded() Failure {
	f.Check, f.Step, f.Title = cut(f.Check, maxLine), cut(f.Step, maxLine), cut(f.Title, maxLine)
	f.Summary, f.Text = cut(f.Summary, maxText), cut(f.Text, maxText)
	f.Annotations = slices.Clone(f.Annotations[:min(len(f.Annotations), maxAnnotations)])
	for i := range f.Annotations {
		a := &f.Annotations[i]
		a.Title, a.Message = cut(a.Title, maxLine), cut(a.Message, maxMessage)
	}
	return f
}

func cut(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }

// telling are the failures that say something of the code, bounded.
func telling(failures []Failure) []Failure {
	out := make([]Failure, 0, len(failures))
	for _, f := range failures {
		if f = f.bounded(); !f.infrastructure() {
			out = append(out, f)
		}
	}
	return out
}

// Distiller distils fixed checks. The findings that it is given are those of Findings.
type Distiller struct {
	Failures []Failure
	// Model may answer instead; nil for none. Where it has a fallback itself, that does not count.
	Model distill.Distiller
}

// Distill implements distill.Distiller. Without a model the error is always nil.
func (d Distiller) Distill(ctx context.Context, findings []distill.Finding) (distill.Result, error) {
	var fallback string
	if _, extractive := d.Model.(distill.Extractive); d.Model != nil && !extractive {
		result, err := d.Model.Distill(ctx, findings)
		if err != nil || result.Fallback == "" {
			return result, err
		}
		fallback = result.Fallback
	}
	failures := telling(d.Failures)
	result := known(failures)
	if len(result.Lessons) == 0 && len(result.Refused) == 0 { // a check of one's own may say what it wants in plain words
		result, _ = distill.NewExtractive().Distill(ctx, plain(failures))
	}
	result.Fallback = fallback
	return result, nil
}

// known is what tools that are known have reported: the first sentence of each failure, before a
// second of any. The guard judges here, too, so that what it refuses leaves its place to the next.
func known(failures []Failure) distill.Result {
	var (
		result        distill.Result
		first, second []distill.Lesson
		said          = map[string]bool{}
	)
	for i, f := range failures {
		n := 0
		for _, p := range problems(f) {
			text := p.sentence()
			if text == "" || said[text] {
				continue
			}
			said[text] = true
			judged := guard.Check(text)
			if judged.Refused {
				result.Refused = append(result.Refused, distill.Refusal{Text: text, Source: i, Rule: judged.Rule, Reason: judged.Reason})
				if len(result.Refused) > maxRefused {
					break
				}
				continue
			}
			if n++; n > 1 {
				second = append(second, distill.Lesson{Text: judged.Sentence, Source: i})
				break
			}
			first = append(first, distill.Lesson{Text: judged.Sentence, Source: i})
		}
	}
	all := slices.Concat(first, second)
	result.Lessons = all[:min(len(all), distill.MaxLessons)]
	return result
}

// Findings returns the failures as findings for a model, one each. Failures of the infrastructure
// are left out: they teach nothing.
func Findings(failures []Failure) []distill.Finding {
	var out []distill.Finding
	for _, f := range telling(failures) {
		var b strings.Builder
		fmt.Fprintf(&b, "The check %q failed, and a later commit of the same pull request fixed it.\n", f.Check)
		if f.Step != "" {
			fmt.Fprintf(&b, "Failed step: %s\n", f.Step)
		}
		for _, a := range f.remarks() {
			fmt.Fprintf(&b, "%s:%d: %s\n", a.Path, a.Line, strings.TrimSpace(a.Title+"\n"+a.Message))
		}
		for _, text := range []string{f.Title, f.Summary, f.Text} {
			if text != "" {
				b.WriteString(text + "\n")
			}
		}
		list(&b, "Fixed by", f.Subjects)
		list(&b, "Touched", f.Touched)
		out = append(out, distill.Finding{Body: b.String()})
	}
	return out
}

func list(b *strings.Builder, what string, items []string) {
	for _, item := range items[:min(len(items), 20)] {
		fmt.Fprintf(b, "%s: %s\n", what, item)
	}
}

// plain are the annotations as a reviewer's comments: what no tool is known to write may be a
// sentence of the check's author. They carry no name of a check, which would say nothing.
func plain(failures []Failure) []distill.Finding {
	var out []distill.Finding
	for _, f := range failures {
		for _, a := range f.remarks() {
			if place := placeOf(a.Path); place != "" && len(strings.Fields(a.Message)) >= minWords {
				out = append(out, distill.Finding{Path: place, Line: a.Line, Body: a.Message})
			}
		}
	}
	return out
}
