package browsertest

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page is seen as the view says.
func TestViews(t *testing.T) {
	b := Start(t)
	for _, v := range Views() {
		t.Run(v.String(), func(t *testing.T) {
			p := b.Show(t, []byte(`<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><main><h1>A page</h1></main>`), v)
			seen := Eval[View](p, `({Width: innerWidth, Dark: matchMedia("(prefers-color-scheme: dark)").matches})`)
			if seen != v {
				t.Errorf("seen as %v", seen)
			}
			p.Fits()
			p.Accessible()
			p.Do(chromedp.WaitVisible("h1"))
			picture, err := png.DecodeConfig(bytes.NewReader(p.Screenshot("page-" + v.String())))
			if err != nil || picture.Width != v.Width {
				t.Errorf("a picture of %d pixels: %v", picture.Width, err)
			}
		})
	}
}

// What a page complains of is heard.
func TestComplaints(t *testing.T) {
	b := Start(t)
	for name, script := range map[string]string{
		"thrown": `throw new Error("no")`, "console": `console.error("no")`, "missing": `fetch("/", {method: "no such"})`,
		"policy": `const m = document.createElement("meta"); m.httpEquiv = "Content-Security-Policy"; m.content = "img-src 'none'"; document.head.append(m); document.body.append(Object.assign(new Image(), {src: "/x.png"}))`,
	} {
		t.Run(name, func(t *testing.T) {
			p := b.Show(t, []byte(`<!doctype html><link rel="icon" href="data:,"><body><script>`+script+`; document.title = "done"</script>`), View{Width: 390})
			Eval[bool](p, `new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))`)
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.wrong) == 0 {
				t.Error("nothing was heard")
			}
			p.wrong = nil
		})
	}
}
