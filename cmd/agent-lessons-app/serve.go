package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// serveCmd's environment names are go-githubapp's own, and their _FILE twins.
type serveCmd struct {
	Listen        string `default:":8080" env:"AGENT_LESSONS_LISTEN" placeholder:"ADDRESS" help:"Where webhooks arrive, at /api/github/hook."`
	MetricsListen string `env:"AGENT_LESSONS_METRICS_LISTEN" placeholder:"ADDRESS" help:"Where /metrics is served; beside the webhooks by default."`
	Data          string `default:"data" env:"AGENT_LESSONS_DATA" placeholder:"DIR" help:"Folder of the embedded database."`

	AppID             string   `name:"app-id" env:"GITHUB_APP_INTEGRATION_ID" help:"The App's ID."`
	PrivateKey        string   `env:"GITHUB_APP_PRIVATE_KEY" help:"The App's private key: PEM, PEM with \\n, or base64. Prefer the environment or the file: flags show in process lists."`
	PrivateKeyFile    string   `env:"GITHUB_APP_PRIVATE_KEY_FILE" placeholder:"FILE" help:"A file that holds it."`
	WebhookSecret     []string `env:"GITHUB_APP_WEBHOOK_SECRET" sep:"none" help:"The webhook secret; several, one a line or one a flag, while rotating."`
	WebhookSecretFile string   `env:"GITHUB_APP_WEBHOOK_SECRET_FILE" placeholder:"FILE" help:"A file with one secret a line."`
	WebURL            string   `env:"GITHUB_WEB_URL" placeholder:"URL" help:"An Enterprise Server's address; github.com by default."`
	V3APIURL          string   `name:"v3-api-url" env:"GITHUB_V3_API_URL" placeholder:"URL" help:"Its REST API; derived from the address by default."`
	V4APIURL          string   `name:"v4-api-url" env:"GITHUB_V4_API_URL" placeholder:"URL" help:"Its GraphQL API; derived from the address by default."`

	AnthropicAPIKey  string   `name:"anthropic-api-key" env:"ANTHROPIC_API_KEY" help:"Distil by an Anthropic model. Prefer the environment."`
	AnthropicBaseURL string   `name:"anthropic-base-url" env:"ANTHROPIC_BASE_URL" placeholder:"URL" help:"Its address; the vendor's by default."`
	AnthropicModel   string   `env:"AGENT_LESSONS_ANTHROPIC_MODEL" placeholder:"NAME" help:"The model, where a repository names none."`
	OpenAIAPIKey     string   `name:"openai-api-key" env:"OPENAI_API_KEY" help:"Distil by an OpenAI-compatible model. Prefer the environment."`
	OpenAIBaseURL    string   `name:"openai-base-url" env:"OPENAI_BASE_URL" placeholder:"URL" help:"Its address, a local server's too; the vendor's by default."`
	OpenAIModel      string   `name:"openai-model" env:"AGENT_LESSONS_OPENAI_MODEL" placeholder:"NAME" help:"The model, where a repository names none."`
	ModelOwners      []string `env:"AGENT_LESSONS_MODEL_OWNERS" placeholder:"LOGIN" help:"Owners of repositories who may use the models; * is everybody."`
	Models           []string `env:"AGENT_LESSONS_MODELS" placeholder:"NAME" help:"Models that a repository's configuration may name besides the installation's own; * is any."`
	ModelBudget      int      `default:"1000" env:"AGENT_LESSONS_MODEL_BUDGET" placeholder:"N" help:"Times a month that a model is asked for one owner."`

	WriteGap   time.Duration `default:"1s" env:"AGENT_LESSONS_WRITE_GAP" help:"Least time between two writes of one installation, as GitHub asks for; 0s for an Enterprise Server without limits."`
	SweepEvery time.Duration `env:"AGENT_LESSONS_SWEEP_EVERY" placeholder:"24h" help:"Retire stale and expired lessons once in each such period; never by default, since the Action's nightly workflow does the same."`

	MaxWaiting int `default:"1000000" env:"AGENT_LESSONS_MAX_WAITING" placeholder:"N" help:"Events that may wait; while that many do, deliveries are answered 503."`

	LogFormat string `enum:"text,json" default:"text" env:"AGENT_LESSONS_LOG_FORMAT" help:"Log lines as ${enum}."`
	Verbose   bool   `short:"v" env:"AGENT_LESSONS_VERBOSE" help:"Log deliveries that lead to nothing, too."`
}

//nolint:gosec // a text about credentials, not one
const noCredentials = `no GitHub App is configured.

Create one at https://github.com/settings/apps/new (for an organisation: its settings, Developer settings, GitHub Apps):
  webhook URL   https://YOUR-HOST/api/github/hook, content type application/json, with a secret
  permissions   Contents: read and write; Pull requests: read and write; Checks: read and write; Actions: read; Issues: read; Metadata: read
  events        Pull request review, Pull request, Issue comment, Pull request review comment, Check run, Workflow run, Repository
Then generate a private key there and start again with
  GITHUB_APP_INTEGRATION_ID       the App ID
  GITHUB_APP_PRIVATE_KEY_FILE     the .pem file that was downloaded
  GITHUB_APP_WEBHOOK_SECRET       the secret
To see the App at work without any of that: agent-lessons-app demo`

// drainTime bounds how long a stopping server waits for running jobs; what is left is on disk.
const drainTime = 25 * time.Second

