package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Three lessons, two of them in other words too.
const (
	waitCI   = "Never approve a PR while any CI check is still pending: wait for all jobs to conclude before verdict."
	waitCI2  = "Never request approval or treat a PR as mergeable while any CI check is still pending: local green runs are not a substitute."
	closing  = "Close the response body in a defer right after the error was checked by the caller."
	closing2 = "The response body must be closed in a defer by the caller, right after the error was checked."
)

func (s *shelf) Messages(context.Context, bool) ([]string, error) {
	newestFirst := slices.Clone(s.messages)
	slices.Reverse(newestFirst)
	return newestFirst, nil
}

func date(s string) lesson.Date {
	d, err := lesson.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

func source(pr int, review int64) ledger.Source {
	return ledger.Review(lesson.PullRequest{Number: pr}, review)
}

// act is one step of a bullet's story.
type act func(s *shelf) error

func learns(pr int, review int64, day string, sentences ...string) act {
	return learnsFrom(source(pr, review), day, lesson.ChangesRequested, sentences...)
}

func learnsFrom(source ledger.Source, day string, v lesson.Verdict, sentences ...string) act {
	return func(s *shelf) error {
		m := Memory{Store: s, Distiller: said(sentences), Config: plain()}
		_, err := m.Learn(context.Background(), Event{Source: source, Evidence: lesson.Evidence{PR: source.PR, Date: date(day), Verdict: v}})
		return err
	}
}

// mergedOver is always on 2026-11-30.
func mergedOver(pr int, reviews ...int64) act {
	return func(s *shelf) error {
		o := Overruled{Date: date("2026-11-30"), Why: []string{"They were merged over."}}
		for _, id := range reviews {
			o.Reviews = append(o.Reviews, source(pr, id))
		}
		_, err := Memory{Store: s, Config: plain()}.Override(context.Background(), s, o)
		return err
	}
}

func edits(old, with string) act {
	return func(s *shelf) error {
		if !strings.Contains(s.content, old) {
			return fmt.Errorf("%q is not in %q", old, s.content)
		}
		s.content = strings.Replace(s.content, old, with, 1)
		return nil
	}
}

func losesTrailers(s *shelf) error { s.messages = []string{"Squash and merge"}; return nil }

func plain() config.Config {
	cfg := config.Default()
	cfg.Similarity.Measure = "words"
	return cfg
}

func bullet(sentence, trailer string) string { return "- " + sentence + " (" + trailer + ")" }

// Design decision 6: the evidence of the review that was merged over goes, all other stays.
func TestOverride(t *testing.T) {
	t.Parallel()
	check := ledger.Source{Channel: "ci-fix", PR: lesson.PullRequest{Number: 41}, Object: "check", ID: 5}
	note := ledger.Source{Channel: "founder-note", PR: lesson.PullRequest{Number: 41}, Object: "command", ID: 6}
	for name, c := range map[string]struct {
		story []act
		want  []string
	}{
		"a bullet that it created is overridden": {
			[]act{learns(41, 1, "2026-11-02", waitCI, closing), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30"), bullet(closing, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30")},
		},
		"a bullet that it re-earned goes back": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(41, 2, "2026-11-02", waitCI2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #30, 2026-08-14, changes-requested")},
		},
		"by as many earnings as it brought": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(31, 2, "2026-08-15", waitCI2), learns(41, 3, "2026-11-02", waitCI2), mergedOver(41, 3)},
			[]string{bullet(waitCI, "PR #31, 2026-08-15, changes-requested, earned 2x")},
		},
		"under newer evidence only an earning goes": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(41, 2, "2026-11-02", waitCI2), learns(42, 3, "2026-11-03", waitCI2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #42, 2026-11-03, changes-requested, earned 2x")},
		},
		"a bullet that it created and another earned stays": {
			[]act{learns(41, 1, "2026-11-02", waitCI), learns(42, 2, "2026-11-03", waitCI2), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #42, 2026-11-03, changes-requested")},
		},
		"and goes when the other is merged over, too": {
			[]act{learns(41, 1, "2026-11-02", waitCI), learns(42, 2, "2026-11-03", waitCI2), mergedOver(41, 1), mergedOver(42, 2)},
			[]string{bullet(waitCI, "PR #42, 2026-11-03, changes-requested; overridden 2026-11-30")},
		},
		"going back skips what was taken back before": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(41, 2, "2026-11-02", waitCI2), learns(42, 3, "2026-11-03", waitCI2), mergedOver(41, 2), mergedOver(42, 3)},
			[]string{bullet(waitCI, "PR #30, 2026-08-14, changes-requested")},
		},
		"another reviewer's evidence of the same pull request stays": {
			[]act{learns(41, 1, "2026-11-02", waitCI), learns(41, 2, "2026-11-03", waitCI2), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #41, 2026-11-03, changes-requested")},
		},
		"another reviewer's bullet of the same pull request stays": {
			[]act{learns(41, 1, "2026-11-02", waitCI), learns(41, 2, "2026-11-02", closing), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested"), bullet(closing, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30")},
		},
		"both reviewers are merged over at once": {
			[]act{learns(41, 1, "2026-11-02", waitCI), learns(41, 2, "2026-11-03", waitCI2), mergedOver(41, 1, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-03, changes-requested; overridden 2026-11-30")},
		},
		"late evidence is taken back without a trace": {
			[]act{learns(57, 1, "2026-11-16", waitCI), learns(41, 2, "2026-11-02", waitCI2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #57, 2026-11-16, changes-requested")},
		},
		"CI's evidence stays": {
			[]act{learnsFrom(check, "2026-11-01", lesson.CIFix, waitCI), learns(41, 2, "2026-11-02", waitCI2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-01, ci-fix")},
		},
		"a founder's note stays": {
			[]act{learnsFrom(note, "2026-11-01", lesson.FounderNote, waitCI), learns(41, 2, "2026-11-02", waitCI2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-01, founder-note"), bullet(waitCI2, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30")},
		},
		"a retired bullet stays as it is": {
			[]act{learns(41, 1, "2026-11-02", waitCI), edits("changes-requested)", "changes-requested; stale 2026-11-05)"), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested; stale 2026-11-05")},
		},
		"what is learned again after a retirement is another bullet": {
			[]act{learns(41, 1, "2026-11-02", waitCI), edits("changes-requested)", "changes-requested; stale 2026-11-05)"), learns(42, 2, "2026-11-06", waitCI), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested; stale 2026-11-05"), bullet(waitCI, "PR #42, 2026-11-06, changes-requested")},
		},
		"a sentence that a person rewrote stays": {
			[]act{learns(41, 1, "2026-11-02", waitCI), edits("Never", "Do not ever"), mergedOver(41, 1)},
			[]string{bullet(strings.Replace(waitCI, "Never", "Do not ever", 1), "PR #41, 2026-11-02, changes-requested")},
		},
		"evidence that a person wrote in stays": {
			[]act{learns(41, 1, "2026-11-02", waitCI), edits("PR #41, 2026-11-02, changes-requested", "PR #7, 2026-11-09, changes-requested, earned 2x"), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #7, 2026-11-09, changes-requested")},
		},
		"a bullet that a person freed of its trailer is a person's": {
			[]act{learns(41, 1, "2026-11-02", waitCI), edits(" (PR #41, 2026-11-02, changes-requested)", ""), mergedOver(41, 1)},
			[]string{"- " + waitCI},
		},
		"where a squash lost the trailers, the pull request's number decides": {
			[]act{learns(40, 1, "2026-11-01", closing), learns(41, 2, "2026-11-02", waitCI), losesTrailers, mergedOver(41, 2)},
			[]string{bullet(closing, "PR #40, 2026-11-01, changes-requested"), bullet(waitCI, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30")},
		},
		"and what was there before is not known": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(41, 2, "2026-11-02", waitCI2), losesTrailers, mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested")},
		},
		"not for another channel": {
			[]act{learnsFrom(check, "2026-11-02", lesson.CIFix, waitCI), losesTrailers, mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, ci-fix")},
		},
		"and only once": {
			[]act{learns(30, 1, "2026-08-14", waitCI), learns(31, 1, "2026-08-15", waitCI2), learns(41, 2, "2026-11-02", waitCI2), losesTrailers, mergedOver(41, 2), mergedOver(41, 2)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested, earned 2x")},
		},
		"the merge came before the lesson": {
			[]act{mergedOver(41, 1), learns(41, 1, "2026-11-02", waitCI), mergedOver(41, 1)},
			[]string{bullet(waitCI, "PR #41, 2026-11-02, changes-requested; overridden 2026-11-30")},
		},
		"nothing was learned from it": {
			[]act{learns(40, 1, "2026-11-01", closing), mergedOver(41, 2)},
			[]string{bullet(closing, "PR #40, 2026-11-01, changes-requested")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &shelf{}
			for _, do := range c.story {
				if err := do(s); err != nil {
					t.Fatal(err)
				}
			}
			got := strings.Split(strings.TrimSpace(strings.TrimPrefix(s.content, lesson.Preamble)), "\n")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("bullets (-want +got):\n%s\n%s", diff, strings.Join(s.messages, "\n"))
			}
		})
	}
}

func TestOverrideCommitsWithItsRow(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	for _, do := range []act{learns(30, 1, "2026-08-14", waitCI), learns(41, 2, "2026-11-02", waitCI2, closing), mergedOver(41, 2, 3)} {
		if err := do(s); err != nil {
			t.Fatal(err)
		}
	}
	handle, created := lesson.Handle(waitCI), lesson.Handle(closing)
	want := `lessons: 1 overridden, 1 taken back (PR #41) [skip ci]

They were merged over.

Lessons-Source: merge-over PR #41 review 2
Lessons-Also: merge-over PR #41 review 3
Lessons-Bullet: ` + handle + ` taken back from PR #41 2026-11-02
Lessons-Bullet: ` + created + ` overridden from PR #41 2026-11-02
Lessons-Appended: 0
Lessons-Refreshed: 0
Lessons-Retired: 1
Lessons-Evicted: 0
Lessons-Active: 1
Lessons-Total: 2
Lessons-Floor: 0.25
`
	if diff := cmp.Diff(want, s.messages[len(s.messages)-1]); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	before := len(s.messages)
	if err := mergedOver(41, 2, 3)(s); err != nil || len(s.messages) != before {
		t.Errorf("again: %d commits more, %v", len(s.messages)-before, err)
	}
}

// Whatever a file has been through: a review that is learned and then merged over leaves it as it
// was, but for the bullets that it created, which are overridden.
func TestOverrideUndoesLearn(t *testing.T) {
	t.Parallel()
	sentences := rapid.SampledFrom([]string{waitCI, waitCI2, closing, closing2, snapshot})
	some := func(t *rapid.T, merged map[int]bool) act {
		pr := rapid.IntRange(1, 4).Draw(t, "pull request")
		day := fmt.Sprintf("2026-11-%02d", rapid.IntRange(1, 20).Draw(t, "day"))
		review := int64(pr*100 + rapid.IntRange(1, 3).Draw(t, "review"))
		if rapid.IntRange(0, 3).Draw(t, "what") == 0 && !merged[pr] { // which happens once
			merged[pr] = true
			return mergedOver(pr, review)
		}
		return learns(pr, review, day, rapid.SliceOfN(sentences, 1, 2).Draw(t, "lessons")...)
	}
	rapid.Check(t, func(t *rapid.T) {
		s, merged := &shelf{}, map[int]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "acts") {
			if err := some(t, merged)(s); err != nil {
				t.Fatal(err)
			}
		}
		before := lesson.Parse([]byte(s.content)).Bullets()
		pr := rapid.IntRange(1, 5).Filter(func(pr int) bool { return !merged[pr] }).Draw(t, "pull request")
		last := learns(pr, 999, fmt.Sprintf("2026-11-%02d", rapid.IntRange(1, 25).Draw(t, "day")), sentences.Draw(t, "lesson"))
		for _, do := range []act{last, mergedOver(pr, 999)} {
			if err := do(s); err != nil {
				t.Fatal(err)
			}
		}
		after := lesson.Parse([]byte(s.content)).Bullets()
		for i, b := range after {
			if i < len(before) {
				if b.String() != before[i].String() {
					t.Fatalf("bullet %d was\n%s\nand is\n%s\n%s", i, before[i], b, strings.Join(s.messages, "\n"))
				}
			} else if b.Trailer.Retirement.Kind != lesson.Overridden {
				t.Fatalf("created, and still active: %s", b)
			}
		}
	})
}

// A founder note, or a person's line, that says what a review said in the same words is another
// bullet: the handle does not tell them apart, and only the review's own is withdrawn.
func TestOnlyTheReviewsOwnBulletIsWithdrawn(t *testing.T) {
	t.Parallel()
	note := "- " + closing + " (2026-10-01, founder-note)\n"
	mine := "- " + closing + "\n"
	own := "- " + closing + " (PR #7, 2026-11-02, changes-requested%s)\n"
	gone := fmt.Sprintf(own, "; overridden 2026-11-30")
	for name, c := range map[string]struct {
		before string
		acts   []act
		want   string
	}{
		"a founder note before it":  {note, []act{learns(7, 9, "2026-11-02", closing), mergedOver(7, 9)}, note + gone},
		"a person's line before it": {mine, []act{learns(7, 9, "2026-11-02", closing), mergedOver(7, 9)}, mine + gone},
		"a founder note by command after it": {"- x\n", []act{
			learns(7, 9, "2026-11-02", closing),
			learnsFrom(ledger.Source{Channel: "founder-note", PR: lesson.PullRequest{Number: 8}, Object: "command", ID: 3}, "2026-11-03", lesson.FounderNote, closing),
			mergedOver(7, 9),
		}, "- x\n" + gone + "- " + closing + " (PR #8, 2026-11-03, founder-note)\n"},
		"learned again once it was overridden": {note, []act{
			learns(7, 9, "2026-11-02", closing), mergedOver(7, 9), learns(11, 12, "2026-12-02", closing), mergedOver(7, 9),
		}, note + gone + "- " + closing + " (PR #11, 2026-12-02, changes-requested)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &shelf{content: c.before}
			for _, act := range c.acts {
				if err := act(s); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.want, s.content); diff != "" {
				t.Errorf("file (-want +got):\n%s", diff)
			}
		})
	}
}
