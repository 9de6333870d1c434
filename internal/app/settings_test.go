package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// A key reaches an environment in many forms; all of them are one key.
func TestPrivateKeyForms(t *testing.T) {
	t.Parallel()
	key, pkcs1 := githubtest.GenerateKey()
	der8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8 := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der8}))
	for name, form := range map[string]string{
		"PKCS#1":                string(pkcs1),
		"PKCS#8":                pkcs8,
		"CRLF":                  strings.ReplaceAll(string(pkcs1), "\n", "\r\n"),
		"literal \\n":           strings.ReplaceAll(string(pkcs1), "\n", `\n`),
		"literal \\n in quotes": `"` + strings.ReplaceAll(pkcs8, "\n", `\n`) + `"`,
		"base64 of PEM":         base64.StdEncoding.EncodeToString(pkcs1),
		"base64 of DER":         base64.StdEncoding.EncodeToString(der8),
		"all on one line":       strings.ReplaceAll(string(pkcs1), "\n", " "),
		"no armour":             strings.Join(strings.Split(strings.TrimSpace(string(pkcs1)), "\n")[1:len(strings.Split(strings.TrimSpace(string(pkcs1)), "\n"))-1], "\n"),
		"white space around":    "\n\n  " + string(pkcs1) + "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parsePrivateKey(form)
			if err != nil || string(got) != string(pkcs1) {
				t.Errorf("not the same key: %v", err)
			}
		})
	}
}

func TestWhatIsNoPrivateKey(t *testing.T) {
	t.Parallel()
	key, _ := githubtest.GenerateKey()
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ form, want string }{
		"prose":             {"my secret key!", "neither PEM nor base64"},
		"a public key":      {string(pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY", Bytes: x509.MarshalPKCS1PublicKey(&key.PublicKey)})), "no PKCS#1 or PKCS#8"},
		"an elliptic curve": {string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "not an RSA key"},
		"cut short":         {"-----BEGIN RSA PRIVATE KEY-----\nMIIEow", ""},
	} {
		_, err := parsePrivateKey(c.form)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "my secret key") {
			t.Errorf("%s: the input is in the error", name)
		}
	}
}

func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	_, key := githubtest.GenerateKey()
	good := Settings{AppID: "12", PrivateKey: string(key), WebhookSecrets: []string{"s"}}
	for name, c := range map[string]struct {
		change func(s *Settings)
		check  func(c Credentials) bool
	}{
		"from the environment": {func(*Settings) {}, func(c Credentials) bool { return c.AppID == 12 && c.V3APIURL == "https://api.github.com/" }},
		"from files": {func(s *Settings) {
			s.PrivateKey, s.PrivateKeyFile = "", file(t, string(key))
			s.WebhookSecrets, s.WebhookSecretFile = nil, file(t, "new\nold\n")
		}, func(c Credentials) bool { return len(c.WebhookSecrets) == 2 }},
		"a path in place of the key": {func(s *Settings) { s.PrivateKey = file(t, string(key)) }, func(c Credentials) bool { return string(c.PrivateKey) == string(key) }},
		"two secrets, one a line":    {func(s *Settings) { s.WebhookSecrets = []string{"new\nold"} }, func(c Credentials) bool { return c.WebhookSecrets[1] == "old" }},
		"an Enterprise Server": {func(s *Settings) { s.WebURL = "https://ghe.example.com/" }, func(c Credentials) bool {
			return c.V3APIURL == "https://ghe.example.com/api/v3/" && c.V4APIURL == "https://ghe.example.com/api/graphql"
		}},
		"an API without its slash": {func(s *Settings) { s.V3APIURL = "https://ghe.example.com/api/v3" }, func(c Credentials) bool {
			return c.V3APIURL == "https://ghe.example.com/api/v3/" && c.V4APIURL == "https://ghe.example.com/api/graphql"
		}},
	} {
		s := good
		c.change(&s)
		got, err := s.Credentials()
		if err != nil || !c.check(got) {
			t.Errorf("%s: %+v, %v", name, got.V3APIURL, err)
		}
	}
}

// Every mistake is named, all at once, each with what to do; no secret is in an error.
func TestMistakesInSettings(t *testing.T) {
	t.Parallel()
	if _, err := (Settings{}).Credentials(); !errors.Is(err, ErrNoCredentials) {
		t.Errorf("a first run: %v", err)
	}
	_, err := Settings{AppID: "my-app", PrivateKey: "hush hush", WebhookSecrets: []string{" "}, WebURL: "ghe.example.com"}.Credentials()
	for _, want := range []string{
		"GITHUB_APP_INTEGRATION_ID is not a number", "App ID", "GITHUB_APP_PRIVATE_KEY cannot be used", ".pem", "GITHUB_APP_WEBHOOK_SECRET is missing or empty", "GITHUB_WEB_URL is not a whole address",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "hush") {
		t.Error("the key is in the error")
	}
	_, err = Settings{AppID: "1", PrivateKeyFile: "/does/not/exist.pem", WebhookSecretFile: "/nor/this"}.Credentials()
	if err == nil || !strings.Contains(err.Error(), "GITHUB_APP_PRIVATE_KEY_FILE") || !strings.Contains(err.Error(), "GITHUB_APP_WEBHOOK_SECRET_FILE") {
		t.Errorf("missing files: %v", err)
	}
	_, err = Settings{AppID: "1", PrivateKey: "a", PrivateKeyFile: "b", WebhookSecrets: []string{"s"}}.Credentials()
	if err == nil || !strings.Contains(err.Error(), "keep one") {
		t.Errorf("both: %v", err)
	}
}

// A secret in the wrong place is in no error either.
func TestSecretsInTheWrongPlaceStaySecret(t *testing.T) {
	t.Parallel()
	_, key := githubtest.GenerateKey()
	for name, s := range map[string]Settings{
		"the key as its own file":     {AppID: "1", PrivateKeyFile: string(key), WebhookSecrets: []string{"s"}},
		"the key on one line":         {AppID: "1", PrivateKeyFile: "hush-" + strings.Repeat("x", 5000), WebhookSecrets: []string{"s"}},
		"the secret as its own file":  {AppID: "1", PrivateKey: string(key), WebhookSecretFile: "hush-hush"},
		"the key as the App's number": {AppID: string(key), PrivateKey: string(key), WebhookSecrets: []string{"s"}},
		"a password in an address":    {AppID: "1", PrivateKey: string(key), WebhookSecrets: []string{"s"}, WebURL: "https://u:hush@ghe.example.com"},
		"a broken address":            {AppID: "1", PrivateKey: string(key), WebhookSecrets: []string{"s"}, V3APIURL: "https://u:hush@bad/%zz"},
	} {
		_, err := s.Credentials()
		if err == nil {
			t.Errorf("%s was accepted", name)
			continue
		}
		for _, secret := range []string{"hush", "BEGIN", "MII"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the secret is out: %v", name, err)
			}
		}
	}
}