// Run serves until the program is told to stop.
func (c *serveCmd) Run(p *program) error {
	log := c.logger(p)
	credentials, err := c.settings().Credentials()
	if errors.Is(err, app.ErrNoCredentials) {
		return errors.New(noCredentials)
	}
	if err != nil {
		return err
	}
	models := c.models()
	auto, err := models.Check()
	if err != nil {
		return err
	}
	log.Info().Str("auto", auto).Msg("distiller")
	server, err := open(p.ctx, c.place(), app.Options{Credentials: credentials, Models: models, Log: log, WriteGap: c.WriteGap})
	if err != nil {
		return err
	}
	go server.app.CatchUp(p.ctx)
	if c.SweepEvery > 0 {
		go server.app.SweepEvery(p.ctx, c.SweepEvery)
	}
	return server.serve(p.ctx, c.Listen, c.MetricsListen)
}

func (c *serveCmd) settings() app.Settings {
	return app.Settings{
		AppID: c.AppID, PrivateKey: c.PrivateKey, PrivateKeyFile: c.PrivateKeyFile,
		WebhookSecrets: c.WebhookSecret, WebhookSecretFile: c.WebhookSecretFile,
		WebURL: c.WebURL, V3APIURL: c.V3APIURL, V4APIURL: c.V4APIURL,
	}
}

func (c *serveCmd) place() queue.Config {
	return queue.Config{DataDir: c.Data, DatabaseURL: os.Getenv("DATABASE_URL"), MaxWaiting: c.MaxWaiting}
}

func (c *serveCmd) models() app.Models {
	return app.Models{
		Anthropic: distill.Endpoint{BaseURL: c.AnthropicBaseURL, Key: c.AnthropicAPIKey, Model: c.AnthropicModel},
		OpenAI:    distill.Endpoint{BaseURL: c.OpenAIBaseURL, Key: c.OpenAIAPIKey, Model: c.OpenAIModel},
		Owners:    c.ModelOwners, Allowed: c.Models, Budget: c.ModelBudget,
	}
}

func (c *serveCmd) logger(p *program) zerolog.Logger {
	level := zerolog.InfoLevel
	if c.Verbose {
		level = zerolog.DebugLevel
	}
	if c.LogFormat == "json" {
		return zerolog.New(p.err).Level(level).With().Timestamp().Logger()
	}
	f, isFile := p.err.(*os.File)
	noColour := !isFile || !isatty.IsTerminal(f.Fd()) || os.Getenv("NO_COLOR") != ""
	return zerolog.New(zerolog.ConsoleWriter{Out: p.err, NoColor: noColour, TimeFormat: time.RFC3339}).Level(level).With().Timestamp().Logger()
}

// server is an App with the queue that it works from.
type server struct {
	app   *app.App
	queue *queue.Queue
	log   zerolog.Logger
}

// open checks the credentials with GitHub and opens the database: whatever is wrong is said
// before a port opens.
func open(ctx context.Context, place queue.Config, options app.Options) (*server, error) {
	place.Logger = slog.New(zerolog.NewSlogHandler(options.Log))
	q, err := queue.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	options.Queue, options.UserAgent = q, "agent-lessons"
	a, err := app.New(options)
	if err == nil {
		err = a.Check(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, q.Stop(context.WithoutCancel(ctx)))
	}
	return &server{app: a, queue: q, log: options.Log}, nil
}

// serve accepts deliveries until ctx ends; then it stops accepting, lets running jobs finish,
// and leaves the rest on disk. Metrics have a port of their own unless its address is "".
func (s *server) serve(ctx context.Context, address, metricsAddress string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return errors.Join(err, s.queue.Stop(context.WithoutCancel(ctx)))
	}
	if metricsAddress == "" {
		return s.serveOn(ctx, listener, nil)
	}
	metrics, err := (&net.ListenConfig{}).Listen(ctx, "tcp", metricsAddress)
	if err != nil {
		return errors.Join(err, listener.Close(), s.queue.Stop(context.WithoutCancel(ctx)))
	}
	return s.serveOn(ctx, listener, metrics)
}

// serveOn serves metrics beside the webhooks where they have no listener.
func (s *server) serveOn(ctx context.Context, listener, metrics net.Listener) error {
	running := context.WithoutCancel(ctx) // a stop drains; it does not cut jobs off
	if err := s.app.Start(running); err != nil {
		return errors.Join(err, listener.Close(), s.queue.Stop(running))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.app.Metrics())
	web := webServer(mux)
	failed := make(chan error, 2)
	if metrics != nil {
		go func() { failed <- web.Serve(metrics) }()
		s.log.Info().Str("address", metrics.Addr().String()).Msg("metrics")
		defer web.Close()
		mux = http.NewServeMux()
	}
	mux.Handle("/", s.app.Handler())
	web = webServer(mux)
	go func() { failed <- web.Serve(listener) }()
	s.log.Info().Str("address", listener.Addr().String()).Msg("listening")
	select {
	case err := <-failed:
		return errors.Join(err, s.queue.Stop(running))
	case <-ctx.Done():
	}
	s.log.Info().Msg("stopping: no more deliveries, running jobs finish")
	drain, cancel := context.WithTimeout(running, drainTime)
	defer cancel()
	if err := errors.Join(web.Shutdown(drain), s.queue.Stop(drain)); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	s.log.Info().Msg("stopped")
	return nil
}

func webServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
}
