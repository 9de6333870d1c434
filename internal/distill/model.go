package distill

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// Limits of what a model is sent.
const (
	maxInput   = 48 << 10 // bytes of findings in one request
	maxExcerpt = 8 << 10  // bytes of one finding
	cutMark    = " [cut]"
)

//go:embed prompt.txt
var distilInstructions string

// Model distils by asking a language model, one request a review. Whatever goes wrong, the
// extractive distiller answers in its place and Result.Fallback says why: an outage loses no finding.
type Model struct {
	protocol protocol
	fallback Distiller
	timeout  time.Duration
}

// protocol asks a language model for a JSON document. An error holds no key and no text of the
// answer.
type protocol interface {
	// name is the provider as people know it.
	name() string
	// ask returns the document that the model wrote under the schema.
	ask(ctx context.Context, q question) ([]byte, error)
	// reach returns the status with which the server lists its models.
	reach(ctx context.Context) (status int, err error)
}

// question is one exchange with a model.
type question struct {
	system string         // instructions, ours
	user   string         // data, foreign
	title  string         // of the schema, [a-z_]
	schema map[string]any // JSON schema of the answer
}

// String names the provider and the model.
func (m *Model) String() string { return m.protocol.name() }

// Distill implements Distiller. The error is the context's: it is over for the fallback, too.
func (m *Model) Distill(ctx context.Context, findings []Finding) (Result, error) {
	result, err := m.distill(ctx, findings)
	if err == nil {
		return result, nil
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	result, fallbackErr := m.fallback.Distill(ctx, findings)
	result.Fallback = fmt.Sprintf("%s: %v", m.protocol.name(), err)
	return result, fallbackErr
}

func (m *Model) distill(ctx context.Context, findings []Finding) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	sent := excerpts(findings)
	if len(sent.Findings) == 0 {
		return Result{}, nil
	}
	user, err := json.Marshal(sent)
	if err != nil {
		return Result{}, err
	}
	answer, err := m.protocol.ask(ctx, question{system: distilInstructions, user: string(user), title: "lessons", schema: lessonsSchema})
	if err != nil {
		return Result{}, err
	}
	result, err := accept(answer, sent)
	result.LeftOut = sent.LeftOut
	return result, err
}

// excerpt is a finding as the model sees it.
type excerpt struct {
	Finding int    `json:"finding"` // index into the findings
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text"`
}

// input is the document that the model sees.
type input struct {
	Findings []excerpt `json:"findings"`
	LeftOut  int       `json:"left_out"` // findings that did not fit, or only in part
}

// excerpts cleans the findings, secrets redacted, and keeps the largest that fit, in their order.
func excerpts(findings []Finding) input {
	var all []excerpt
	var sizes []int
	findings, leftOut := bounded(findings)
	for i, f := range findings {
		text, _ := guard.Clean(f.Body)
		path, _ := guard.Clean(f.Path)
		if text = strings.TrimSpace(text); text != "" {
			text = cut(text, maxExcerpt)
			all = append(all, excerpt{Finding: i, Path: path, Line: f.Line, Text: text})
			sizes = append(sizes, len(text))
		}
	}
	over := overflow(sizes, maxInput, len(sizes))
	in := input{LeftOut: leftOut + len(over)}
	for i, e := range all {
		if !slices.Contains(over, i) {
			in.Findings = append(in.Findings, e)
		}
	}
	return in
}

// cut shortens text to n bytes at a rune, and says so.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	n -= len(cutMark)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + cutMark
}

// lessonsSchema describes the answer. Providers take only a part of JSON schema: how many lessons
// there are and how long is checked here.
var lessonsSchema = object(map[string]any{
	"lessons": map[string]any{
		"type": "array",
		"items": object(map[string]any{
			"text":    map[string]any{"type": "string"},
			"finding": map[string]any{"type": "integer"},
		}),
	},
})

// object is the schema of an object all of whose properties are required and no others allowed.
func object(properties map[string]any) map[string]any {
	required := make([]string, 0, len(properties))
	for name := range properties {
		required = append(required, name)
	}
	slices.Sort(required)
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// accept holds the model's answer against the schema and each lesson against the findings. Lessons
// that do not hold are dropped; an answer of which nothing holds is an error.
func accept(answer []byte, sent input) (Result, error) {
	var reply struct {
		Lessons []struct {
			Text    *string `json:"text"`
			Finding *int    `json:"finding"`
		} `json:"lessons"`
	}
	if err := decodeStrict(answer, &reply); err != nil {
		return Result{}, err
	}
	if reply.Lessons == nil {
		return Result{}, errors.New("the answer has no list of lessons")
	}
	if len(reply.Lessons) > MaxLessons {
		return Result{}, fmt.Errorf("the answer has %d lessons", len(reply.Lessons))
	}
	var result Result
	var flaw error
	for _, l := range reply.Lessons {
		if l.Text == nil || l.Finding == nil || !slices.ContainsFunc(sent.Findings, func(e excerpt) bool { return e.Finding == *l.Finding }) {
			return Result{}, errors.New("a lesson of the answer names no finding")
		}
		if err := sent.supports(*l.Text, *l.Finding); err != nil {
			flaw = err
			continue
		}
		result.admit(*l.Text, *l.Finding)
	}
	if flaw != nil && len(result.Lessons) == 0 {
		return Result{}, flaw
	}
	return result, nil
}

// decodeStrict decodes exactly one JSON document without unknown fields; a field's name in other
// letters is unknown.
func decodeStrict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if _, end := decoder.Token(); err != nil || end != io.EOF || !lowerKeys(data) {
		return errors.New("the answer does not follow the schema") // the decoder's words may quote it
	}
	return nil
}

// lowerKeys reports whether no object of a JSON document has a key with a capital: encoding/json takes
// them for the schema's, all of which are lower-case.
func lowerKeys(data []byte) bool {
	var document any
	if json.Unmarshal(data, &document) != nil {
		return false
	}
	var lower func(v any) bool
	lower = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return !slices.ContainsFunc(v, func(e any) bool { return !lower(e) })
		case map[string]any:
			for key, e := range v {
				if key != strings.ToLower(key) || !lower(e) {
					return false
				}
			}
		}
		return true
	}
	return lower(document)
}
