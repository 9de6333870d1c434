package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// Settings are what an installation of the App is run with, as flags and environment give them.
// They hold secrets: never log or print one whole.
type Settings struct {
	AppID             string
	PrivateKey        string   // the key itself, in any form that parsePrivateKey reads
	PrivateKeyFile    string   // or a file that holds it
	WebhookSecrets    []string // any of them verifies, so that a secret can be rotated
	WebhookSecretFile string   // one secret a line
	WebURL            string   // "" is github.com
	V3APIURL          string   // "" is derived from WebURL
	V4APIURL          string
	ClientID          string // of the App's sign-in; "" where nobody can sign in
	ClientSecret      string
	ClientSecretFile  string // or a file that holds it
	URL               string // where people and GitHub reach this server; "" where that is not known
}

// Credentials are checked Settings.
type Credentials struct {
	AppID          int64
	PrivateKey     []byte // PKCS#1 PEM
	WebhookSecrets []string
	WebURL         string
	V3APIURL       string // ends in a slash
	V4APIURL       string
	ClientID       string // "" where nobody can sign in
	ClientSecret   string
	URL            string // without a slash at the end; "" where it is not known
}

// ErrNoCredentials reports that nothing at all was configured: a first run.
var ErrNoCredentials = errors.New("no GitHub App is configured")

// Credentials checks all settings and reports every mistake at once, each with what to do.
func (s Settings) Credentials() (Credentials, error) {
	if s.AppID == "" && s.PrivateKey == "" && s.PrivateKeyFile == "" && len(s.WebhookSecrets) == 0 && s.WebhookSecretFile == "" {
		return Credentials{}, ErrNoCredentials
	}
	var c Credentials
	var problems []error
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	var err error
	c.AppID, err = s.appID()
	note(err)
	c.PrivateKey, err = s.privateKey()
	note(err)
	c.WebhookSecrets, err = s.webhookSecrets()
	note(err)
	note(s.urls(&c))
	note(s.signIn(&c))
	return c, errors.Join(problems...)
}

// Addresses returns the addresses alone: what is known of a GitHub before an App is registered.
func (s Settings) Addresses() (Credentials, error) {
	var c Credentials
	err := s.urls(&c)
	return c, err
}

// signIn checks what people sign in with, and where they find this server.
func (s Settings) signIn(c *Credentials) error {
	c.ClientID, c.ClientSecret, c.URL = strings.TrimSpace(s.ClientID), strings.TrimSpace(s.ClientSecret), strings.TrimRight(s.URL, "/")
	if s.ClientSecretFile != "" {
		content, err := readSecret("GITHUB_OAUTH_CLIENT_SECRET_FILE", s.ClientSecretFile)
		if err != nil {
			return err
		}
		c.ClientSecret = strings.TrimSpace(content)
	}
	if (c.ClientID == "") != (c.ClientSecret == "") {
		return errors.New("GITHUB_OAUTH_CLIENT_ID and GITHUB_OAUTH_CLIENT_SECRET belong together: give both for people to sign in, or neither")
	}
	return checkAddress("AGENT_LESSONS_URL", c.URL)
}

func (s Settings) appID() (int64, error) {
	if s.AppID == "" {
		return 0, errors.New("GITHUB_APP_INTEGRATION_ID is missing: set it to the App ID shown on the App's settings page")
	}
	id, err := strconv.ParseInt(strings.TrimSpace(s.AppID), 10, 64)
	if err != nil || id <= 0 {
		return 0, errors.New("GITHUB_APP_INTEGRATION_ID is not a number: set it to the App ID, not to the App's name, client ID or key")
	}
	return id, nil
}

