package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/agent-corp/agent-lessons/internal/browsertest"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

func pageOf(t *testing.T, r Report) []byte {
	t.Helper()
	var page strings.Builder
	if err := HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	return []byte(page.String())
}

// The page is seen on a desk and in a hand, light and dark: it fits, everyone can read it, its policy
// lets it do what it does, and nothing that a bullet says is more than text.
func TestPage(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	html := pageOf(t, example(t))
	for _, v := range browsertest.Views() {
		t.Run(v.String(), func(t *testing.T) {
			p := b.Show(t, html, v)
			p.Fits()
			p.Accessible()
			p.Screenshot("report-" + v.String())
			if got := browsertest.Eval[int](p, `document.scripts.length + 1000 * document.querySelectorAll("main b, main i, main a[href^=http]").length`); got != 1 {
				t.Errorf("a bullet is more than text: %d", got)
			}
		})
	}
}

// The headers of the pairs sort them, by key and by pointer: downwards first, then upwards.
func TestSorting(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	p := b.Show(t, pageOf(t, example(t)), browsertest.View{Width: 1280})
	scores := func() []string {
		return browsertest.Eval[[]string](p, `[...document.querySelectorAll("#store-2-pairs + table tbody tr")].map(r => r.cells[1].textContent)`)
	}
	before := scores()
	const header = `#store-2-pairs + table th:nth-child(2) button`
	p.Do(chromedp.Click(header))
	sorted := slices.Sorted(slices.Values(before))
	if got := scores(); slices.Equal(before, sorted) || !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("downwards: %v", got)
	}
	p.Do(chromedp.SendKeys(header, "\r"))
	if got := scores(); !slices.Equal(got, sorted) {
		t.Errorf("upwards: %v", got)
	}
}

// Many bullets with a thousand pairs still make a page that can be looked at.
func TestPageOfMany(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	rule := similarity.DefaultRule()
	html := pageOf(t, Report{Stores: []Measured{{"many.md", rule, Of(file(many(600)...), rule)}}})
	if len(html) > 2<<20 {
		t.Errorf("%d bytes", len(html))
	}
	b.Show(t, html, browsertest.View{Width: 390, Dark: true}).Fits()
}
