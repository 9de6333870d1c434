package app

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// maxBody is GitHub's own cap on a webhook's payload (github.md 1.6).
const maxBody = 25 << 20

// maxHeader bounds event and delivery id, in bytes; GitHub's ids have 36.
const maxHeader = 100

// verifier admits signed deliveries and hands each to the handler that belongs to the secret
// which signed it: go-githubapp's dispatcher knows one secret only.
type verifier struct {
	secrets  [][]byte
	next     []http.Handler // one for each secret
	rejected func(r *http.Request, status int, reason string)
	inFlight inFlight
}

// newVerifier refuses an empty secret: it would admit everybody.
func newVerifier(secrets []string, next func(secret string) http.Handler, rejected func(*http.Request, int, string)) (*verifier, error) {
	if len(secrets) == 0 {
		return nil, errors.New("no webhook secret")
	}
	v := &verifier{rejected: rejected}
	for _, secret := range secrets {
		if secret == "" {
			return nil, errors.New("an empty webhook secret admits everybody")
		}
		v.secrets = append(v.secrets, []byte(secret))
		v.next = append(v.next, next(secret))
	}
	return v, nil
}

// ServeHTTP answers 405, 415, 413, 400, 401 or 503 to what is not a signed delivery of GitHub's.
func (v *verifier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, reason string) {
		v.rejected(r, status, reason)
		http.Error(w, reason, status)
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(http.StatusMethodNotAllowed, "webhooks are sent with POST")
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(http.StatusUnsupportedMediaType, "set the webhook's content type to application/json")
		return
	}
	for _, name := range []string{"X-GitHub-Event", "X-GitHub-Delivery"} {
		if r.Header.Get(name) == "" {
			refuse(http.StatusBadRequest, "the header "+name+" is missing")
			return
		}
		if len(r.Header.Get(name)) > maxHeader {
			r.Header.Set(name, r.Header.Get(name)[:maxHeader]) // it goes into a log line
			refuse(http.StatusBadRequest, "the header "+name+" is longer than GitHub's")
			return
		}
	}
	signature, ok := strings.CutPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256=")
	given, err := hex.DecodeString(signature)
	if !ok || err != nil || len(given) != sha256.Size {
		refuse(http.StatusUnauthorized, "the delivery has no SHA-256 signature")
		return
	}
	body, done, err := v.inFlight.read(http.MaxBytesReader(w, r.Body, maxBody))
	defer done()
	if errors.Is(err, errInFlight) {
		w.Header().Set("Retry-After", retryAfter)
		refuse(http.StatusServiceUnavailable, err.Error())
		return
	}
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			refuse(http.StatusRequestEntityTooLarge, "the payload is larger than 25 MiB")
			return
		}
		refuse(http.StatusBadRequest, "the payload could not be read")
		return
	}
	for i, secret := range v.secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), given) {
			r.Body = io.NopCloser(bytes.NewReader(body))
			v.next[i].ServeHTTP(w, r)
			return
		}
	}
	refuse(http.StatusUnauthorized, "the signature matches none of the configured secrets")
}
