package trend

import (
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/browsertest"
)

// The page is seen on a desk and in a hand, light and dark: it fits, everyone can read it, and a name is
// no more than text.
func TestPage(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	var html strings.Builder
	if err := HTML(&html, example()); err != nil {
		t.Fatal(err)
	}
	for _, v := range browsertest.Views() {
		t.Run(v.String(), func(t *testing.T) {
			p := b.Show(t, []byte(html.String()), v)
			p.Fits()
			p.Accessible()
			p.Screenshot("stats-" + v.String())
			if got := browsertest.Eval[int](p, `document.scripts.length`); got != 0 {
				t.Errorf("%d scripts", got)
			}
		})
	}
}
