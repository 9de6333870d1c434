package cifix

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

var update = flag.Bool("update", false, "rewrite what the outputs in testdata come to")

// output is one case of testdata/outputs: "## name", then
//
//	check: | step: | title: | touched:   a word of the failure each
//	@ PATH:LINE LEVEL TITLE              an annotation, its message on the lines below, after two spaces
//	| text                               a line of the output's text
//	> sentence                           what it comes to; none for nothing
type output struct {
	name string
	Failure
	lines []string // as they stand in the file, but for the sentences
	want  []string
}

func readOutputs(t testing.TB, file string) []output {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []output
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		line, shown := strings.ReplaceAll(line, "␛", "\x1b"), line
		if name, ok := strings.CutPrefix(line, "## "); ok {
			out = append(out, output{name: name})
		}
		if len(out) == 0 {
			continue
		}
		o := &out[len(out)-1]
		if want, ok := strings.CutPrefix(line, "> "); ok {
			o.want = append(o.want, want)
			continue
		}
		o.lines = append(o.lines, shown)
		switch key, value, _ := strings.Cut(line, " "); key {
		case "check:":
			o.Check = value
		case "step:":
			o.Step = value
		case "title:":
			o.Title = value
		case "touched:":
			o.Touched = strings.Fields(value)
		case "|":
			o.Text += value + "\n"
		case "@":
			at, rest, _ := strings.Cut(value, " ")
			level, title, _ := strings.Cut(rest, " ")
			path, number, _ := strings.Cut(at, ":")
			n, _ := strconv.Atoi(number)
			o.Annotations = append(o.Annotations, Annotation{Path: path, Line: n, Level: level, Title: title})
		case "":
			if message, ok := strings.CutPrefix(line, "  "); ok {
				o.Annotations[len(o.Annotations)-1].Message += message + "\n"
			}
		}
	}
	return out
}

// What the tools print, and the sentence that it comes to. Every sentence passes the guard.
func TestOutputs(t *testing.T) {
	files, err := filepath.Glob("testdata/outputs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no outputs: %v", err)
	}
	for _, file := range files {
		tool := strings.TrimSuffix(filepath.Base(file), ".txt")
		outputs := readOutputs(t, file)
		if len(outputs) < 5 {
			t.Errorf("%s has %d outputs, want 5 at least", tool, len(outputs))
		}
		var now strings.Builder
		for _, o := range outputs {
			t.Run(tool+"/"+o.name, func(t *testing.T) {
				result, err := Distiller{Failures: []Failure{o.Failure}}.Distill(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, l := range result.Lessons {
					got = append(got, l.Text)
					if checked := guard.Check(l.Text); checked.Refused || checked.Sentence != l.Text {
						t.Errorf("the guard makes of %q: %+v", l.Text, checked)
					}
					if n := utf8.RuneCountInString(l.Text); n > distill.MaxChars {
						t.Errorf("%d characters", n)
					}
				}
				if diff := cmp.Diff(o.want, got); diff != "" && !*update {
					t.Errorf("lessons (-want +got):\n%s", diff)
				}
				lines := strings.TrimRight(strings.Join(o.lines, "\n"), "\n")
				for _, text := range got {
					lines += "\n> " + text
				}
				now.WriteString(lines + "\n\n")
			})
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(now.String(), "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
