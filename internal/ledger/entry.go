package ledger

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Touched is what a write did to one bullet.
type Touched struct {
	Handle string
	What   string          // "appended", "refreshed", "kept", "restored", "overridden", "taken back", "stale", …, "evicted"
	From   lesson.Evidence // what the trailer showed before, where that changed; its Verdict is empty
	To     string          // the handle that a bullet was renamed to, or merged into
}

// Entry is one write: its source, what it touched, and the numbers after it.
type Entry struct {
	Source Source
	// Also names further events that the same write answers: reviews that one merge went over.
	Also     []Source
	Bullets  []Touched
	Appended int
	// Refreshed counts the bullets that were re-earned.
	Refreshed int
	Retired   int
	Evicted   int
	Active    int // active bullets with a trailer, after the write
	Total     int // all bullets with a trailer, after the write
	Floor     float64
	// CoAuthor is the person who asked for it, as a commit's trailer names people; "" for nobody.
	CoAuthor string
}

// Sources returns all events that e answers.
func (e Entry) Sources() []Source { return append([]Source{e.Source}, e.Also...) }

// subjectOrder is the order in which a subject names what is not zero (format.md).
var subjectOrder = []string{"appended", "refreshed", "kept", "restored", "overridden", "taken back", "stale", "expired", "withdrawn", "merged", "renamed"}

// Message returns the commit message of writes that one commit makes: subject, the prose that
// explains it to a person, and for each write that touched anything its trailers, as a squash joins
// them. skipCI marks a direct commit that must start no workflow.
func Message(entries []Entry, prose []string, skipCI bool) string {
	if touching := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return len(e.Bullets) == 0 }); len(touching) > 0 {
		entries = touching
	}
	var b strings.Builder
	b.WriteString(subject(entries))
	if skipCI {
		b.WriteString(" [skip ci]")
	}
	b.WriteString("\n\n")
	for _, line := range prose {
		b.WriteString(defused(line, entries) + "\n")
	}
	if len(prose) > 0 {
		b.WriteString("\n")
	}
	for i, e := range entries {
		if i > 0 {
			b.WriteString("\n")
		}
		e.trailers(&b)
	}
	return b.String()
}

func (e Entry) trailers(b *strings.Builder) {
	fmt.Fprintf(b, "Lessons-Source: %s\n", e.Source)
	for _, s := range e.Also {
		fmt.Fprintf(b, "Lessons-Also: %s\n", s)
	}
	for _, t := range e.Bullets {
		b.WriteString("Lessons-Bullet: " + t.String() + "\n")
	}
	for _, n := range e.numbers() {
		fmt.Fprintf(b, "Lessons-%s: %d\n", n.name, *n.value)
	}
	fmt.Fprintf(b, "Lessons-Floor: %s\n", strconv.FormatFloat(e.Floor, 'g', -1, 64))
	if e.CoAuthor != "" {
		b.WriteString("Co-authored-by: " + oneLine(e.CoAuthor) + "\n")
	}
}

// subject names what was done, and for which pull request, or for how many.
func subject(entries []Entry) string {
	count := map[string]int{}
	pulls := map[string]bool{}
	for _, e := range entries {
		for _, t := range e.Bullets {
			count[t.What]++
		}
		if !e.Source.PR.IsZero() {
			pulls[e.Source.PR.String()] = true
		}
	}
	var parts []string
	for _, what := range subjectOrder {
		if n := count[what]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+what)
		}
	}
	s := "lessons: " + strings.Join(parts, ", ")
	switch {
	case entries[0].Source.Channel == channelSweep:
		return s + " (sweep)"
	case len(pulls) == 1:
		return s + " (" + entries[0].Source.PR.String() + ")"
	case len(pulls) > 1:
		return s + fmt.Sprintf(" (%d pull requests)", len(pulls))
	}
	return s
}

// String returns the bullet line of a commit: "04be77d2 refreshed from PR #30 2026-08-14", or
// "04be77d2 merged to 9f3c01ab".
func (t Touched) String() string {
	s := t.Handle + " " + t.What
	if t.To != "" {
		s += " to " + t.To
	}
	if t.From.Date.IsZero() {
		return s
	}
	s += " from "
	if !t.From.PR.IsZero() {
		s += t.From.PR.String() + " "
	}
	return s + t.From.Date.String()
}

type number struct {
	name  string
	value *int
}

func (e *Entry) numbers() []number {
	return []number{
		{"Appended", &e.Appended}, {"Refreshed", &e.Refreshed}, {"Retired", &e.Retired},
		{"Evicted", &e.Evicted}, {"Active", &e.Active}, {"Total", &e.Total},
	}
}

// Parse returns the entries that a commit message holds, in its order: none in a person's
// commit, several where a squash joined messages. Missing numbers stay zero.
func Parse(message string) []Entry {
	var out []Entry
	for line := range strings.Lines(message) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.HasPrefix(key, "Lessons-") {
			continue
		}
		if key == "Lessons-Source" {
			if s, ok := ParseSource(value); ok {
				out = append(out, Entry{Source: s})
			}
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].set(strings.TrimPrefix(key, "Lessons-"), strings.TrimSpace(value))
		}
	}
	return out
}

// maxNumber is more than any write counts: a larger one is somebody's joke.
const maxNumber = 1_000_000

func (e *Entry) set(key, value string) {
	switch key {
	case "Also":
		if s, ok := ParseSource(value); ok {
			e.Also = append(e.Also, s)
		}
	case "Bullet":
		if t, ok := parseTouched(value); ok {
			e.Bullets = append(e.Bullets, t)
		}
	case "Floor":
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			e.Floor = f
		}
	default:
		for _, n := range e.numbers() {
			if n.name == key {
				if v, err := strconv.Atoi(value); err == nil && v >= 0 && v <= maxNumber {
					*n.value = v
				}
			}
		}
	}
}

var touchedPattern = regexp.MustCompile(`^([0-9a-f]{8}) ([a-z][a-z ]*?)(?: to ([0-9a-f]{8}))?(?: from (?:` + pullPattern + ` )?(\d{4}-\d{2}-\d{2}))?$`)

func parseTouched(value string) (Touched, bool) {
	m := touchedPattern.FindStringSubmatch(value)
	if m == nil {
		return Touched{}, false
	}
	t := Touched{Handle: m[1], What: m[2], To: m[3]}
	t.From.PR = pullRequest(m[4:7])
	if m[7] != "" {
		date, err := lesson.ParseDate(m[7])
		if err != nil {
			return Touched{}, false
		}
		t.From.Date = date
	}
	return t, true
}

// defused makes a line of prose harmless. Backticks protect nothing in a commit message, so they
// are taken out first; the pull requests that the commit answers may stay links.
func defused(line string, entries []Entry) string {
	line = guard.Defuse(oneLine(strings.ReplaceAll(line, "`", "'")))
	for _, e := range entries {
		if name := e.Source.PR.String(); !e.Source.PR.IsZero() {
			line = strings.ReplaceAll(line, guard.Defuse(name), name)
		}
	}
	return line
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
