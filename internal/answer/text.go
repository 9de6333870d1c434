package answer

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/report"
)

const help = "A command stands on a line of its own, in a comment by somebody who may write to the repository.\n\n" +
	"| command | does |\n| --- | --- |\n" +
	"| `/lesson Close what you open.` | keeps the sentence as a founder note; it begins with a capital letter where its first word is a command's |\n" +
	"| `/lesson keep` | as a reply to an inline comment: keeps what the comment teaches |\n" +
	"| `/lesson list` | shows what agents are shown, with handles |\n" +
	"| `/lesson why HANDLE` | shows the history of a bullet |\n" +
	"| `/lesson retire HANDLE reason` | withdraws a bullet: no agent is shown it, and it is not learned again by itself |\n" +
	"| `/lesson restore HANDLE` | makes a retired bullet a founder note of today |\n" +
	"| `/lesson help` | shows this |\n"

// maxQuote bounds what one reply quotes, in bytes: GitHub takes comments of 65,536 characters.
const maxQuote = 50_000

// prose renders text of others as one line of Markdown in which nothing acts.
func prose(text string) string {
	cleaned, _ := guard.Clean(text)
	return report.Inline(cleaned)
}

var backticks = regexp.MustCompile("`+")

// quote shows lines as they are, in a block in which nothing acts.
func quote(lines ...string) string {
	var b strings.Builder
	fence := "```"
	for _, line := range lines {
		cleaned, _ := guard.Clean(line)
		if b.Len()+len(cleaned) > maxQuote {
			b.WriteString("…\n")
			break
		}
		for _, run := range backticks.FindAllString(cleaned, -1) {
			if len(run) >= len(fence) {
				fence = run + "`"
			}
		}
		b.WriteString(strings.ReplaceAll(cleaned, "\n", " ") + "\n")
	}
	return fence + "text\n" + b.String() + fence
}

// wordsOf words what an order led to.
func wordsOf(o memory.Obeyed) (Answer, string, error) {
	answer := Answer{Obeyed: o}
	var parts, reasons []string
	for _, d := range o.Deeds {
		text := deed(d)
		answer.Done = answer.Done || d.What != ""
		if d.Bullet.Sentence != "" {
			text += "\n\n" + quote(d.Bullet.String())
			reasons = append(reasons, strings.TrimSpace(d.What+" "+d.Bullet.Handle()))
		}
		if d.What == "" {
			reasons = append(reasons, d.Reason)
		}
		parts = append(parts, text)
	}
	for _, b := range o.Evicted {
		parts = append(parts, "The file was full, so the bullet with the oldest evidence left it:\n\n"+quote(b.String()))
	}
	if o.Written && o.Commit.SHA != "" {
		parts = append(parts, fmt.Sprintf("Commit %.10s.", o.Commit.SHA))
	}
	if o.Before {
		answer.Reason = "done before: "
	}
	answer.Reason += strings.Join(reasons, "; ")
	return answer, strings.Join(parts, "\n\n"), nil
}

// deed words what was done to one bullet, as it is quoted below.
func deed(d memory.Deed) string {
	handle := report.Code(d.Bullet.Handle())
	if d.What != "" && d.Bullet.Sentence != "" && (d.What == string(lesson.Withdrawn)) == d.Bullet.Active() {
		return "That was done before (" + d.What + "), and undone since. As it is now, " + handle + ":"
	}
	switch d.What {
	case string(lesson.Appended):
		return "Kept as a founder note, " + handle + ":"
	case string(lesson.Refreshed):
		text := "A founder note says so already, and is of today now, " + handle
		if d.Reason != "" {
			text += " (" + prose(d.Reason) + ")"
		}
		return text + ":"
	case memory.Kept:
		return "It is a founder note now, " + handle + ":"
	case memory.Restored:
		return "Restored as a founder note, " + handle + ":"
	case string(lesson.Withdrawn):
		return "Withdrawn, " + handle + ": no agent is shown it any more, and it is not learned again by itself. `/lesson restore " + d.Bullet.Handle() + "` brings it back."
	}
	return "Nothing was changed: " + prose(d.Reason) + "."
}

// list shows the window.
func (d Desk) list(ctx context.Context) (Answer, string, error) {
	file, err := d.parsed(ctx)
	if why := refusal(err); why != "" {
		return refuse("%s", why)
	}
	if err != nil {
		return Answer{}, "", err
	}
	answer := Answer{Done: true, Reason: "listed"}
	window := file.Window(d.Config.Window)
	if len(window) == 0 {
		return answer, "There are no lessons yet.", nil
	}
	var lines []string
	for _, b := range window {
		lines = append(lines, b.Handle()+" "+strings.TrimPrefix(b.String(), "- "))
	}
	return answer, "What agents are shown, newest first, each behind its handle:\n\n" + quote(lines...), nil
}

// maxSteps bounds the history that one reply shows; the newest are kept.
const maxSteps = 40

// why shows what the commits tell of a bullet.
func (d Desk) why(ctx context.Context, handle string) (Answer, string, error) {
	file, err := d.parsed(ctx)
	if why := refusal(err); why != "" {
		return refuse("%s", why)
	}
	if err != nil {
		return Answer{}, "", err
	}
	found, err := file.Resolve(handle, d.Config.Window)
	if err != nil {
		return refuse("%s", err)
	}
	commits, err := d.File.Commits(ctx, false)
	if err != nil {
		return Answer{}, "", err
	}
	var lines []string
	for _, b := range found {
		lines = append(lines, b.String())
	}
	steps := ledger.Trace(commits, found[0].Handle())
	if len(steps) == 0 {
		lines = append(lines, "", "No commit of ours tells of it: it was written by hand.")
	}
	for _, s := range steps[max(0, len(steps)-maxSteps):] {
		lines = append(lines, "", fmt.Sprintf("%s  %s  (%s)  commit %.10s by %s", s.At.UTC().Format(time.DateOnly), s.String()[len(s.Handle)+1:], s.Source, s.SHA, s.Author))
		for _, says := range s.Says {
			lines = append(lines, "            "+says)
		}
	}
	return Answer{Done: true, Reason: "told of " + found[0].Handle()}, "What stands behind " + report.Code(found[0].Handle()) + ", oldest first:\n\n" + quote(lines...), nil
}

func (d Desk) parsed(ctx context.Context) (*lesson.File, error) {
	snapshot, err := d.File.Read(ctx)
	if err != nil {
		return nil, err
	}
	return lesson.Parse(snapshot.Content), nil
}
