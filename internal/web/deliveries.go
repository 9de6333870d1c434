package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// deliveryLine is a delivery on a page.
type deliveryLine struct {
	queue.Delivery
	Pull string // address of the pull request, "" for none
}

// kinds are what happened, in words.
var kinds = map[string]string{
	"review": "Review that requested changes", "merge": "Merge", "check": "Check that was fixed", "sweep": "Sweep",
	"command " + ledger.InComment: "Command in a comment", "command " + ledger.InRemark: "Command on lines of code", "command " + ledger.InReview: "Command in a review",
}

// What says what happened.
func (l deliveryLine) What() string {
	if text, ok := kinds[l.Intent.Kind]; ok {
		return text
	}
	if strings.HasPrefix(l.Intent.Kind, "press") {
		return "Button of a check run"
	}
	return l.Intent.Kind
}

// piece is a part of a reason: text, or the handle of a lesson.
type piece struct {
	Text   string
	Handle bool
	Link   string
}

var handlePattern = regexp.MustCompile(`\b[0-9a-f]{8}\b`)

// Reason is why, with links to the lessons that it names.
func (l deliveryLine) Reason() []piece {
	var out []piece
	at, reason := 0, l.Outcome.Reason
	for _, m := range handlePattern.FindAllStringIndex(reason, -1) {
		handle := reason[m[0]:m[1]]
		out = append(out, piece{Text: reason[at:m[0]]}, piece{handle, true, "/r/" + l.Intent.FullName + "/lesson/" + handle})
		at = m[1]
	}
	return append(out, piece{Text: reason[at:]})
}

// Tone is the colour of the outcome.
func (l deliveryLine) Tone() string {
	switch {
	case l.State == queue.Waiting:
		return "warn"
	case l.State == queue.GaveUp:
		return "bad"
	case l.Outcome.Result != "nothing":
		return "good"
	}
	return ""
}

// Result is the outcome in one word.
func (l deliveryLine) Result() string {
	switch l.State {
	case queue.Waiting:
		return "waiting"
	case queue.GaveUp:
		return "gave up"
	}
	return l.Outcome.Result
}

// Link is the page of the delivery.
func (l deliveryLine) Link() string { return "/deliveries/" + url.PathEscape(l.Intent.Delivery) }

func (v *visit) deliveryLine(d queue.Delivery) deliveryLine {
	at := queue.Place{FullName: d.Intent.FullName}
	if r, ok := v.place(d); ok {
		at = r.Place
	}
	return deliveryLine{d, v.pullURL(at, lesson.PullRequest{Number: d.Intent.PullRequest})}
}

// states are what a list of deliveries may be narrowed to, with their words.
var states = []struct{ Value, Text string }{{"", "All"}, {string(queue.Waiting), "Waiting"}, {string(queue.Done), "Done"}, {string(queue.GaveUp), "Given up"}}

// deliveryList is a page of deliveries.
type deliveryList struct {
	Lines  []deliveryLine
	State  string
	Older  string // address of the next page, "" for none
	Action string
	Named  bool // lines name their repository
}

// States are the choices of the filter.
func (deliveryList) States() any { return states }

// perPage is how many deliveries a page lists.
const perPage = 50

func (v *visit) deliveryList(repositories []int64) (deliveryList, error) {
	q := v.r.URL.Query()
	before, _ := strconv.ParseInt(q.Get("before"), 10, 64) // what is no number is the newest
	list := deliveryList{State: q.Get("state"), Action: v.r.URL.Path}
	if !slices.ContainsFunc(states, func(s struct{ Value, Text string }) bool { return s.Value == list.State }) {
		list.State = ""
	}
	found, err := v.Deliveries.Deliveries(v.ctx(), queue.Filter{State: queue.State(list.State), Before: max(before, 0), Repositories: repositories}, perPage+1)
	if err != nil {
		return list, err
	}
	if len(found) > perPage {
		found = found[:perPage]
		list.Older = v.r.URL.Path + "?" + url.Values{"state": {list.State}, "before": {fmt.Sprint(found[perPage-1].Intent.ID)}}.Encode()
	}
	for _, d := range found {
		list.Lines = append(list.Lines, v.deliveryLine(d))
	}
	return list, nil
}

