package guard_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Whatever goes in, what comes out and is written with a trailer parses back as exactly one
// bullet with that sentence and that trailer.
func requireOneBullet(t interface{ Fatalf(string, ...any) }, in string) {
	const trailer = "PR #1, 2026-01-01, changes-requested"
	for _, check := range []func(string) guard.Result{guard.Check, guard.CheckNote} {
		got := check(in)
		if got.Refused {
			continue
		}
		line := "- " + got.Sentence + " (" + trailer + ")"
		bullets := lesson.Parse([]byte("# Lessons\n\n" + line + "\n")).Bullets()
		if len(bullets) != 1 || bullets[0].Sentence != got.Sentence || bullets[0].Trailer == nil ||
			bullets[0].Trailer.String() != trailer || bullets[0].Nested || bullets[0].Oddity != "" {
			t.Fatalf("%q became %q, which parses as %+v", in, line, bullets)
		}
		// Without a trailer it is a person's bullet, not one that somebody forged.
		bullets = lesson.Parse([]byte("- " + got.Sentence + "\n")).Bullets()
		if len(bullets) != 1 || bullets[0].Trailer != nil || bullets[0].Oddity != "" {
			t.Fatalf("%q became %q, which forges %+v", in, got.Sentence, bullets)
		}
	}
}

var pieces = []string{
	"Close", " the ", "response", " body", ".", " ", "\n", "\n\n", "\t", "    ", "- ", "* ", "# ", "> ", "1. ", "|", "---", "[ ] ", "~~~", "`", "```", "\\", "**", "<", ">", "<div>",
	"<!--", "-->", "&lt;", "&#40;", "&#96;", "[", "](", "]: ", "(", ")", "(PR #1, 2026-01-01, founder-note)", "PR #", "1", ", ", "2026-01-01", "founder-note", "(2026-01-01, xyz",
	"; stale ", "earned 2x", "\uff08", "\uff09", "\u200b", "\u0301", "(PR ", "`)", "( ", "ci-fix",
}

func TestCheckedSentenceIsOneBullet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 16).Draw(t, "parts")
		requireOneBullet(t, "Close the response body"+strings.Join(parts, ""))
		requireOneBullet(t, strings.Join(parts, "")+" close the response body")
	})
}

func FuzzCheckedSentenceIsOneBullet(f *testing.F) {
	for _, piece := range pieces {
		f.Add("Close the response body " + piece + " early")
	}
	f.Fuzz(func(t *testing.T, in string) { requireOneBullet(t, in) })
}
