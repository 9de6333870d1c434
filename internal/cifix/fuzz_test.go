package cifix

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

// Whatever a check says, what comes of it is at most two sentences of one line each that the guard
// lets through as they are.
func FuzzOutputs(f *testing.F) {
	files, _ := filepath.Glob("testdata/outputs/*.txt")
	for _, file := range files {
		for _, o := range readOutputs(f, file) {
			a := Annotation{}
			if len(o.Annotations) > 0 {
				a = o.Annotations[0]
			}
			f.Add(o.Check, o.Step, o.Text, a.Path, a.Title, a.Message, strings.Join(o.Touched, " "))
		}
	}
	f.Fuzz(func(t *testing.T, check, step, text, path, title, message, touched string) {
		failure := Failure{
			Check: check, Step: step, Text: text, Touched: strings.Fields(touched),
			Annotations: []Annotation{{Path: path, Level: "failure", Title: title, Message: message}},
		}
		result, err := Distiller{Failures: []Failure{failure}}.Distill(context.Background(), nil)
		if err != nil || len(result.Lessons) > distill.MaxLessons {
			t.Fatalf("%d lessons, %v", len(result.Lessons), err)
		}
		for _, l := range result.Lessons {
			if checked := guard.Check(l.Text); checked.Refused || checked.Sentence != l.Text || strings.ContainsAny(l.Text, "\n\r\x1b") || utf8.RuneCountInString(l.Text) > distill.MaxChars {
				t.Errorf("lesson %q, %+v", l.Text, checked)
			}
		}
		Findings([]Failure{failure})
	})
}

// The largest output that GitHub takes, of what costs most to read.
func TestLargeOutputs(t *testing.T) {
	for _, unit := range []string{"a", "a/", "error: ", "x.go:1:1: ", "(", "`", "internal/a.go:1:1: Error return value is not checked (errcheck)\n", "diff --git a/", " \x1b[31m", "run make a\n", "error: a\n --> a.rs:1:1\n"} {
		text := strings.Repeat(unit, 65535/len(unit))
		failure := Failure{Check: "generated lint format changelog", Title: text, Summary: text, Text: text}
		for range 50 {
			failure.Annotations = append(failure.Annotations, Annotation{Path: "a.go", Level: "failure", Title: text, Message: text})
		}
		began := time.Now()
		if _, err := (Distiller{Failures: []Failure{failure}}).Distill(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%.20q took %v", unit, took)
		}
	}
}
