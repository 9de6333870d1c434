package memory

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/config"
)

const (
	// backup lies in the grey band of snapshot: 0.14 under a floor of 0.25.
	backup = "Keep a backup snapshot of the lease data whenever its storage is being shrunk, so that nothing is gone after power failure."
	// noBackup lies there too, and forbids what snapshot asks for.
	noBackup = "Never take a backup snapshot of the lease data whenever its storage is being shrunk, so that nothing is gone after power failure."
	unlike   = "Give every exported function of the client package a comment that names the errors it can return to callers."
)

// oracle is a judge that counts.
type oracle struct {
	yes   bool
	fails error
	asked int
}

func (o *oracle) Same(context.Context, string, string) (bool, error) {
	o.asked++
	return o.yes, o.fails
}

func TestASecondOpinion(t *testing.T) {
	for name, c := range map[string]struct {
		says      string
		judge     oracle
		founder   bool // the bullet in the file is a person's note
		asked     int
		refreshed bool
		unjudged  string
	}{
		"a confident yes collapses":            {says: backup, judge: oracle{yes: true}, asked: 1, refreshed: true},
		"anything else does not":               {says: backup, asked: 1},
		"an outage keeps them apart":           {says: backup, judge: oracle{yes: true, fails: errors.New("529")}, asked: 1, unjudged: "529"},
		"never across a guard":                 {says: noBackup, judge: oracle{yes: true}},
		"not for what is unlike":               {says: unlike, judge: oracle{yes: true}},
		"not where the rule alone decides":     {says: snapshot, judge: oracle{}, refreshed: true},
		"never onto a person's note":           {says: backup, judge: oracle{yes: true}, founder: true},
		"asked once, though a write was raced": {says: backup, judge: oracle{yes: true}, asked: 1, refreshed: true},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := "changes-requested"
			if c.founder {
				verdict = "founder-note"
			}
			s := &shelf{content: "- " + snapshot + " (PR #1, 2026-01-01, " + verdict + ")\n"}
			if strings.Contains(name, "raced") {
				s.races = append(s.races, func(content string) string { return content + "- a line of someone else\n" })
			}
			m := Memory{Store: s, Distiller: said{c.says}, Judge: &c.judge, Config: config.Default()}
			result, err := m.Learn(context.Background(), event(2, "2026-02-02"))
			if err != nil || result.Unjudged != c.unjudged || c.judge.asked != c.asked {
				t.Errorf("asked %d times, unjudged %q, %v", c.judge.asked, result.Unjudged, err)
			}
			if got := strings.Contains(s.content, "earned 2x"); got != c.refreshed || strings.Contains(s.content, c.says) == (c.refreshed && c.says != snapshot) {
				t.Errorf("refreshed %v\n%s", got, s.content)
			}
			if said := strings.Contains(strings.Join(s.messages, ""), "second opinion"); said != (c.refreshed && c.asked > 0) {
				t.Errorf("the commit says so: %v", said)
			}
		})
	}
}
