package actions

import (
	"fmt"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

// maxComment is the longest comment that GitHub takes, in characters; here in bytes, to be sure.
const maxComment = 65536

// page is what the comment and the step's summary show.
type page struct {
	path     string
	limit    int // the cap
	store    report.Store
	weeks    []trend.Week
	proposed bool            // the numbers are those of the file as the pull request would leave it
	changes  []change        // what the pull request changes in the file
	touching []lesson.Bullet // active bullets that speak of files that the pull request touches
	done     []string        // what this run did, or why not
}

// change is one bullet that a pull request changes.
type change struct {
	what   string // "adds", "removes", "changes"
	bullet lesson.Bullet
}

// render returns the page within limit bytes. Long lists lose their ends first, and sentences
// theirs when that is not enough; what was left out is said.
func (p page) render(limit int) string {
	for _, size := range []struct{ rows, chars int }{{1000, 500}, {200, 300}, {50, 300}, {25, 300}, {10, 200}} {
		if text := p.build(size.rows, size.chars); len(text) <= limit {
			return text
		}
	}
	return p.build(3, 80)
}

func (p page) build(rows, chars int) string {
	var b strings.Builder
	b.WriteString(marker + "\n## Lessons of this repository\n\n")
	b.WriteString(p.numbers())
	list(&b, "This run", p.done, rows, func(s string) string { return report.Inline(report.Shorten(s, chars)) })
	list(&b, "What this pull request changes in the file", p.changes, rows, func(c change) string {
		return c.what + ": " + bullet(c.bullet, chars)
	})
	list(&b, "Lessons that speak of files that this pull request touches", p.touching, rows, func(b lesson.Bullet) string {
		return bullet(b, chars)
	})
	p.pairs(&b, rows, chars)
	if len(p.weeks) > 0 {
		fmt.Fprintf(&b, "### Re-earned rather than new\n\n%s\n", trend.Mermaid(p.weeks))
	}
	return b.String()
}

// numbers is the line that is read first.
func (p page) numbers() string {
	of := ""
	if p.proposed {
		of = " as this pull request would leave it"
	}
	retired := fmt.Sprint(p.store.RetiredTotal())
	if kinds := p.retiredByKind(); kinds != "" {
		retired += " (" + kinds + ")"
	}
	share, known := trend.RefreshShare(p.weeks...)
	refresh := "not known yet"
	if known {
		refresh = report.Percent(share)
	}
	return fmt.Sprintf("%s%s:\n\n", report.Code(p.path), of) + report.Table(
		[]string{"active", "retired", "of the cap", "would collapse", "refresh share"},
		[][]string{{
			fmt.Sprint(p.store.Active), retired, fmt.Sprintf("%d / %d", p.store.Bounded, p.limit),
			fmt.Sprintf("%d (%s)", p.store.Superfluous, report.Percent(p.store.DuplicateShare())), refresh,
		}}) + "\n"
}

func (p page) retiredByKind() string {
	var parts []string
	for _, k := range p.store.RetiredKinds() {
		parts = append(parts, fmt.Sprintf("%d %s", k.Count, k.Kind))
	}
	return strings.Join(parts, ", ")
}

func (p page) pairs(b *strings.Builder, rows, chars int) {
	if n := len(p.store.Pairs); n > 0 {
		fmt.Fprintf(b, "### Pairs at or above the floor\n\n%s", report.PairsTable(p.store.Pairs[:min(n, rows)], chars))
		leftOut(b, max(n, p.store.Reaching)-rows)
	}
	if n := len(p.store.Corrections); n > 0 {
		fmt.Fprintf(b, "### Corrections\n\n%s", report.PairsTable(p.store.Corrections[:min(n, rows)], chars))
		leftOut(b, n-rows)
	}
	if near := p.store.Nearest(); near != nil {
		fmt.Fprintf(b, "### The nearest pair below the floor\n\n%s\n", report.PairsTable([]report.Pair{*near}, chars))
	}
}

// bullet renders a bullet with its evidence, without the dash.
func bullet(b lesson.Bullet, chars int) string {
	return report.Inline(report.Shorten(strings.TrimPrefix(b.String(), "- "), chars))
}

// list renders items as bullets under a title, the first rows of them.
func list[T any](b *strings.Builder, title string, items []T, rows int, render func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", title)
	for _, item := range items[:min(len(items), rows)] {
		b.WriteString("- " + render(item) + "\n")
	}
	leftOut(b, len(items)-rows)
}

func leftOut(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\n*%d more are left out here; the step's summary may hold them.*\n", n)
	}
	b.WriteString("\n")
}
