package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/agent-corp/agent-lessons/internal/browsertest"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// press clicks what bears the text, and waits for a page that says what comes of it.
func press(p *browsertest.Page, label, then string) {
	p.Do(chromedp.Click(`//*[self::a or self::button][normalize-space()="`+label+`"]`), see(then))
}

func see(text string) chromedp.Action[chromedp.Void] {
	return chromedp.WaitVisible(`//body//*[contains(normalize-space(), "` + text + `")]`)
}

// Issue 9, "Looks": every page at two widths and in both schemes, without an error in the console,
// without scrolling sideways, and without a violation that axe-core knows.
func TestEveryPageLooksRight(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	b := newBench(t)
	learned, ignored := b.story()
	handle := "/r/harbour/tidewatch/lesson/"
	broken := b.giveUp()
	b.github.AddInstallation(2, "quiet")
	b.github.AddRepository(2, "quiet/empty", map[string]string{"a.go": "package a\n"}).SetPermission("noor", "write", "")
	pages := map[string]string{
		"repositories": "/", "repositories-none": "/?q=nothing", "lessons": "/r/harbour/tidewatch", "lessons-all": "/r/harbour/tidewatch?status=all",
		"lessons-empty": "/r/quiet/empty", "lesson": handle + lesson.Handle(snapshot), "lesson-retired": handle + lesson.Handle("Wait for every CI job to conclude before approving a pull request."),
		"lesson-person": handle + lesson.Handle("Never restart the harbour gateway by hand; ask in #ops first."),
		"pairs":         "/r/harbour/tidewatch/pairs", "trend": "/r/harbour/tidewatch/trend", "trend-empty": "/r/quiet/empty/trend", "deliveries-of": "/r/harbour/tidewatch/deliveries", "deliveries-none": "/r/quiet/empty/deliveries",
		"deliveries": "/deliveries", "delivery": "/deliveries/" + learned.Intent.Delivery, "delivery-nothing": "/deliveries/" + ignored.Intent.Delivery, "delivery-failed": "/deliveries/" + broken.Intent.Delivery,
		"jobs": "/jobs",
	}
	for _, v := range browsertest.SomeViews() {
		t.Run(v.String(), func(t *testing.T) {
			p := browser.Open(t, b.url+"/login", v)
			p.Do(see("Authorize as noor"))
			press(p, "Authorize as noor", "Repositories")
			for name, path := range pages {
				p.Do(chromedp.Navigate(b.url+path), chromedp.WaitVisible("main"))
				p.Fits()
				if v.Width == 390 { // the rules look at structure and colours
					p.Accessible()
				}
				p.Screenshot(name + "-" + v.String())
			}
		})
	}
}

// giveUp leaves a delivery that was given up.
func (b *bench) giveUp() queue.Delivery {
	b.t.Helper()
	was, _ := b.tide.File(lessonsFile)
	b.tide.Put(lessonsFile, "version https://git-lfs.github.com/spec/v1\n", "by a person")
	d := b.review(b.tide, "mara", "Close every file that the tide reader opens, or the process runs out of descriptors.")
	b.tide.Put(lessonsFile, was, "back again")
	if d.State != queue.GaveUp {
		b.t.Fatalf("the delivery ended as %+v", d)
	}
	return d
}

// What a person with write permission asks for in a browser is a commit that credits them, and shows.
func TestAPersonChangesLessons(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	b := newBench(t)
	b.review(b.tide, "mara", snapshot)
	p := browser.Open(t, b.url+"/login?next=/r/harbour/tidewatch/lesson/"+lesson.Handle(snapshot), browsertest.View{Width: 1280})
	p.Do(see("Authorize as mara"))
	press(p, "Authorize as mara", "Where it comes from")

	const better = "Take a snapshot of the lease file before compacting it, or a crash loses the history."
	p.Do(chromedp.SetValue("textarea", better))
	press(p, "Save the sentence", "Its sentence is changed.")
	press(p, "Keep as note", "Kept as a note.")
	p.Do(chromedp.SetValue("input[name=reason]", "the journal took its place"))
	press(p, "Retire", "Retired: agents are no longer shown it.")
	press(p, "Restore", "Restored, as a note of yours.")

	file, _ := b.tide.File(lessonsFile)
	if want := "- " + better + " (" + time.Now().UTC().Format(time.DateOnly) + ", founder-note)\n"; !strings.Contains(file, want) {
		t.Errorf("%s\nlacks %s", file, want)
	}
	made := b.tide.Commits(lessonsFile)[:4]
	for i, want := range []string{"1 restored", "1 withdrawn", "1 kept", "1 renamed"} {
		message := made[i].Message
		if !strings.Contains(message, want) || !strings.Contains(message, "\nCo-authored-by: mara <") || !strings.Contains(message, "+mara@users.noreply.") {
			t.Errorf("commit %d is\n%s\nwant %q, and the credit", i, message, want)
		}
	}
	if !strings.Contains(made[1].Message, "Reason: the journal took its place") {
		t.Errorf("the reason is lost:\n%s", made[1].Message)
	}
}
