package githubtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object of the API.
type object = map[string]any

// reply is an answer on its way out.
type reply struct {
	status   int
	header   http.Header
	body     any    // encoded as JSON, unless bytes are set
	bytes    []byte // the body as sent
	unlocked func() // what is left to do without the server's lock
}

func ok(body any) reply      { return reply{status: http.StatusOK, body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }
func noContent() reply       { return reply{status: http.StatusNoContent, bytes: []byte{}} }

// failure is GitHub's form of an error; the status within is a string.
func failure(status int, message string) reply {
	return reply{status: status, body: object{
		"message":           message,
		"documentation_url": "https://docs.github.com/rest",
		"status":            strconv.Itoa(status),
	}}
}

func notFound() reply { return failure(http.StatusNotFound, "Not Found") }

// forbidden is the answer to a token that lacks a permission.
func forbidden() reply {
	return failure(http.StatusForbidden, "Resource not accessible by integration")
}

// invalid is a 422 whose message says it all; invalidField one that names the
// field, as validation errors do.
func invalid(message string) reply { return failure(http.StatusUnprocessableEntity, message) }

func invalidField(resource, field, code, message string) reply {
	rep := invalid("Validation Failed")
	rep.body.(object)["errors"] = []object{{"resource": resource, "field": field, "code": code, "message": message}}
	return rep
}

// encode fills in the bytes and the headers that every answer has.
func (rep reply) encode() reply {
	if rep.header == nil {
		rep.header = http.Header{}
	}
	if rep.bytes == nil {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(rep.body); err != nil {
			panic(err) // a mistake in this package: replies are plain data
		}
		rep.bytes = bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	}
	if len(rep.bytes) > 0 && rep.header.Get("Content-Type") == "" {
		rep.header.Set("Content-Type", "application/json; charset=utf-8")
	}
	rep.header.Set("X-GitHub-Media-Type", "github.v3; format=json")
	return rep
}

// conditional gives a reading its ETag, and answers 304 where the client has it.
func (rep reply) conditional(r *http.Request) reply {
	if r.Method != http.MethodGet || rep.status != http.StatusOK {
		return rep
	}
	sum := sha256.Sum256(rep.bytes)
	etag := `"` + hex.EncodeToString(sum[:]) + `"`
	rep.header.Set("ETag", etag)
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(have), "W/") == etag {
			rep.status, rep.bytes = http.StatusNotModified, nil
			rep.header.Del("Content-Type")
			break
		}
	}
	return rep
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// stampOrNull is null for the zero time.
func stampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}

// stringOrNull is null for the empty string.
func stringOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// rawJSON shows JSON as it is, and null where it is none.
func rawJSON(data []byte) any {
	if !json.Valid(data) {
		return nil
	}
	return json.RawMessage(data)
}

// raw answers with bytes as they are, for the clients that ask for them.
func raw(data []byte) reply {
	return reply{
		status: http.StatusOK, bytes: append([]byte{}, data...),
		header: http.Header{"Content-Type": {"application/vnd.github.raw+json; charset=utf-8"}},
	}
}

// wantsRaw knows the media type's old name too, "application/vnd.github.v3.raw".
func wantsRaw(accept string) bool {
	return strings.Contains(accept, "application/vnd.github.raw") || strings.Contains(accept, "application/vnd.github.v3.raw")
}
