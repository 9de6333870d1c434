// Package look is what all pages have in common: their frame and style, the headers that keep them
// to themselves, and the guard of what is served on loopback. Nothing comes from elsewhere.
package look

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"
)

//go:embed frame.html.tmpl assets
var files embed.FS

// Frame is what stands around the content of a page.
type Frame struct {
	Title   string
	Nav     []Link
	Who     string // login of the person who is signed in; "" for nobody
	Script  string // name of an asset that makes the page nicer; "" for none
	Content any    // for the template "content"
}

// Link leads to another page.
type Link struct {
	Href, Text string
	Here       bool // it is the page itself
}

// Templates parses pages, each of which defines "content". Beside html/template's they may use
// code, which splits a sentence at its backticks, and the funcs given.
func Templates(text string, more template.FuncMap) *template.Template {
	funcs := template.FuncMap{"code": spans, "asset": assetPath, "stamp": stamp, "minute": minute}
	frame := template.Must(template.New("frame").Funcs(funcs).Funcs(more).ParseFS(files, "frame.html.tmpl"))
	return template.Must(frame.Parse(text))
}

// Write renders a page. Nothing is sent before all of it is rendered.
func Write(w http.ResponseWriter, status int, page *template.Template, f Frame) error {
	var buf bytes.Buffer
	if err := page.ExecuteTemplate(&buf, "frame.html.tmpl", f); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := buf.WriteTo(w)
	return err
}

// Span is a piece of a sentence.
type Span struct {
	Text string
	Code bool
}

// spans splits a sentence at its backticks; where they are not in pairs they stay.
func spans(sentence string) []Span {
	parts := strings.Split(sentence, "`")
	if len(parts)%2 == 0 {
		return []Span{{Text: sentence}}
	}
	var out []Span
	for i, part := range parts {
		if part != "" {
			out = append(out, Span{part, i%2 == 1})
		}
	}
	return out
}

func stamp(t time.Time) string  { return t.UTC().Format(time.RFC3339) }
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// assets are served under names that change with their content, so that browsers may keep them.
var assets = func() map[string][]byte {
	out := map[string][]byte{}
	entries, _ := files.ReadDir("assets") // it is embedded
	for _, e := range entries {
		content, _ := files.ReadFile("assets/" + e.Name())
		out[e.Name()] = content
	}
	return out
}()

func assetPath(name string) (string, error) {
	content, ok := assets[name]
	if !ok {
		return "", fmt.Errorf("no asset %s", name)
	}
	sum := sha256.Sum256(content)
	return "/assets/" + hex.EncodeToString(sum[:6]) + "/" + name, nil
}

var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// Assets serves style, script and icon, to be mounted at "GET /assets/".
func Assets(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	path, err := assetPath(name)
	if err != nil || path != r.URL.Path {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", assetTypes[name[strings.LastIndexByte(name, '.'):]])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(assets[name])
}

// Kept adds the headers that keep pages to themselves: nothing from elsewhere, in no frame, in no
// cache. forms are further origins that forms may lead to. Requests that change something are
// refused when another site's page sends them.
func Kept(next http.Handler, forms func() []string) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		targets := "'self'"
		if forms != nil {
			targets = strings.Join(append([]string{targets}, forms()...), " ")
		}
		for name, value := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
				"base-uri 'none'; frame-ancestors 'none'; form-action " + targets,
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
			"Referrer-Policy":              "same-origin",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
			"Cache-Control":                "no-store",
		} {
			w.Header().Set(name, value)
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// maxForm bounds what is posted to a page, in bytes.
const maxForm = 64 << 10

// OnlyHosts answers 421 to requests for another host: a name that leads here without being ours
// (DNS rebinding) could otherwise make a page of elsewhere read ours.
func OnlyHosts(next http.Handler, ours func(host string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ours(r.Host) {
			http.Error(w, "this server does not answer for the host that was asked for", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopback reports whether a Host header names this machine itself.
func IsLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return strings.EqualFold(name, "localhost") || (ip != nil && ip.IsLoopback())
}
