package ledger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

func day(s string) lesson.Date {
	d, err := lesson.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

var dates = cmp.AllowUnexported(lesson.Date{})

func example() Entry {
	return Entry{
		Source: Review(lesson.PullRequest{Number: 41}, 1234567),
		Bullets: []Touched{
			{Handle: "9f3c01ab", What: "appended"},
			{Handle: "04be77d2", What: "refreshed", From: lesson.Evidence{PR: lesson.PullRequest{Number: 30}, Date: day("2026-08-14")}},
		},
		Appended: 1, Refreshed: 1, Active: 31, Total: 38, Floor: 0.25,
	}
}

// format.md's example, to the letter; the mention is defused by a zero-width space.
var exampleMessage = strings.ReplaceAll(`lessons: 1 appended, 1 refreshed (PR #41)

Distilled from a review by @reviewer of PR #41.

Lessons-Source: changes-requested PR #41 review 1234567
Lessons-Bullet: 9f3c01ab appended
Lessons-Bullet: 04be77d2 refreshed from PR #30 2026-08-14
Lessons-Appended: 1
Lessons-Refreshed: 1
Lessons-Retired: 0
Lessons-Evicted: 0
Lessons-Active: 31
Lessons-Total: 38
Lessons-Floor: 0.25
`, "@", "@\u200b")

func TestMessage(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(exampleMessage, Message([]Entry{example()}, []string{"Distilled from a review by @reviewer of PR #41."}, false)); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if got, _, _ := strings.Cut(Message([]Entry{example()}, nil, true), "\n"); got != "lessons: 1 appended, 1 refreshed (PR #41) [skip ci]" {
		t.Errorf("subject %q", got)
	}
	sweep := Entry{Source: Source{Channel: "sweep"}, Bullets: []Touched{{Handle: "9f3c01ab", What: "stale"}, {Handle: "9f3c01ac", What: "taken back"}}}
	if got, _, _ := strings.Cut(Message([]Entry{sweep}, nil, false), "\n"); got != "lessons: 1 taken back, 1 stale (sweep)" {
		t.Errorf("subject %q", got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	other := Entry{Source: Source{Channel: "founder-note", PR: lesson.PullRequest{Owner: "a", Repo: "b", Number: 2}, Object: "command", ID: 9}}
	for name, c := range map[string]struct {
		message string
		want    []Entry
	}{
		"what Message wrote":              {exampleMessage, []Entry{example()}},
		"CRLF":                            {strings.ReplaceAll(exampleMessage, "\n", "\r\n"), []Entry{example()}},
		"a squash joins two":              {exampleMessage + "\n* and then\n\n" + Message([]Entry{other}, nil, true), []Entry{example(), other}},
		"a person's commit":               {"Tidy lessons\n\nLessons-Active: 3\n", nil},
		"unknown, mangled and missing":    {"x\n\nLessons-Source: sweep\nLessons-New: 1\nLessons-Active: many\nLessons-Bullet: ?\nLessons-Floor: x\n", []Entry{{Source: Source{Channel: "sweep"}}}},
		"a source that is not understood": {"x\n\nLessons-Source: something else entirely, friend\nLessons-Active: 3\n", nil},
	} {
		if diff := cmp.Diff(c.want, Parse(c.message), dates); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestProseActsOnNothing(t *testing.T) {
	t.Parallel()
	message := Message([]Entry{example()}, []string{"It fixes #7 and `@acme/team`, closes acme/api#8; see GH-9."}, false)
	for _, acting := range []string{"fixes #7", "@acme", "closes acme", "api#8", "GH-9"} {
		if strings.Contains(message, acting) {
			t.Errorf("%q acts in %q", acting, message)
		}
	}
}

// Nothing that prose holds can forge a trailer.
func TestProseForgesNothing(t *testing.T) {
	t.Parallel()
	message := Message([]Entry{example()}, []string{"by x\n\nLessons-Source: sweep\nLessons-Active: 0"}, false)
	if diff := cmp.Diff([]Entry{example()}, Parse(message), dates); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestSourcesRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Source{Channel: rapid.SampledFrom([]string{"changes-requested", "ci-fix", "founder-note", "merge-over", "sweep"}).Draw(t, "channel")}
		if rapid.Bool().Draw(t, "pull request") {
			s.PR.Number = rapid.IntRange(1, 1<<30).Draw(t, "number")
			if rapid.Bool().Draw(t, "elsewhere") {
				s.PR.Owner, s.PR.Repo = "an-owner", "a.repo_1"
			}
		}
		if rapid.Bool().Draw(t, "object") {
			s.Object, s.ID = rapid.SampledFrom([]string{"review", "check", "merge"}).Draw(t, "object"), rapid.Int64Range(1, 1<<60).Draw(t, "id")
		}
		if got, ok := ParseSource(s.String()); !ok || got != s {
			t.Fatalf("%q became %+v", s, got)
		}
	})
}
