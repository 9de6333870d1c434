package answer

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
)

// Pressed is a press of a button by somebody.
type Pressed struct {
	Check int64 // the check run's id
	Press Press
	By    string // login of who pressed it
}

// Press does what a button says, once, and writes what became of it on the check run: the first of
// several presses spends all its buttons.
func (d Desk) Press(ctx context.Context, p Pressed) (Answer, error) {
	run, response, err := d.Repo.Client.Checks.GetCheckRun(ctx, d.Repo.Owner, d.Repo.Name, p.Check)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return ignored("the check run is gone"), nil
	}
	if err != nil {
		return Answer{}, err
	}
	about, ours := parseSubject(run.GetExternalID())
	ours = ours && (d.Self == "" || strings.EqualFold(run.GetApp().GetSlug()+"[bot]", d.Self))
	switch {
	case !ours || !p.Press.Known():
		return ignored("the check run is none of ours, or has no such button"), nil
	case about.pressed:
		return ignored("a button of the check run was pressed before"), nil
	}
	if may, err := d.Repo.MayWrite(ctx, p.By); err != nil {
		return Answer{}, err
	} else if !may {
		return d.decline(ctx, about.review.PR.Number, p.By, d.Now)
	}
	answer, text, err := d.act(ctx, p, about)
	if final := refusal(err); final != "" {
		answer, text, err = refuse("%s", final)
	}
	if err != nil {
		return answer, err
	}
	about.pressed = true
	title := "Nothing was changed"
	for _, deed := range answer.Obeyed.Deeds { // an earlier press whose answer was lost may have done the opposite
		switch {
		case deed.What == "":
		case deed.What == string(lesson.Withdrawn):
			title = "Withdrawn"
		case p.Press == PressTeach:
			title = "Taught as a founder note"
		default:
			title = "Kept as a founder note"
		}
	}
	return answer, d.write(ctx, http.MethodPatch, fmt.Sprintf("check-runs/%d", p.Check), check{
		Name: run.GetName(), ExternalID: about.String(), Status: "completed", Conclusion: "neutral",
		Output: output{title, text + "\n\nAsked for by " + prose(p.By) + "."}, Actions: []button{},
	})
}

// act does what a button says, and words it.
func (d Desk) act(ctx context.Context, p Pressed, about subject) (Answer, string, error) {
	m := d.memory()
	order := memory.Order{Source: ledger.Note(about.review.PR, ledger.ByPress, p.Check), By: p.By, Date: lesson.DateOf(d.Now)}
	if p.Press == PressDrop {
		order.Source = ledger.Withdrawn(about.review.PR, ledger.ByPress, p.Check)
		obeyed, err := m.Withdraw(ctx, d.File, order, about.handle)
		if err != nil {
			return Answer{}, "", err
		}
		return wordsOf(obeyed)
	}
	if !d.Config.Teaches(lesson.FounderNote) {
		return refuse("the configuration leaves the channel %s out", lesson.FounderNote)
	}
	wanted := memory.Wanted{Handle: about.handle}
	obeyed, err := m.Keep(ctx, d.File, order, wanted)
	if err == nil && !obeyed.Before && obeyed.Deeds[0].Bullet.Sentence == "" { // it never was in the file, or left it
		if wanted.Sentence, err = d.sentence(ctx, about); err == nil {
			obeyed, err = m.Keep(ctx, d.File, order, wanted)
		}
	}
	if err != nil {
		return Answer{}, "", err
	}
	return wordsOf(obeyed)
}

// sentence finds the lesson that a check run is about in its review again; "" where the review says
// it no more. The words on the check run itself are for people alone.
func (d Desk) sentence(ctx context.Context, about subject) (string, error) {
	given, response, err := d.Repo.Client.PullRequests.GetReview(ctx, d.Repo.Owner, d.Repo.Name, about.review.PR.Number, about.review.ID)
	if response != nil && response.StatusCode == http.StatusNotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	found, left, err := d.Repo.Findings(ctx, about.review.PR.Number, given)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		found = left
	}
	result, err := d.Distil(about.review).Distill(ctx, found)
	if err != nil {
		return "", fmt.Errorf("distil: %w", err)
	}
	var texts []string
	for _, l := range result.Lessons {
		texts = append(texts, guard.Check(l.Text).Sentence, l.Text)
	}
	for _, r := range result.Refused {
		texts = append(texts, r.Text)
	}
	for _, text := range texts {
		if lesson.Handle(text) == about.handle {
			return text, nil
		}
	}
	return "", nil
}
