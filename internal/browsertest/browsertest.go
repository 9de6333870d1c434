// Package browsertest looks at the product's pages through a headless Chromium, in tests.
package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take for all that a test does with it.
const patience = time.Minute

// View is how a page is looked at.
type View struct {
	Width int // of the window, in CSS pixels
	Dark  bool
}

// Views are those that every page has to look right in.
func Views() []View { return []View{{1280, false}, {1280, true}, {390, false}, {390, true}} }

// SomeViews are a light and a dark one, a wide and a narrow one, for where each look takes its time;
// they are all of Views when AGENT_LESSONS_TEST_ALL=1, and where screenshots are kept.
func SomeViews() []View {
	if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" || os.Getenv("AGENT_LESSONS_SCREENSHOTS") != "" {
		return Views()
	}
	return []View{{1280, false}, {390, true}}
}

// String names the view in tests and files: "390-dark".
func (v View) String() string {
	if v.Dark {
		return fmt.Sprintf("%d-dark", v.Width)
	}
	return fmt.Sprintf("%d-light", v.Width)
}

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Start starts a Chromium that ends with the test. Where there is none, the test is skipped, or fails
// when AGENT_LESSONS_TEST_ALL=1.
func Start(t *testing.T) *Browser {
	t.Helper()
	program := find()
	if program == "" {
		const missing = "there is no Chromium: install Debian's chromium, or run scripts/test"
		if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.NoSandbox) // containers have no user namespaces; the pages are our own
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", program, err)
	}
	return &Browser{ctx}
}

func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Page is one open page. Whatever it writes to the console as an error, or throws, fails the test.
type Page struct {
	t     *testing.T
	ctx   context.Context
	mu    sync.Mutex
	wrong []string
}

// Open opens a URL in a window of its own.
func (b *Browser) Open(t *testing.T, url string, v View) *Page {
	t.Helper()
	tab, closeTab := chromedp.NewContext(b.ctx)
	ctx, stop := context.WithTimeout(tab, patience)
	p := &Page{t: t, ctx: ctx}
	t.Cleanup(func() {
		stop()
		closeTab()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, wrong := range p.wrong {
			t.Errorf("%s: the console says: %s", v, wrong)
		}
	})
	if err := chromedp.Do(tab); err != nil { // not with the time limit, which would end with it
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	p.Do(
		command(log.Enable, cdp.Empty{}), command(runtime.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(int64(v.Width), 900),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}),
		chromedp.Navigate(url))
	return p
}

// command is a command of Chromium's protocol as a step.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// Show serves HTML and opens it.
func (b *Browser) Show(t *testing.T, html []byte, v View) *Page {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(html)
	}))
	t.Cleanup(server.Close)
	return b.Open(t, server.URL, v)
}

// hear collects what the page complains of.
func (p *Page) hear(event any) {
	wrong := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		wrong = e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			wrong += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
			for _, arg := range e.Args {
				wrong += fmt.Sprint(arg.Value, arg.Description) + " "
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			wrong = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if wrong != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wrong = append(p.wrong, wrong)
	}
}

// Do does what chromedp can: click, type, press keys, wait.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// Eval evaluates JavaScript and returns its value, that of a promise when it is kept. The page's
// Content-Security-Policy does not bind it.
func Eval[T any](p *Page, script string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	return value
}

// Fits fails the test where the page is wider than its window, and names what sticks out.
func (p *Page) Fits() {
	p.t.Helper()
	out := Eval[[]string](p, `document.documentElement.scrollWidth <= innerWidth ? [] :
		[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5)
			.slice(0, 5).map(e => e.outerHTML.slice(0, 120))`)
	if len(out) > 0 {
		p.t.Errorf("the page is wider than its window: %s", strings.Join(out, "\n"))
	}
}

// Screenshot returns the whole page as a PNG; where AGENT_LESSONS_SCREENSHOTS names a folder, it is kept
// there under a name for people to look at.
func (p *Page) Screenshot(name string) []byte {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if folder := os.Getenv("AGENT_LESSONS_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(folder+"/"+name+".png", png, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	return png
}