func (d *desk) allDeliveries(v *visit) error {
	list, err := v.deliveryList(v.ids())
	if err != nil {
		return err
	}
	list.Named = true
	return v.show(deliveriesPage, "Deliveries", list)
}

func (d *desk) deliveriesOf(v *visit) error {
	r, err := v.repo()
	if err != nil {
		return err
	}
	list, err := v.deliveryList([]int64{r.Repository})
	if err != nil {
		return err
	}
	return v.show(repositoryDeliveriesPage, "Deliveries · "+r.FullName, struct {
		room
		List deliveryList
	}{room{repo: r, Tab: "deliveries", URL: v.githubURL(r.Place, "")}, list})
}

// found is the delivery of the path, where the viewer may see its repository.
func (v *visit) found() (queue.Delivery, repo, error) {
	got, ok, err := v.Deliveries.Delivery(v.ctx(), v.r.PathValue("delivery"))
	if err != nil {
		return got, repo{}, err
	}
	r, visible := v.place(got)
	if v.operator && ok && !visible { // of a repository that the App was taken from
		r, visible = repo{Place: queue.Place{Repository: got.Intent.Repository, FullName: got.Intent.FullName}}, true
	}
	if !ok || !visible {
		return got, repo{}, errNotFound
	}
	return got, r, nil
}

func (d *desk) delivery(v *visit) error {
	got, r, err := v.found()
	if err != nil {
		return err
	}
	_, seen := v.byID[r.Repository]
	return v.show(deliveryPage, "Delivery", struct {
		deliveryLine
		Repo     repo
		Seen     bool
		MayRetry bool
		Retried  bool
	}{v.deliveryLine(got), r, seen, got.State == queue.GaveUp && (r.Push || v.operator), v.r.URL.Query().Has("retried")})
}

// retry has a delivery that was given up tried again.
func (d *desk) retry(v *visit) error {
	got, r, err := v.found()
	if err != nil {
		return err
	}
	may := v.operator
	if !may {
		if may, err = v.Lessons.MayWrite(v.ctx(), r.Place, v.Login); err != nil {
			return err
		}
	}
	if !may {
		return errForbidden
	}
	if got.State == queue.GaveUp { // else somebody was faster
		if err := v.Deliveries.Retry(v.ctx(), got.Intent.Delivery); err != nil {
			return err
		}
	}
	http.Redirect(v.w, v.r, deliveryLine{Delivery: got}.Link()+"?retried", http.StatusSeeOther)
	return nil
}

// jobs shows operators the work of all repositories: what waits, and what was given up.
func (d *desk) jobs(v *visit) error {
	if !v.operator {
		return errNotFound
	}
	tallies, err := v.Deliveries.Tallies(v.ctx(), nil)
	if err != nil {
		return err
	}
	var sum queue.Tally
	busy := 0
	for _, t := range tallies {
		sum.Waiting, sum.Done, sum.GaveUp, sum.Learned = sum.Waiting+t.Waiting, sum.Done+t.Done, sum.GaveUp+t.GaveUp, sum.Learned+t.Learned
		if t.Waiting > 0 {
			busy++
		}
	}
	view := struct {
		queue.Tally
		Busy, Repositories int
		Held, Failed       deliveryList
	}{Tally: sum, Busy: busy, Repositories: len(tallies)}
	for state, list := range map[queue.State]*deliveryList{queue.Waiting: &view.Held, queue.GaveUp: &view.Failed} {
		found, err := v.Deliveries.Deliveries(v.ctx(), queue.Filter{State: state}, perPage)
		if err != nil {
			return err
		}
		list.Named = true
		for _, d := range found {
			list.Lines = append(list.Lines, v.deliveryLine(d))
		}
	}
	return v.show(jobsPage, "Jobs", view)
}
