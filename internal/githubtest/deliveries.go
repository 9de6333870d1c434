package githubtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// hook is where the App wants its events.
type hook struct {
	url, secret string
	id          int64
}

// SetHook says where events go, and the secret that signs them.
func (s *Server) SetHook(url, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook{url, secret, s.nextID()}
}

// Event is something that GitHub tells the App.
type Event struct {
	Name    string // "pull_request_review"
	Action  string // "submitted"; empty for events that have none
	Payload map[string]any
	// Raw is sent instead of the payload if set; no schema is asked about it.
	Raw []byte
}

// Delivery is one attempt to hand an event to the App.
type Delivery struct {
	ID            int64
	GUID          string // the same for all attempts of one event
	Event, Action string
	Redelivery    bool
	At            time.Time
	Duration      time.Duration
	// StatusCode is the App's answer; 502 if it could not be reached, and 504 if
	// it took longer than GitHub waits.
	StatusCode int
	Body       []byte // of the App's answer
	Header     http.Header
	Request    http.Header
	Payload    []byte
	Raw        bool // the payload is not the stand-in's own

	installation, repository int64
}

// OK says whether GitHub counts the delivery as having arrived.
func (d Delivery) OK() bool { return d.StatusCode >= 200 && d.StatusCode < 300 }

// status is the delivery's state in GitHub's words.
func (d Delivery) status() string {
	switch d.StatusCode {
	case http.StatusBadGateway:
		return "failed to connect to host"
	case http.StatusGatewayTimeout:
		return "timed out"
	}
	if d.OK() {
		return "OK"
	}
	return "Invalid HTTP Response: " + strconv.Itoa(d.StatusCode)
}

// patience is how long GitHub waits for an App's answer.
const patience = 10 * time.Second

// Deliver signs an event and posts it to the hook. An answer that is no success
// is no error: it stands in the delivery.
func (s *Server) Deliver(ctx context.Context, e Event) (Delivery, error) {
	payload, err := json.Marshal(e.Payload)
	if err != nil {
		return Delivery{}, fmt.Errorf("payload of %s: %w", e.Name, err)
	}
	d := Delivery{GUID: guid(), Event: e.Name, Action: e.Action, Payload: payload}
	if e.Raw != nil {
		d.Payload, d.Raw = e.Raw, true
	}
	d.installation, d.repository = idOf(e.Payload["installation"]), idOf(e.Payload["repository"])
	return s.attempt(ctx, d)
}

// Redeliver repeats an event under its GUID, as someone's click or the API does.
// GitHub itself never retries.
func (s *Server) Redeliver(ctx context.Context, guid string) (Delivery, error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.deliveries, func(d *Delivery) bool { return d.GUID == guid })
	if i < 0 {
		s.mu.Unlock()
		return Delivery{}, fmt.Errorf("no delivery %s", guid)
	}
	first := s.deliveries[i]
	s.mu.Unlock()
	return s.attempt(ctx, Delivery{
		GUID: guid, Event: first.Event, Action: first.Action, Payload: first.Payload, Raw: first.Raw, Redelivery: true,
		installation: first.installation, repository: first.repository,
	})
}

// Deliveries returns all attempts, oldest first.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Delivery, 0, len(s.deliveries))
	for _, d := range s.deliveries {
		out = append(out, *d)
	}
	return out
}

// ObserveDeliveries has see called with every attempt, after its answer.
func (s *Server) ObserveDeliveries(see func(Delivery)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deliveryWatch = append(s.deliveryWatch, see)
}

func (s *Server) attempt(ctx context.Context, d Delivery) (Delivery, error) {
	s.mu.Lock()
	to := s.hook
	d.ID, d.At = s.nextID(), s.now()
	s.mu.Unlock()
	if to.url == "" {
		return Delivery{}, errors.New("no hook is set")
	}
	d.Request = s.signed(d, to)
	if err := d.post(ctx, to.url); err != nil {
		return Delivery{}, err
	}
	s.mu.Lock()
	s.deliveries = append(s.deliveries, &d)
	watch := s.deliveryWatch
	s.mu.Unlock()
	for _, see := range watch {
		see(d)
	}
	return d, nil
}

// signed makes the headers that GitHub sends with an event of an App.
func (s *Server) signed(d Delivery, to hook) http.Header {
	h := http.Header{
		"Accept":       {"*/*"},
		"Content-Type": {"application/json"},
		"User-Agent":   {"GitHub-Hookshot/5d0e5a1"},
	}
	h.Set("X-GitHub-Delivery", d.GUID)
	h.Set("X-GitHub-Event", d.Event)
	h.Set("X-GitHub-Hook-ID", strconv.FormatInt(to.id, 10))
	h.Set("X-GitHub-Hook-Installation-Target-ID", strconv.FormatInt(s.opts.AppID, 10))
	h.Set("X-GitHub-Hook-Installation-Target-Type", "integration")
	if to.secret != "" {
		old := hmac.New(sha1.New, []byte(to.secret))
		old.Write(d.Payload)
		h.Set("X-Hub-Signature", "sha1="+hex.EncodeToString(old.Sum(nil)))
		h.Set("X-Hub-Signature-256", Sign(to.secret, d.Payload))
	}
	return h
}

// Sign is the X-Hub-Signature-256 of a payload.
func Sign(secret string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(payload)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// post sends the delivery and writes the answer into it.
func (d *Delivery) post(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(d.Payload))
	if err != nil {
		return fmt.Errorf("hook: %w", err)
	}
	req.Header = d.Request
	start := time.Now()
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		defer resp.Body.Close()
		d.StatusCode, d.Header = resp.StatusCode, resp.Header
		d.Body, err = io.ReadAll(io.LimitReader(resp.Body, mebibyte))
	}
	d.Duration = time.Since(start)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		d.StatusCode = http.StatusGatewayTimeout
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.StatusCode = http.StatusBadGateway
	}
	return nil
}

// guid is a random UUID.
func guid() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// idOf is the id within a part of a payload, 0 if it has none.
func idOf(part any) int64 {
	o, _ := part.(object)
	id, _ := o["id"].(int64)
	return id
}
