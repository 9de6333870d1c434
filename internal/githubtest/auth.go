package githubtest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// token is what an installation, or a workflow, acts with.
type token struct {
	value        string
	installation *installation // nil for a workflow's, or a person's
	person       string        // whose it is; "" for an installation's or a workflow's
	expires      time.Time     // zero: never
	repositories map[int64]bool
	permissions  map[string]string
	login        string // whose commits and comments these are
	quota        *quota
}

// GenerateKey returns a private key for an App, and the same as GitHub hands it
// out: PKCS#1 in PEM.
func GenerateKey() (*rsa.PrivateKey, []byte) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // the system has no randomness
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

// AddToken adds a token that no App has minted, such as a workflow's
// GITHUB_TOKEN, for one repository. Permissions are like
// {"contents": "write"}; its deeds are github-actions[bot]'s.
func (s *Server) AddToken(value string, repo *Repository, permissions map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[value] = &token{
		value:        value,
		repositories: map[int64]bool{repo.id: true},
		permissions:  permissions,
		login:        "github-actions[bot]",
		quota:        &quota{limit: 1000},
	}
}

// ExpireTokens has every token that was minted so far refused.
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for value, t := range s.tokens {
		if t.installation != nil {
			delete(s.tokens, value)
		}
	}
}

// admit finds out who calls and what about, and returns an answer if that ends
// the matter; its status is 0 if it does not.
func (s *Server) admit(c *call, rt route) reply {
	if rt.access == anyone {
		return reply{}
	}
	kind, credential, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	if credential == "" || (!strings.EqualFold(kind, "bearer") && !strings.EqualFold(kind, "token")) {
		return failure(http.StatusUnauthorized, "Requires authentication")
	}
	if rt.access == byApp {
		c.app = true
		return s.checkJWT(credential)
	}
	c.token = s.tokens[credential]
	if c.token == nil || (!c.token.expires.IsZero() && !s.opts.AuthNow().Before(c.token.expires)) {
		c.token = nil
		return failure(http.StatusUnauthorized, "Bad credentials")
	}
	if in := c.token.installation; in != nil && !in.suspended.IsZero() {
		return suspended()
	}
	if (rt.access == byPerson) != (c.token.person != "") && rt.access != inRepository {
		return forbidden()
	}
	if rt.access == inRepository {
		if rep := s.findRepository(c); rep.status != 0 {
			return rep
		}
		if rep := c.allow(rt.needs); rep.status != 0 {
			return rep
		}
		if c.repo.archived && c.Method != http.MethodGet {
			return failure(http.StatusForbidden, "Repository was archived so is read-only.")
		}
	}
	return reply{}
}

// allow refuses the token that has none of the permissions needed.
func (c *call) allow(needs []string) reply {
	for _, need := range needs {
		name, level, _ := strings.Cut(need, ":")
		have := c.token.permissions[name]
		if have == "admin" || have == "write" || have == level {
			return reply{}
		}
	}
	if len(needs) == 0 {
		return reply{}
	}
	rep := forbidden()
	rep.header = http.Header{"X-Accepted-Github-Permissions": {strings.ReplaceAll(strings.Join(needs, "; "), ":", "=")}}
	return rep
}

// checkJWT accepts what GitHub documents: RS256, the App's or its client's id
// as issuer, issued not after now and expiring within 10 minutes, both with a
// minute's grace for clocks that differ.
func (s *Server) checkJWT(credential string) reply {
	refused := func(message string) reply { return failure(http.StatusUnauthorized, message) }
	if s.opts.PublicKey == nil {
		return refused("Integration must generate a public key")
	}
	var claims jwt.RegisteredClaims
	// The claims are checked below, by the stand-in's clock.
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation())
	if _, err := parser.ParseWithClaims(credential, &claims, func(*jwt.Token) (any, error) { return s.opts.PublicKey, nil }); err != nil {
		return refused("A JSON web token could not be decoded")
	}
	const skew = time.Minute
	now := s.opts.AuthNow()
	switch {
	case claims.IssuedAt == nil || claims.IssuedAt.After(now.Add(skew)):
		return refused("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	case claims.ExpiresAt == nil || claims.ExpiresAt.Before(now.Add(-skew)):
		return refused("'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	case claims.ExpiresAt.After(now.Add(10*time.Minute + skew)):
		return refused("'Expiration time' claim ('exp') is too far in the future")
	case claims.Issuer != strconv.FormatInt(s.opts.AppID, 10) && claims.Issuer != s.clientID():
		return failure(http.StatusNotFound, "Integration not found")
	}
	return reply{}
}

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
