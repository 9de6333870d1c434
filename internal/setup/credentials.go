package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/app"
)

// credentialsName is the file in the data folder that holds what a registration brought.
const credentialsName = "credentials.json"

// stored is that file. It holds secrets: only its owner may read it.
type stored struct {
	AppID         string `json:"app_id"`
	Slug          string `json:"slug"`
	PrivateKey    string `json:"private_key"`
	WebhookSecret string `json:"webhook_secret"`
	ClientID      string `json:"client_id"`
	ClientSecret  string `json:"client_secret"`
	WebURL        string `json:"web_url,omitempty"`
	URL           string `json:"url"`
}

// Load returns the credentials that a first run stored; false where there was none.
func Load(data string) (app.Settings, bool, error) {
	path := filepath.Join(data, credentialsName)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return app.Settings{}, false, nil
	}
	if err != nil {
		return app.Settings{}, false, err
	}
	var s stored
	if err := json.Unmarshal(content, &s); err != nil {
		return app.Settings{}, false, fmt.Errorf("%s is damaged (%w): restore it, or delete it and register another App", path, err)
	}
	return app.Settings{
		AppID: s.AppID, PrivateKey: s.PrivateKey, WebhookSecrets: []string{s.WebhookSecret}, WebURL: s.WebURL,
		ClientID: s.ClientID, ClientSecret: s.ClientSecret, URL: s.URL,
	}, true, nil
}

// save writes the credentials for Load, all or nothing, and never over others.
func (s stored) save(data string) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(data, credentialsName+".*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // gone once it was renamed
	_, err = file.Write(append(content, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	path := filepath.Join(data, credentialsName)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", path)
	}
	return os.Rename(file.Name(), path)
}

// writable reports why save would fail.
func writable(data string) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(data, credentialsName+".*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// print writes the credentials as the environment of the next start.
func (s stored) print(w io.Writer) error {
	var b strings.Builder
	for _, v := range []struct{ name, value string }{
		{"GITHUB_APP_INTEGRATION_ID", s.AppID},
		{"GITHUB_APP_PRIVATE_KEY", strings.ReplaceAll(strings.TrimSpace(s.PrivateKey), "\n", `\n`)},
		{"GITHUB_APP_WEBHOOK_SECRET", s.WebhookSecret},
		{"GITHUB_OAUTH_CLIENT_ID", s.ClientID},
		{"GITHUB_OAUTH_CLIENT_SECRET", s.ClientSecret},
		{"GITHUB_WEB_URL", s.WebURL},
		{"AGENT_LESSONS_URL", s.URL},
	} {
		if v.value != "" {
			fmt.Fprintf(&b, "%s='%s'\n", v.name, strings.ReplaceAll(v.value, "'", ""))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
