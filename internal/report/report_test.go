package report

import (
	"os"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"pgregory.net/rapid"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

const (
	snapshot  = "Take a snapshot before compacting the lease file, otherwise a crash loses the history."
	snapshot2 = "Always take a snapshot of the lease file before compacting it, or a crash loses the history."
	near      = "Take a backup before compacting the journal, or a power cut loses entries."
	never     = "Never take a snapshot before compacting the lease file, otherwise a crash loses the history."
	generate  = "Run `go generate ./...` after touching `api/schema.graphql`, or the client in the next release cannot read it."
)

func file(lines ...string) *lesson.File {
	return lesson.Parse([]byte("# Lessons\n\n- " + strings.Join(lines, "\n- ") + "\n"))
}

func TestOf(t *testing.T) {
	t.Parallel()
	const active, expired = " (PR #1, 2026-11-02, changes-requested)", " (PR #2, 2026-06-02, ci-fix; expired 2026-09-01)"
	type numbers struct {
		active, bounded, retired, pairs, collapsing, superfluous int
		nearest                                                  bool
	}
	for name, c := range map[string]struct {
		file *lesson.File
		want numbers
	}{
		"nothing":                            {lesson.Parse(nil), numbers{}},
		"one":                                {file(generate + active), numbers{active: 1, bounded: 1}},
		"two that differ":                    {file(generate+active, snapshot+active), numbers{active: 2, bounded: 2}},
		"two that are near":                  {file(near+active, snapshot+active), numbers{active: 2, bounded: 2, nearest: true}},
		"two that are one":                   {file(snapshot2+active, snapshot+active), numbers{active: 2, bounded: 2, pairs: 1, collapsing: 1, superfluous: 1}},
		"one of them retired":                {file(snapshot2+active, snapshot+expired), numbers{active: 1, bounded: 2, retired: 1}},
		"one of them a person's":             {file(snapshot2, snapshot+active), numbers{active: 2, bounded: 1, pairs: 1, collapsing: 1, superfluous: 1}},
		"three that are one":                 {file(snapshot2+active, snapshot+active, snapshot+active), numbers{active: 3, bounded: 3, pairs: 3, collapsing: 3, superfluous: 2}},
		"opposites":                          {file(never+active, snapshot+active), numbers{active: 2, bounded: 2, pairs: 1}},
		"the same, too short to be compared": {file("Ask mara.", "Ask mara."), numbers{active: 2, pairs: 1, collapsing: 1, superfluous: 1}},
	} {
		s := Of(c.file, similarity.DefaultRule())
		got := numbers{s.Active, s.Bounded, s.RetiredTotal(), len(s.Pairs), s.Merging, s.Superfluous, s.Nearest() != nil}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTouching(t *testing.T) {
	t.Parallel()
	files := []string{"api/schema.graphql", "internal/tides/fetch.go", "Makefile", "web/src/app.tsx"}
	for sentence, want := range map[string]bool{
		"Run it after touching `api/schema.graphql`.":         true,
		"Run it after touching api/schema.graphql.":           true,
		"Run it after touching ./api/schema.graphql, always.": true,
		"Regenerate when `schema.graphql` changes.":           true,
		"Keep `tides/fetch.go` short.":                        true,
		"Everything in `internal/tides/` needs a context.":    true,
		"Everything in `internal/tides` needs a context.":     true,
		"Keep the targets of `Makefile` sorted.":              true,
		"Run `make -f Makefile test` first.":                  true,
		"Keep `tides` short.":                                 false, // a bare word is no folder
		"Keep `fetch` short.":                                 false,
		"Never edit `other/schema.graphql`.":                  false,
		"Never edit `a.graphql`.":                             false,
		"The schema is in the folder api.":                    false,
		"Use either/or.":                                      false,
		"Look at `/`.":                                        false,
		"Be careful with `app.tsx`.":                          true,
		"An `app.ts` is not it.":                              false,
		"An app.tsx in prose is a word.":                      false,
	} {
		got := Touching(file(sentence+" (PR #1, 2026-11-02, changes-requested)").Bullets(), files)
		if (len(got) == 1) != want {
			t.Errorf("%q: %v", sentence, !want)
		}
	}
	if got := Touching(file("Keep `Makefile` sorted. (PR #1, 2026-06-02, ci-fix; stale 2026-09-01)").Bullets(), files); len(got) != 0 {
		t.Errorf("a retired bullet: %v", got)
	}
}

// Whatever the text, a row stays one row of as many cells, and holds no link, image, HTML,
// heading or acting mention.
func TestInlineIsHarmless(t *testing.T) {
	t.Parallel()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{"`", "``", "\\", "|", "\n", "\r\n", "<b>", "<!--", "-->", "[a](http://b)", "![a](b)", "*", "**", "_", "~~", "# ", "- ", "http://x.example", "www.x.example", "@mara", "#12", "&#64;", "&amp;", "word", " ", "$x$", "<script>", "\u2028"}),
			rapid.String(),
		)).Draw(t, "text"), "")
		var html strings.Builder
		if err := md.Convert([]byte(Table([]string{"a", "b"}, [][]string{{Inline(text), Code(text)}, {"next", "row"}})), &html); err != nil {
			t.Fatal(err)
		}
		got := html.String()
		if n := strings.Count(got, "<tr>"); n != 3 || strings.Count(got, "<td>") != 4 || !strings.Contains(got, "<td>next</td>") {
			t.Fatalf("%q breaks the table:\n%s", text, got)
		}
		for _, tag := range []string{"<a", "<img", "<b>", "<em", "<strong", "<del", "<script", "<h1", "<!--"} {
			if strings.Contains(got, tag) {
				t.Fatalf("%q becomes %s:\n%s", text, tag, got)
			}
		}
	})
}

func TestInline(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Run `a | b` first.":        "Run `a \\| b` first.",
		"Ask @mara about #12":       "Ask @\u200bmara about \\#\u200b12",
		"A lone ` tick":             "A lone ' tick",
		"Double `` ticks ``":        "Double '' ticks ''",
		"two\nlines":                "two lines",
		"<img src=x> fixes #3":      "\\<img src=x\\> fix\u200bes \\#\u200b3",
		"It costs $5 and $6: cheap": "It costs \\$5 and \\$6\\: cheap",
	} {
		if got := Inline(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Shorten("äöüß", 3); got != "äö…" {
		t.Errorf("shortened: %q", got)
	}
	if got := Percent(0.125) + Percent(0.5) + Percent(1.0/3); got != "12.5 %50 %33.3 %" {
		t.Errorf("percent: %q", got)
	}
}

func BenchmarkOfForty(b *testing.B) {
	src, err := os.ReadFile("testdata/forty.md")
	if err != nil {
		b.Fatal(err)
	}
	f := lesson.Parse(src)
	for b.Loop() {
		Of(f, similarity.DefaultRule())
	}
}
