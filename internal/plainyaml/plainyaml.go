// Package plainyaml reads YAML that strangers may have written: without anchors and aliases, and
// with errors of one line that name the line.
package plainyaml

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Unmarshal decodes src into v. Its error begins with "line 3: " where the place is known. The caller
// bounds the size of src: the parser takes more than linear time over hostile text.
func Unmarshal(src []byte, v any, options ...yaml.DecodeOption) error {
	if err := refuseAliases(src); err != nil {
		return err
	}
	if err := yaml.UnmarshalWithOptions(src, v, options...); err != nil {
		return errors.New(located(err))
	}
	return nil
}

// refuseAliases keeps a small file from standing for a huge one: nine aliases of nine aliases, a
// few levels deep, fill any memory.
func refuseAliases(src []byte) error {
	if !bytes.ContainsAny(src, "&*") {
		return nil
	}
	for _, t := range lexer.Tokenize(string(src)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType {
			return fmt.Errorf("line %d: anchors and aliases (& and *) are not allowed: write the value out, or quote it", t.Position.Line)
		}
	}
	return nil
}

// located renders a YAML error as "line 3: message", without the excerpt.
func located(err error) string {
	var y yaml.Error
	if !errors.As(err, &y) {
		return err.Error()
	}
	if token := y.GetToken(); token != nil && token.Position != nil {
		return "line " + strconv.Itoa(token.Position.Line) + ": " + y.GetMessage()
	}
	return y.GetMessage()
}
