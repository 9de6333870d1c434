package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/memory"
	"github.com/agent-corp/agent-lessons/internal/recall"
	"github.com/agent-corp/agent-lessons/internal/report"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
	"github.com/agent-corp/agent-lessons/internal/trend"
)

const (
	trendWeeks = 12  // shown, and the span of the refresh share
	trendDays  = 180 // how far back commits are read for them
)

// run is one run of the Action at work.
type run struct {
	workflow
	inputs
	job    job
	repo   review.Repository
	now    time.Time
	models models
	merged string // the commit that would merge the pull request; "" where it is not known

	cfg  config.Config
	file *store.Remote
	rows []trend.Row     // the writes that the commits tell of
	seen map[string]bool // their sources, and those of this run

	appended, refreshed int
	changed             bool
	done                []string // what was done, or why not, for the summary
}

func (r *run) do(ctx context.Context) error {
	cfg, mistake, err := review.NewConfigs(func() time.Time { return r.now }).Of(ctx, r.repo)
	if err != nil {
		return err
	}
	if mistake != nil {
		r.warn("The configuration has a mistake, the defaults are in force: %s", mistake)
	}
	r.cfg, r.file = cfg, r.repo.Store(cfg, r.now)
	if err := r.readHistory(ctx); err != nil {
		return err
	}
	switch r.job.mode {
	case learn:
		if r.job.push.sha != "" {
			err = r.learnFromPush(ctx)
		} else {
			err = r.learnFromEvent(ctx)
		}
	case override:
		err = r.overrideFromEvent(ctx)
	case sweep:
		err = r.sweep(ctx)
	}
	err = errors.Join(err, r.answer(ctx))
	if declined := new(store.DeclinedError); errors.As(err, &declined) {
		r.tell("Nothing was written: %s.", declined)
		err = nil
	}
	return errors.Join(err, r.report(ctx)) // outputs and summary come all the same
}

// tell records what was done, or why not, in the log and for the summary.
func (r *run) tell(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	r.say("%s", line)
	r.done = append(r.done, line)
}

// leave records what a read-only token could not do.
func (r *run) leave(what string) {
	line := "The token of this run is read-only, as those of pull requests from forks and by Dependabot are: " + what
	r.notice("%s", line)
	r.done = append(r.done, line)
}

// report measures the file as it is now and tells of it: outputs, annotations, comment, summary.
func (r *run) report(ctx context.Context) error {
	snapshot, err := r.file.GitHub.Read(ctx)
	if err != nil {
		return err
	}
	base := lesson.Parse(snapshot.Content)
	p := page{path: r.cfg.Path, limit: r.cfg.Cap, store: report.Of(base, r.cfg.Rule()), weeks: trend.Learned(trend.Weeks(r.rows), trendWeeks)}
	if r.job.mode == metrics && r.job.pull != nil {
		if err := r.compare(ctx, base, &p); err != nil {
			return err
		}
		if err := r.comment(ctx, &p); err != nil {
			return err
		}
	}
	p.done = r.done
	r.annotate(r.cfg.Path, p.store.Collapsing())
	if err := r.writeSummary(strings.TrimPrefix(p.render(maxSummary), marker+"\n")); err != nil {
		return err
	}
	if err := r.writeOutputs(r.outputs(p, base)); err != nil {
		return err
	}
	share := p.store.DuplicateShare()
	r.say("%d active, %d retired, %d of %d under the cap, %s would collapse.",
		p.store.Active, p.store.RetiredTotal(), p.store.Bounded, r.cfg.Cap, report.Percent(share))
	if r.failAbove >= 0 && share > r.failAbove {
		return fmt.Errorf("%s of the active bullets would collapse, more than fail-above-share: %s", report.Percent(share), report.Percent(r.failAbove))
	}
	return nil
}

// outputs are those of action.yml. The pitfalls are the base branch's always: the author of a pull
// request may not be trusted.
func (r *run) outputs(p page, base *lesson.File) []output {
	refreshShare := ""
	if share, known := trend.RefreshShare(p.weeks...); known {
		refreshShare = shareText(share)
	}
	return []output{
		{"active", fmt.Sprint(p.store.Active)},
		{"retired", fmt.Sprint(p.store.RetiredTotal())},
		{"duplicate-pairs", fmt.Sprint(p.store.Merging)},
		{"duplicate-share", shareText(p.store.DuplicateShare())},
		{"refresh-share", refreshShare},
		{"appended", fmt.Sprint(r.appended)},
		{"refreshed", fmt.Sprint(r.refreshed)},
		{"changed", fmt.Sprint(r.changed)},
		{"pitfalls", strings.TrimSuffix(recall.Block(base.Window(r.cfg.Window)), "\n")},
	}
}

func shareText(share float64) string { return fmt.Sprintf("%.4g", share) }

// wrote tells of a write, and adds it to the trend and to what is done.
func (r *run) wrote(w memory.Write) {
	for _, notice := range w.Notices {
		r.warn("%s: %s", r.cfg.Path, notice)
	}
	if !w.Written {
		return
	}
	before, after := lesson.Parse(w.Before), lesson.Parse(w.After)
	for _, touched := range w.Entry.Bullets {
		b, there := after.Find(touched.Handle)
		if !there {
			b, _ = before.Find(touched.Handle)
		}
		r.tell("%s %s: %s", touched.What, touched.Handle, b.Sentence)
	}
	r.tell("Committed %.10s.", w.Commit.SHA)
	r.appended += w.Entry.Appended
	r.refreshed += w.Entry.Refreshed
	r.changed = true
	r.rows = append(r.rows, trend.Row{At: r.now, Entry: w.Entry})
	r.see(w.Entry)
}

// see remembers what a write answered.
func (r *run) see(entry ledger.Entry) {
	for _, source := range entry.Sources() {
		r.seen[source.String()] = true
	}
}
