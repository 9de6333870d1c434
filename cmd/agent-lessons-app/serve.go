package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/app"
	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/setup"
)

// serveCmd's environment names are go-githubapp's own, and their _FILE twins.
type serveCmd struct {
	Listen        string `default:":8080" env:"AGENT_LESSONS_LISTEN" placeholder:"ADDRESS" help:"Where webhooks arrive, at /api/github/hook."`
	SetupListen   string `default:"127.0.0.1:8081" env:"AGENT_LESSONS_SETUP_LISTEN" placeholder:"ADDRESS" help:"Where the first run is set up, and the dashboard is shown to whoever operates this machine; none for neither."`
	URL           string `name:"url" env:"AGENT_LESSONS_URL" placeholder:"URL" help:"Where GitHub and people reach this server, such as https://lessons.example.com."`
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

	ClientID         string   `name:"client-id" env:"GITHUB_OAUTH_CLIENT_ID" help:"The App's client ID: people sign in to the dashboard by it."`
	ClientSecret     string   `env:"GITHUB_OAUTH_CLIENT_SECRET" help:"A client secret of the App. Prefer the environment or the file."`
	ClientSecretFile string   `env:"GITHUB_OAUTH_CLIENT_SECRET_FILE" placeholder:"FILE" help:"A file that holds it."`
	Operators        []string `env:"AGENT_LESSONS_OPERATORS" placeholder:"LOGIN" help:"People who see the work of all repositories on the dashboard."`
	PrintCredentials bool     `env:"AGENT_LESSONS_PRINT_CREDENTIALS" help:"Print what a first run brings as environment to standard output, for a platform's secret store, and store nothing."`

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

// Run serves until the program is told to stop.
func (c *serveCmd) Run(p *program) error {
	log := c.logger(p)
	settings, err := c.settings()
	if err != nil {
		return err
	}
	credentials, err := settings.Credentials()
	first := errors.Is(err, app.ErrNoCredentials)
	if first && c.SetupListen == noListener {
		return errors.New(noCredentials)
	}
	if err != nil && !first {
		return err
	}
	models := c.models()
	auto, err := models.Check()
	if err != nil {
		return err
	}
	log.Info().Str("auto", auto).Msg("distiller")
	h := &house{log: log, operators: c.Operators}
	h.live = func(ctx context.Context, credentials app.Credentials) (*server, error) {
		return open(ctx, c.place(), app.Options{Credentials: credentials, Models: models, Log: log, WriteGap: c.WriteGap})
	}
	h.lives = func(ctx context.Context, s *server) {
		go s.app.CatchUp(ctx)
		if c.SweepEvery > 0 {
			go s.app.SweepEvery(ctx, c.SweepEvery)
		}
	}
	if first {
		return c.setUp(p, h, settings)
	}
	server, err := h.live(p.ctx, credentials)
	if err != nil {
		return err
	}
	err = h.listen(p.ctx, c.Listen, c.SetupListen, c.MetricsListen)
	if errors.Is(err, syscall.EADDRINUSE) { // deliveries matter more than a dashboard on this machine
		log.Warn().Err(err).Msg("trying without the dashboard of this machine")
		err = h.listen(p.ctx, c.Listen, noListener, c.MetricsListen)
	}
	if err != nil {
		return errors.Join(err, server.queue.Stop(context.WithoutCancel(p.ctx)))
	}
	if err := h.moveIn(p.ctx, server); err != nil {
		return err
	}
	return h.serve(p.ctx)
}

// settings are those of flags and environment, or else what a first run stored.
func (c *serveCmd) settings() (app.Settings, error) {
	given := app.Settings{
		AppID: c.AppID, PrivateKey: c.PrivateKey, PrivateKeyFile: c.PrivateKeyFile,
		WebhookSecrets: c.WebhookSecret, WebhookSecretFile: c.WebhookSecretFile,
		WebURL: c.WebURL, V3APIURL: c.V3APIURL, V4APIURL: c.V4APIURL,
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, ClientSecretFile: c.ClientSecretFile, URL: c.URL,
	}
	if _, err := given.Credentials(); !errors.Is(err, app.ErrNoCredentials) {
		return given, nil
	}
	stored, ok, err := setup.Load(c.Data)
	if err != nil || !ok {
		return given, err
	}
	if c.URL != "" {
		stored.URL = c.URL
	}
	return stored, nil
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
