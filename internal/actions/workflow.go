package actions

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/sethvargo/go-githubactions"

	"github.com/agent-corp/agent-lessons/internal/report"
)

// maxSummary is the size from which GitHub drops a step's summary (github.md 4.3).
const maxSummary = 1 << 20

// maxAnnotations is how many warnings of one step GitHub shows.
const maxAnnotations = 10

// workflow is the runner that a step talks to, by its log and by files.
type workflow struct {
	toolkit     *githubactions.Action
	outputFile  string // "" where nobody reads outputs
	summaryFile string
}

// text renders a message as one line in which text of others issues no workflow command: a
// command begins its line, or in its older form has "##[" anywhere.
func text(format string, args ...any) string {
	line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	line = strings.ReplaceAll(line, "##[", "#\u200b#[")
	if strings.HasPrefix(line, "::") {
		line = "\u200b" + line
	}
	return line
}

// say writes one line of the log.
func (w workflow) say(format string, args ...any) { w.toolkit.Infof("%s", text(format, args...)) }

// notice, warn and fail write annotations.
func (w workflow) notice(format string, args ...any) { w.toolkit.Noticef("%s", text(format, args...)) }
func (w workflow) warn(format string, args ...any)   { w.toolkit.Warningf("%s", text(format, args...)) }
func (w workflow) fail(format string, args ...any)   { w.toolkit.Errorf("%s", text(format, args...)) }

// at is the workflow whose annotations are on a line of a file.
func (w workflow) at(file string, line int, title string) workflow {
	w.toolkit = w.toolkit.WithFieldsMap(map[string]string{"file": file, "line": fmt.Sprint(line), "title": title})
	return w
}

// output is one value for later steps.
type output struct{ name, value string }

// writeOutputs appends in the form that takes any text: name<<delimiter, value, delimiter. The
// delimiter is random, since whoever knows it could end a value early and write outputs of his own.
func (w workflow) writeOutputs(outputs []output) error {
	if w.outputFile == "" {
		return nil
	}
	var b strings.Builder
	for _, o := range outputs {
		delimiter := "lessons_" + rand.Text()
		if strings.Contains(o.value, delimiter) {
			return fmt.Errorf("output %s holds its own delimiter", o.name)
		}
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.name, delimiter, o.value, delimiter)
	}
	return appendTo(w.outputFile, b.String())
}

// writeSummary appends Markdown to the step's summary.
func (w workflow) writeSummary(markdown string) error {
	if w.summaryFile == "" {
		return nil
	}
	return appendTo(w.summaryFile, markdown+"\n")
}

func appendTo(name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // the runner has made it
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// annotate puts each pair of one lesson on the later bullet's line.
func (w workflow) annotate(path string, pairs []report.Pair) {
	for i, p := range pairs {
		if i == maxAnnotations {
			w.notice("%d more pairs of bullets say the same: see the step's summary", len(pairs)-i)
			return
		}
		w.at(path, p.B.Line, "One lesson twice").
			warn("This bullet and the one in line %d would collapse (%.2f): %s", p.A.Line, p.Decision.Sureness, report.Shorten(p.A.Sentence, 500))
	}
}
