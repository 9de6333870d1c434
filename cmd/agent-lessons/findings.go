package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/agent-corp/agent-lessons/internal/distill"
)

const findingsForm = `give {"body": …, "comments": [{"path": …, "line": …, "body": …}]}, a list of such comments, or Markdown`

// findings reads the input: JSON when it begins with an object or a list of objects, Markdown
// otherwise.
func (c *learnCmd) findings(p *program) ([]distill.Finding, error) {
	name, src, err := c.input(p)
	if err != nil {
		return nil, err
	}
	src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	if bytes.HasPrefix(src, []byte("\xFF\xFE")) || bytes.HasPrefix(src, []byte("\xFE\xFF")) {
		return nil, fmt.Errorf("%s: it is UTF-16: save it as UTF-8", name)
	}
	switch {
	case beginsWith(src, "{"):
		var review struct {
			Body     string            `json:"body"`
			Comments []distill.Finding `json:"comments"`
		}
		err := decode(name, src, &review, true)
		return append([]distill.Finding{{Body: review.Body}}, review.Comments...), err
	case beginsWith(src, "[", "{"), beginsWith(src, "[", "]"):
		var comments []distill.Finding // GitHub's carry much more, which is left alone
		err := decode(name, src, &comments, false)
		return comments, err
	default:
		return []distill.Finding{{Body: string(src)}}, nil
	}
}

// beginsWith reports whether src begins with the tokens, white space aside.
func beginsWith(src []byte, tokens ...string) bool {
	for _, token := range tokens {
		var ok bool
		if src, ok = bytes.CutPrefix(bytes.TrimSpace(src), []byte(token)); !ok {
			return false
		}
	}
	return true
}

// decode reads one JSON value and nothing behind it. Its errors name file and line.
func decode(name string, src []byte, into any, strict bool) error {
	decoder := json.NewDecoder(bytes.NewReader(src))
	if strict {
		decoder.DisallowUnknownFields()
	}
	err := decoder.Decode(into)
	at := decoder.InputOffset()
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil:
		if len(bytes.TrimSpace(src[at:])) == 0 {
			return nil
		}
		at += int64(len(src[at:]) - len(bytes.TrimLeft(src[at:], " \t\r\n")))
		err = errors.New("something follows the JSON value: give one value")
	case errors.Is(err, io.ErrUnexpectedEOF):
		at, err = int64(len(src)), errors.New("it ends in the middle of the JSON value")
	case errors.As(err, &mistyped):
		at, err = mistyped.Offset, fmt.Errorf("%q is a %s, which it cannot be", mistyped.Field, mistyped.Value)
	}
	return fmt.Errorf("%s: line %d: %w: %s", name, 1+bytes.Count(src[:min(at, int64(len(src)))], []byte("\n")), err, findingsForm)
}

// input reads the file or standard input; Ctrl-C ends the waiting.
func (c *learnCmd) input(p *program) (name string, src []byte, err error) {
	name, read := c.File, func() ([]byte, error) { return os.ReadFile(c.File) }
	if c.File == "-" {
		name, read = "standard input", func() ([]byte, error) { return io.ReadAll(p.in) }
		if p.inIsTerminal {
			fmt.Fprintln(p.err, "agent-lessons: reading findings from the terminal; end with Ctrl-D")
		}
	}
	type result struct {
		src []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		src, err := read()
		done <- result{src, err}
	}()
	select {
	case r := <-done:
		return name, r.src, r.err
	case <-p.ctx.Done():
		return name, nil, fmt.Errorf("%s: interrupted", name)
	}
}
