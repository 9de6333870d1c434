package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/report"
)

// room is what the pages of one repository have in common.
type room struct {
	repo
	app.Shelf
	Tab  string
	URL  string // of the repository on GitHub
	File string // of the lessons file there
}

// Tabs are the pages of a repository.
func (r room) Tabs() []string { return []string{"lessons", "pairs", "trend", "deliveries"} }

// Path is where one of them is.
func (r room) Path(tab string) string {
	path := "/r/" + r.FullName
	if tab != "lessons" {
		path += "/" + tab
	}
	return path
}

// room reads the repository of the path.
func (v *visit) room(tab string) (room, error) {
	r, err := v.repo()
	if err != nil {
		return room{}, err
	}
	shelf, err := v.Lessons.Shelf(v.ctx(), r.Place)
	if err != nil {
		return room{}, err
	}
	branch := shelf.Config.Branch
	if branch == "" {
		branch = "HEAD"
	}
	return room{r, shelf, tab, v.githubURL(r.Place, ""), v.githubURL(r.Place, "/blob/"+branch+"/"+shelf.Config.Path)}, nil
}

// bulletLine is a bullet on a page.
type bulletLine struct {
	lesson.Bullet
	At    string // the repository's full name
	Shown bool   // agents are shown it
	Pull  string // address of the pull request, "" for none
}

// Status is the bullet's in one word.
func (b bulletLine) Status() string {
	switch {
	case b.Trailer == nil:
		return "yours"
	case !b.Active():
		return string(b.Trailer.Retirement.Kind)
	case b.Trailer.Verdict == lesson.FounderNote:
		return "note"
	}
	return "active"
}

// lines are the bullets, newest evidence first, retired ones last.
func (v *visit) lines(r room) []bulletLine {
	shown := map[string]bool{}
	for _, b := range r.Shelf.File.Window(r.Config.Window) {
		shown[b.Handle()] = true
	}
	all := r.Shelf.File.Bullets()
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b lesson.Bullet) int {
		if a.Active() != b.Active() {
			if a.Active() {
				return -1
			}
			return 1
		}
		return lesson.NewestFirst(a, b)
	})
	out := make([]bulletLine, len(all))
	for i, b := range all {
		out[i] = v.line(r, b, shown[b.Handle()])
	}
	return out
}

func (v *visit) line(r room, b lesson.Bullet, shown bool) bulletLine {
	out := bulletLine{Bullet: b, At: r.FullName, Shown: shown && b.Active()}
	if b.Trailer != nil {
		out.Pull = v.pullURL(r.Place, b.Trailer.PR)
	}
	return out
}

// show is what the list of lessons may be narrowed to.
var statuses = []string{"active", "retired", "all"}

func (d *desk) lessons(v *visit) error {
	r, err := v.room("lessons")
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	status, text := q.Get("status"), strings.ToLower(strings.TrimSpace(q.Get("q")))
	if !slices.Contains(statuses, status) {
		status = "active"
	}
	all := v.lines(r)
	kept := slices.DeleteFunc(slices.Clone(all), func(b bulletLine) bool {
		return (status == "active" && !b.Active()) || (status == "retired" && b.Active()) || !strings.Contains(strings.ToLower(b.Sentence+" "+b.Handle()), text)
	})
	measured := report.Of(r.Shelf.File, r.Config.Rule())
	reearned := 0
	for _, b := range all {
		if b.Trailer != nil && b.Trailer.Earned > 1 {
			reearned++
		}
	}
	return v.show(lessonsPage, r.FullName, struct {
		room
		Lines         []bulletLine
		Total         int
		Query, Status string
		Statuses      []string
		Active        int
		Retired       int
		Reearned      int
		Pairs         int
		Cap           string
	}{r, kept, len(all), q.Get("q"), status, statuses, measured.Active, measured.RetiredTotal(), reearned, len(measured.Pairs),
		fmt.Sprintf("%d of %d", measured.Bounded, r.Config.Cap)})
}

// pairLine is a pair on a page.
type pairLine struct {
	report.Pair
	A, B    bulletLine
	Verdict string
	Tone    string
}

func (d *desk) pairs(v *visit) error {
	r, err := v.room("pairs")
	if err != nil {
		return err
	}
	measured := report.Of(r.Shelf.File, r.Config.Rule())
	lineOf := func(p report.Pair) pairLine {
		out := pairLine{Pair: p, A: v.line(r, p.A, false), B: v.line(r, p.B, false), Verdict: "below the floor"}
		switch {
		case p.Decision.Contradiction:
			out.Verdict, out.Tone = "contradiction", "bad"
		case p.Decision.Guard != "":
			out.Verdict = "kept apart"
		case p.Decision.Collapse:
			out.Verdict, out.Tone = "one lesson", "warn"
		}
		return out
	}
	var against, alike []pairLine
	for _, p := range measured.Pairs {
		if line := lineOf(p); p.Decision.Contradiction {
			against = append(against, line)
		} else {
			alike = append(alike, line)
		}
	}
	var nearest *pairLine
	if found := measured.Nearest(); found != nil {
		line := lineOf(*found)
		nearest = &line
	}
	return v.show(pairsPage, "Pairs · "+r.FullName, struct {
		room
		Against, Alike []pairLine
		Nearest        *pairLine
		Floor          float64
		Share          string
		Active         int
	}{r, against, alike, nearest, r.Config.Rule().Floor, report.Percent(measured.DuplicateShare()), measured.Active})
}

func (d *desk) trend(v *visit) error {
	r, err := v.room("trend")
	if err != nil {
		return err
	}
	series, err := v.Lessons.Trend(v.ctx(), r.Place, r.Shelf)
	if err != nil {
		return err
	}
	return v.show(trendPage, "Trend · "+r.FullName, struct {
		room
		Series any
	}{r, series})
}

// place is the repository of a delivery, as the viewer may see it.
func (v *visit) place(d queue.Delivery) (repo, bool) {
	r, ok := v.byID[d.Intent.Repository]
	return r, ok
}
