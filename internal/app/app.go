// Package app is the GitHub App: signed webhooks become intents on disk, and intents become
// lessons through the use cases.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-github/v66/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// index remembers what was learned, between restarts; the commits are the truth behind it.
type index interface {
	Known(ctx context.Context, repo int64) (bool, error)
	Rebuilt(ctx context.Context, repo int64, sources []string) error
	Has(ctx context.Context, repo int64, source string) (bool, error)
	Unsure(ctx context.Context, repo int64, source string) (bool, error)
	Began(ctx context.Context, repo int64, source string) error
	Done(ctx context.Context, repo int64, source string) error
	Distilled(ctx context.Context, repo int64, source string) ([]byte, bool, error)
	KeepDistilled(ctx context.Context, repo int64, source string, result []byte) error
	Proposes(ctx context.Context, repo int64) (bool, error)
	SetProposes(ctx context.Context, repo int64, proposes bool) error
	AskedFor(ctx context.Context, delivery string) (attempt int64, err error)
	SetAskedFor(ctx context.Context, delivery string, attempt int64) error
	WroteAt(ctx context.Context, repo int64) (time.Time, error)
	SetWroteAt(ctx context.Context, repo int64, at time.Time) error
	LookedAt(ctx context.Context, repo int64) (time.Time, error)
	SetLookedAt(ctx context.Context, repo int64, at time.Time) error
	budget
}

// Options are what an App is made of.
type Options struct {
	Credentials Credentials
	Queue       *queue.Queue
	Models      Models // the zero value: none
	Log         zerolog.Logger
	UserAgent   string
	Now         func() time.Time  // nil: time.Now
	Transport   http.RoundTripper // under all clients; nil: http.DefaultTransport
	WriteGap    time.Duration     // least time between two writes of an installation; 0: none
	Timeout     time.Duration     // of one request to GitHub; 0: 30 s
}

// App is a running GitHub App.
type App struct {
	clients  *clients
	configs  *review.Configs
	index    index
	checks   checks
	queue    *queue.Queue
	models   Models
	log      zerolog.Logger
	now      func() time.Time
	self     atomic.Value // string: the App's own login
	along    along
	versions *lru.Cache[string, []byte] // of lessons files, for pages
	// declined is when somebody was last told that they may not write, by repository, pull request and login.
	declined *lru.Cache[string, time.Time]
	hook     http.Handler
	metrics  *metrics
	// lastDelivery is when a delivery was last accepted, in Unix nanoseconds; 0 for never.
	lastDelivery atomic.Int64
}

// maxVersions bounds the versions of lessons files that are remembered for pages, of some 10 KB each.
const maxVersions = 1000

// New makes an App. Its webhook handler accepts deliveries at once; Start works on them.
func New(o Options) (*App, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &App{
		configs: review.NewConfigs(o.Now),
		index:   o.Queue.Index(),
		checks:  o.Queue.Checks(),
		queue:   o.Queue,
		models:  o.Models,
		log:     o.Log,
		now:     o.Now,
	}
	a.declined, _ = lru.New[string, time.Time](4096) // errs for a size below 1 only
	began := o.Now()
	a.metrics = newMetrics(o.Queue, func() time.Time {
		if last := a.lastDelivery.Load(); last > 0 {
			return time.Unix(0, last)
		}
		return began
	}, o.Now)
	a.clients = newClients(o.Credentials, o.UserAgent, o.Transport, paced(o.WriteGap, time.Now), cmp.Or(o.Timeout, requestTimeout), a.metrics)
	a.self.Store("")
	a.versions, _ = lru.New[string, []byte](maxVersions) // its error is about the size
	self := func() string { return a.self.Load().(string) }
	in := &intake{intents: o.Queue, heads: a.checks, log: o.Log, self: self, ignoresComments: a.configs.IgnoresComments}
	talk := &talkIntake{intents: o.Queue, log: o.Log, self: self}
	in.talk = talk
	concluded := &checkIntake{intents: o.Queue, checks: a.checks, talk: talk, log: o.Log, self: self, now: a.now}
	edits := &editIntake{intents: o.Queue, log: o.Log, self: self, pathOf: a.configs.PathOf}
	life := &lifecycle{places: o.Queue, forget: a.clients.forget, log: o.Log}
	hook, err := newVerifier(o.Credentials.WebhookSecrets, func(secret string) http.Handler {
		return githubapp.NewEventDispatcher([]githubapp.EventHandler{in, concluded, edits, life, talk}, secret,
			githubapp.WithErrorCallback(answerError), githubapp.WithResponseCallback(answerOK))
	}, func(r *http.Request, status int, reason string) {
		a.log.Warn().Str("delivery", r.Header.Get("X-GitHub-Delivery")).Str("event", r.Header.Get("X-GitHub-Event")).
			Int("status", status).Str("reason", reason).Msg("delivery refused")
	})
	a.hook = hook
	return a, err
}

