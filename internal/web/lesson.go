package web

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
)

// stepLine is what one commit did to the lesson.
type stepLine struct {
	ledger.Step
	CommitURL, SourceURL string
}

// Short is the commit's name for people.
func (s stepLine) Short() string { return s.SHA[:min(10, len(s.SHA))] }

// Event names what the commit answered.
func (s stepLine) Event() string {
	words := map[string]string{"changes-requested": "a review that requested changes", "ci-fix": "a check that was fixed", "founder-note": "a person's wish to keep it", "merge-over": "a merge over the review", "sweep": "the sweep", "withdraw": "a person's wish", "edit": "a person's edit", "finding": "a finding"}
	text := cmp.Or(words[s.Source.Channel], s.Source.Channel)
	if !s.Source.PR.IsZero() {
		text += " on " + s.Source.PR.String()
	}
	return text
}

// lessonView is the page of one lesson.
type lessonView struct {
	room
	bulletLine
	Steps   []stepLine // newest first
	Order   int64      // names the next order, so that it is obeyed once
	Problem string
	Said    string
	Written string // the sentence that was refused, for the person to mend
	MayAct  bool
	SignIn  bool // nobody is signed in, so nobody can be credited
}

func (d *desk) lesson(v *visit) error {
	r, b, err := v.bullet()
	if err != nil {
		return err
	}
	return v.showLesson(http.StatusOK, r, b, "", "")
}

// bullet finds the lesson of the path: an active one before a retired one.
func (v *visit) bullet() (room, lesson.Bullet, error) {
	r, err := v.room("lessons")
	if err != nil {
		return r, lesson.Bullet{}, err
	}
	b, ok := r.Shelf.File.Find(v.r.PathValue("handle"))
	if !ok {
		return r, b, errNotFound
	}
	return r, b, nil
}

// said are what a page says after an action.
var said = map[string]string{
	"withdrawn": "Retired: agents are no longer shown it.", memory.Restored: "Restored, as a note of yours.",
	memory.Kept: "Kept as a note.", memory.Reworded: "Its sentence is changed.",
}

func (v *visit) showLesson(status int, r room, b lesson.Bullet, problem, written string) error {
	view := lessonView{
		room: r, Problem: problem, Written: cmp.Or(written, b.Sentence), Order: newOrder(),
		MayAct: r.Push && v.Login != "", SignIn: v.Login == "", Said: said[v.r.URL.Query().Get("said")],
	}
	for _, line := range v.lines(r) {
		if line.Handle() == b.Handle() && line.Line == b.Line {
			view.bulletLine = line
		}
	}
	for _, s := range slices.Backward(ledger.Trace(r.Commits, b.Handle())) {
		line := stepLine{Step: s, CommitURL: v.githubURL(r.Place, "/commit/"+s.SHA), SourceURL: v.pullURL(r.Place, s.Source.PR)}
		if line.SourceURL != "" && s.Source.Object == "review" {
			line.SourceURL += fmt.Sprintf("#pullrequestreview-%d", s.Source.ID)
		}
		view.Steps = append(view.Steps, line)
	}
	v.write(status, lessonPage, r.FullName+" · "+b.Handle(), view)
	return nil
}

// newOrder returns a number that no other order has.
func newOrder() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:]) >> 12)
}

// act does what a person with write permission asks for, by one commit that credits them.
func (d *desk) act(v *visit) error {
	r, b, err := v.bullet()
	if err != nil {
		return err
	}
	may := false
	if v.Login != "" { // asked now: what the page showed is minutes old
		if may, err = v.Lessons.MayWrite(v.ctx(), r.Place, v.Login); err != nil {
			return err
		}
	}
	if !may {
		return errForbidden
	}
	number, err := strconv.ParseInt(v.r.PostFormValue("order"), 10, 64)
	if err != nil || number <= 0 {
		number = newOrder()
	}
	order := memory.Order{
		By: v.Login, Date: lesson.DateOf(v.Now()), Reason: strings.TrimSpace(v.r.PostFormValue("reason")), CoAuthor: v.coAuthor(),
	}
	sentence := strings.Join(strings.Fields(v.r.PostFormValue("sentence")), " ")
	do := func(m memory.Memory, past memory.History) (memory.Obeyed, error) {
		switch v.r.PostFormValue("do") {
		case "retire":
			order.Source = ledger.Withdrawn(lesson.PullRequest{}, ledger.OnPage, number)
			return m.Withdraw(v.ctx(), past, order, b.Handle())
		case "restore":
			order.Source = ledger.Note(lesson.PullRequest{}, ledger.OnPage, number)
			return m.Restore(v.ctx(), past, order, b.Handle())
		case "keep":
			order.Source = ledger.Note(lesson.PullRequest{}, ledger.OnPage, number)
			return m.Keep(v.ctx(), past, order, memory.Wanted{Handle: b.Handle()})
		case "edit":
			order.Source = ledger.Edited(ledger.OnPage, number)
			return m.Reword(v.ctx(), past, order, b.Handle(), sentence)
		}
		return memory.Obeyed{}, errNotFound
	}
	done, err := v.Lessons.Obey(v.ctx(), r.Place, do)
	if err != nil {
		return err
	}
	deed := memory.Deed{Reason: "nothing was done"}
	if len(done.Deeds) > 0 {
		deed = done.Deeds[0]
	}
	if deed.What == "" {
		return v.showLesson(http.StatusUnprocessableEntity, r, b, deed.Reason, sentence)
	}
	v.Log.Info().Str("login", v.Login).Str("repository", r.FullName).Str("handle", b.Handle()).Str("did", deed.What).Msg("asked for on the dashboard")
	http.Redirect(v.w, v.r, "/r/"+r.FullName+"/lesson/"+deed.Bullet.Handle()+"?"+url.Values{"said": {deed.What}}.Encode(), http.StatusSeeOther)
	return nil
}

// coAuthor names the person by the address that GitHub credits commits by, which is nobody's mailbox.
func (v *visit) coAuthor() string {
	return fmt.Sprintf("%s <%d+%s@users.noreply.%s>", v.Login, v.ID, v.Login, hostOf(v.Credentials.WebURL))
}
