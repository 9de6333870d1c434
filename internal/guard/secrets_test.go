package guard

import (
	"strings"
	"testing"
)

// The secrets are put together here, so that no scanner takes this file for a leak.
var (
	jwt          = "eyJhbGciOiJSUzI1NiJ9" + ".eyJpc3MiOiI0MjQyIiwiZXhwIjoxfQ" + ".c2lnbmF0dXJlLW9mLWEtdGVzdA"
	githubToken  = "gh" + "p_" + "x7Kq2Vw9Zr4Tn8Lm3Bd6Hs1Yc5Jf0Ga9Pe2Q"
	serverToken  = "gh" + "s_" + "424242_" + jwt
	awsKey       = "AKI" + "AQ3EGRT5KJ7XWZL2M"
	slackToken   = "xox" + "b-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"
	privateKey   = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEA7bq9x2\n", 5) + "-----END RSA PRIVATE " + "KEY-----"
	truncatedKey = "-----BEGIN EC PRIVATE " + "KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY/PuoAoGCCqGSM49"
	database     = "postgres://" + "ledger:tide4harbour@db.example:5432/x"
	modelKey     = "s" + "k-proj-4hJ9kL2mN8pQ1rS7tV3w"
)

func TestSecretsAreRemoved(t *testing.T) {
	for _, test := range []struct {
		name, secret, text string
		keeps              string // of the text around the secret
	}{
		{"GitHub token", githubToken, "Never commit " + githubToken + " to the repository.", "to the repository"},
		{"stateless installation token", serverToken, "The job printed " + serverToken + " in its log.", "in its log"},
		{"AWS key", awsKey, "Rotate " + awsKey + " before you merge.", "before you merge"},
		{"Slack token", slackToken, "Rotate " + slackToken + " before you merge.", "before you merge"},
		{"private key", "MIIEowIBAAKCAQEA7bq9x2", "Remove this key:\n" + privateKey + "\nand rotate it.", "and rotate it"},
		{"private key without an end", "MHcCAQEEIIrYSSNQFaA2", "Remove this key: " + truncatedKey, "Remove this key"},
		{"URL with a password", "tide4harbour", "Do not put `" + database + "` in a test.", "db.example:5432/x"},
		{"model key", modelKey, "Rotate " + modelKey + " before you merge.", "before you merge"},
		{"password in words", "Harb0ur-Tide!", "The password is Harb0ur-Tide! for now.", "for now"},
		{"bearer token", "Zk3vR8qLw2Xn5Tb7Yd1M", "Send `Authorization: Bearer Zk3vR8qLw2Xn5Tb7Yd1M` with it.", "with it"},
		{"allowed in its line", githubToken, "Use " + githubToken + " here. gitleaks:allow", "here"},
		{"split by an invisible character", githubToken, "Use " + githubToken[:9] + "\u200b" + githubToken[9:] + " here.", "here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cleaned, redacted := Clean(test.text)
			if redacted != 1 || strings.Contains(cleaned, test.secret) || !strings.Contains(cleaned, redaction) || !strings.Contains(cleaned, test.keeps) {
				t.Errorf("Clean = %q, %d, want the secret replaced, the rest kept, and 1", cleaned, redacted)
			}
			if again, more := Clean(cleaned); again != cleaned || more != 0 {
				t.Errorf("cleaned again = %q, %d, want no change", again, more)
			}
			if got := Check(test.text); got.Redacted != 1 || strings.Contains(got.Sentence+got.Reason, test.secret) {
				t.Errorf("Check = %+v, want one secret removed and none quoted", got)
			}
		})
	}
}

func TestWhatOnlyLooksLikeASecretStays(t *testing.T) {
	for _, s := range []string{
		"Pin actions to a full commit SHA such as `8f4b7f84864484a7bf31766abe9204da3cbe65b3`.",
		"Read the token from `${{ secrets.GITHUB_TOKEN }}` and not from a file.",
		"Build the URL as `postgres://$USER:$PASS@host` from the environment.",
		"Set `key: user_session_id` in the cache configuration.",
		"Name the password field `password_confirmation` in the form.",
		"Use the basic authentication middleware of the router.",
		"Compare `sha256:9f86d081884c7d659a2feaa0c55ad015` with the release notes.",
		"Use sk-learn-compatible estimator names in the pipeline.",
	} {
		if cleaned, redacted := Clean(s); cleaned != s || redacted != 0 {
			t.Errorf("Clean(%q) = %q, %d, want no change", s, cleaned, redacted)
		}
	}
}

func TestSecretsAreCountedOnce(t *testing.T) {
	text := githubToken + " and again " + githubToken + ", then " + awsKey
	if cleaned, redacted := Clean(text); redacted != 2 || strings.Count(cleaned, redaction) != 3 {
		t.Errorf("Clean = %q, %d, want three places of two secrets", cleaned, redacted)
	}
}