// Handler serves GitHub's webhooks at go-githubapp's route, /healthz and /readyz.
func (a *App) Handler() http.Handler {
	mux := http.NewServeMux()
	// go-githubapp says at level info that any event at all has come, of which most lead to nothing.
	quiet := a.log.Level(max(a.log.GetLevel(), zerolog.WarnLevel))
	mux.Handle(githubapp.DefaultWebhookRoute, a.counted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.hook.ServeHTTP(w, r.WithContext(quiet.WithContext(r.Context())))
	})))
	a.handleHealth(mux)
	return mux
}

// Metrics serves what Prometheus reads.
func (a *App) Metrics() http.Handler { return a.metrics.handler() }

// Check asks GitHub which App the credentials belong to. It returns an error that says what to
// do when GitHub refuses them, and only logs when GitHub cannot be reached: deliveries can be
// accepted all the same.
func (a *App) Check(ctx context.Context) error {
	self, err := a.clients.self(ctx)
	var answer *github.ErrorResponse
	switch {
	case err == nil:
		a.self.Store(self.GetSlug() + "[bot]")
		a.log.Info().Str("app", self.GetSlug()).Msg("GitHub knows the App")
		return nil
	case errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode < 500 && answer.Response.StatusCode != http.StatusTooManyRequests:
		return fmt.Errorf("GitHub refuses the App's key (%d %s): check that GITHUB_APP_INTEGRATION_ID and GITHUB_APP_PRIVATE_KEY belong to one App, that GITHUB_V3_API_URL is right, and that this machine's clock is",
			answer.Response.StatusCode, answer.Message)
	default:
		a.log.Warn().Err(err).Msg("GitHub cannot be reached: deliveries are accepted, and wait")
		return nil
	}
}

// Start works on intents until Stop.
func (a *App) Start(ctx context.Context) error { return a.queue.Start(ctx, a.work) }

// work does one intent. Its error tells the queue what to do next.
func (a *App) work(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	log := a.log.With().Str("delivery", in.Delivery).Str("kind", in.Kind).Str("repository", in.FullName).
		Int("pull_request", in.PullRequest).Int64("review", in.Review).Logger()
	ctx = log.WithContext(ctx)
	began := a.now()
	outcome, err := a.do(ctx, in)
	var declined *store.DeclinedError
	if errors.As(err, &declined) {
		outcome, err = nothing("%s", declined), nil
	}
	if err != nil {
		a.metrics.intents.WithLabelValues(in.Kind, "failed").Inc()
		log.Error().Err(err).Msg("not done")
		return outcome, failure(err, a.now())
	}
	a.metrics.intents.WithLabelValues(in.Kind, outcome.Result).Inc()
	log.Info().Str("result", outcome.Result).Str("reason", outcome.Reason).Dur("took", a.now().Sub(began)).Msg("done")
	return outcome, nil
}

func (a *App) do(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	if strings.HasPrefix(in.Kind, kindCommand) || strings.HasPrefix(in.Kind, kindPress) {
		return a.talk(ctx, in)
	}
	switch in.Kind {
	case kindReview:
		outcome, err := a.learnReview(ctx, in)
		if err != nil {
			return outcome, err
		}
		return a.overrideLate(ctx, in, outcome)
	case kindMerge:
		outcome, err := a.overrideMerge(ctx, in)
		if err != nil {
			return outcome, err
		}
		return outcome, a.closed(ctx, in)
	case kindEdit:
		return a.checkEdit(ctx, in)
	case kindCheck:
		return a.learnFix(ctx, in)
	case kindSweep:
		return a.sweep(ctx, in)
	default:
		return queue.Outcome{}, queue.Permanent(fmt.Errorf("this version does not know intents of kind %q", in.Kind))
	}
}