func (s Settings) privateKey() ([]byte, error) {
	text, name := s.PrivateKey, "GITHUB_APP_PRIVATE_KEY"
	switch {
	case text != "" && s.PrivateKeyFile != "":
		return nil, errors.New("GITHUB_APP_PRIVATE_KEY and GITHUB_APP_PRIVATE_KEY_FILE are both set: keep one")
	case s.PrivateKeyFile != "":
		name = "GITHUB_APP_PRIVATE_KEY_FILE"
		content, err := readSecret(name, s.PrivateKeyFile)
		if err != nil {
			return nil, err
		}
		text = content
	case text == "":
		return nil, errors.New("GITHUB_APP_PRIVATE_KEY is missing: generate a private key on the App's settings page, and give its content, or its file as GITHUB_APP_PRIVATE_KEY_FILE")
	default:
		// A path where the key was expected is a common mistake with one obvious meaning.
		if content, err := os.ReadFile(text); err == nil && len(text) < 4096 {
			text = string(content)
		}
	}
	key, err := parsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w: give the .pem file that GitHub generated, unchanged", name, err)
	}
	return key, nil
}

func (s Settings) webhookSecrets() ([]string, error) {
	given := s.WebhookSecrets
	if s.WebhookSecretFile != "" {
		content, err := readSecret("GITHUB_APP_WEBHOOK_SECRET_FILE", s.WebhookSecretFile)
		if err != nil {
			return nil, err
		}
		given = append(given, content)
	}
	var secrets []string
	for _, text := range given {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				secrets = append(secrets, line)
			}
		}
	}
	if len(secrets) == 0 {
		return nil, errors.New("GITHUB_APP_WEBHOOK_SECRET is missing or empty: set a secret on the App's settings page and give the same one here; without it anyone could send reviews")
	}
	return secrets, nil
}

// readSecret reads the file that a _FILE setting names. Its errors quote neither the content nor
// the path: a secret given where its file belongs is the likeliest mistake of all.
func readSecret(setting, file string) (string, error) {
	content, err := os.ReadFile(file)
	var at *fs.PathError
	switch {
	case err == nil:
		return string(content), nil
	case strings.ContainsAny(file, "\r\n") || strings.Contains(file, "-----BEGIN"):
		return "", fmt.Errorf("%s holds a secret itself: give the path of a file that holds it, or set %s", setting, strings.TrimSuffix(setting, "_FILE"))
	case errors.As(err, &at):
		err = at.Err
	}
	return "", fmt.Errorf("%s cannot be read: %w: give the path of a file that this process may read (if it is the secret itself, set %s)", setting, err, strings.TrimSuffix(setting, "_FILE"))
}

// urls fills the API addresses: github.com's, or an Enterprise Server's from its web address.
func (s Settings) urls(c *Credentials) error {
	c.WebURL, c.V3APIURL, c.V4APIURL = s.WebURL, s.V3APIURL, s.V4APIURL
	if c.WebURL == "" && c.V3APIURL == "" {
		c.WebURL = "https://github.com"
	}
	isPublic := c.WebURL == "https://github.com" || c.WebURL == "https://github.com/"
	if c.V3APIURL == "" {
		if c.V3APIURL = strings.TrimSuffix(c.WebURL, "/") + "/api/v3/"; isPublic {
			c.V3APIURL = "https://api.github.com/"
		}
	}
	if !strings.HasSuffix(c.V3APIURL, "/") {
		c.V3APIURL += "/"
	}
	if c.V4APIURL == "" {
		if c.V4APIURL = strings.TrimSuffix(strings.TrimSuffix(c.V3APIURL, "/"), "/v3") + "/graphql"; isPublic {
			c.V4APIURL = "https://api.github.com/graphql"
		}
	}
	for _, u := range []struct{ name, value string }{{"GITHUB_WEB_URL", c.WebURL}, {"GITHUB_V3_API_URL", c.V3APIURL}, {"GITHUB_V4_API_URL", c.V4APIURL}} {
		if err := checkAddress(u.name, u.value); err != nil {
			return err
		}
	}
	return nil
}

// checkAddress refuses what is neither empty nor a whole address.
func checkAddress(setting, value string) error {
	u, err := url.Parse(value)
	if value != "" && (err != nil || u.Host == "" || u.User != nil || (u.Scheme != "https" && u.Scheme != "http")) {
		return fmt.Errorf("%s is not a whole address like https://ghe.example.com", setting)
	}
	return nil
}
