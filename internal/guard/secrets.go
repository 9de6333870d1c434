package guard

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/zricethezav/gitleaks/v8/detect"
)

// lazily compiles an expression at its first use, so that it does not slow down a program's start.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

const redaction = "[redacted]"

// detector builds gitleaks' detector with its maintained rules. That takes tens of milliseconds,
// so it is done at the first text that is checked, not when the program starts.
var detector = sync.OnceValue(func() *detect.Detector {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		panic("gitleaks' own rules do not load: " + err.Error())
	}
	d.IgnoreGitleaksAllow = true // or "gitleaks:allow" in a review would switch detection off
	return d
})

// ownSecrets are the forms that gitleaks' rules miss. A first group, where there is one, is the
// secret; else all of the match is.
var ownSecrets = []struct {
	pattern func() *regexp.Regexp
	strong  bool // only a value that looks made by a generator or a password rule
}{
	// GitHub's tokens of any length, the stateless ghs_<app id>_<jwt> among them.
	{pattern: lazily(`\b(?:gh[pousr]|github_pat)_[A-Za-z0-9._-]{19,}[A-Za-z0-9_-]`)},
	// scheme://user:password@host
	{pattern: lazily(`\b[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@'"<>` + "`" + `]*:[^\s/'"<>{}$` + "`" + `]+)@`)},
	// A private key of which the end is missing.
	{pattern: lazily(`-----BEGIN[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END[^-]*-----|\z)`)},
	{pattern: lazily(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{pattern: lazily(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{pattern: lazily(`\bsk-[A-Za-z0-9_-]{20,}`), strong: true},
	{pattern: lazily(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,})`), strong: true},
	{pattern: lazily(`(?i)\b(?:password|passwd|pwd|passphrase|secret|token|api[_ -]?key)\b["'` + "`" + `]?\s*(?:is|was|=|:|=>|:=)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;()<>{}$]{8,})`), strong: true},
}

// redact replaces every secret in s and returns how many different ones there were.
func redact(s string) (string, int) {
	var secrets []string
	for _, f := range detector().DetectString(s) {
		secrets = append(secrets, strings.TrimSpace(f.Secret))
	}
	for _, own := range ownSecrets {
		for _, m := range own.pattern().FindAllStringSubmatch(s, -1) {
			secret := m[len(m)-1]
			if !own.strong || strong(secret) {
				secrets = append(secrets, secret)
			}
		}
	}
	// The longest first: one rule's secret may hold another's.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	n := 0
	for _, secret := range slices.Compact(secrets) {
		if secret != "" && !strings.Contains(redaction, secret) && strings.Contains(s, secret) {
			s = strings.ReplaceAll(s, secret, redaction)
			n++
		}
	}
	return s, n
}

// strong reports whether s mixes digits with letters of both cases or with signs, as words,
// identifiers and versions seldom do.
func strong(s string) bool {
	has := func(f func(rune) bool) bool { return strings.ContainsFunc(s, f) }
	sign := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	return has(unicode.IsDigit) && has(unicode.IsLower) && (has(unicode.IsUpper) || has(sign))
}
