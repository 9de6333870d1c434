package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// TOML is the format of Codex's config.toml. Hooks are put at its end as tables of their own, which
// leaves every line above as it is.
var TOML = Format{decode: decodeTOML, add: addTOML, remove: removeTOML}

func decodeTOML(src []byte) (map[string]any, error) {
	var tree map[string]any
	err := toml.Unmarshal(src, &tree)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ := at.Position()
		return nil, &Error{line, strings.TrimPrefix(at.Error(), "toml: ")}
	}
	return tree, err
}

func addTOML(src []byte, h Hook) ([]byte, error) {
	eol := lineEnd(src)
	lead := ""
	if len(src) > 0 {
		lead = eol
		if !bytes.HasSuffix(src, []byte("\n")) {
			lead += eol
		}
	}
	text := fmt.Sprintf("[[hooks.%s]]\n[[hooks.%s.hooks]]\ntype = \"command\"\ncommand = %q\ntimeout = %d\n", h.Event, h.Event, h.Command, h.Timeout)
	out := splice(src, len(src), len(src), lead+strings.ReplaceAll(text, "\n", eol))
	if _, err := decodeTOML(out); err != nil {
		return nil, &Error{Reason: fmt.Sprintf("its hooks are written in a way that nothing can be added to (%s); write them as [[hooks.%s]] tables, or add this by hand:\n%s", err, h.Event, text)}
	}
	return out, nil
}

// table is a table of the file with the lines that are its own.
type table struct {
	key         []string
	command     string
	keys        int // how many keys it sets
	start, stop int // its bytes, from the header's line to the last line that is no comment
}

// tables returns the tables of src in its order, the keys above the first header left out.
func tables(src []byte) ([]table, error) {
	var out []table
	p := unstable.Parser{}
	p.Reset(src)
	for p.NextExpression() {
		node := p.Expression()
		key, at := keyOf(node)
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			start := bytes.LastIndexByte(src[:at], '\n') + 1
			out = append(out, table{key: key, start: start})
		case unstable.KeyValue:
			if len(out) == 0 {
				continue
			}
			last := &out[len(out)-1]
			last.keys++
			if len(key) == 1 && key[0] == "command" && node.Value().Kind == unstable.String {
				last.command = string(node.Value().Data)
			}
		}
	}
	for i := range out {
		stop := len(src)
		if i+1 < len(out) {
			stop = out[i+1].start
		}
		out[i].stop = out[i].start + ownLines(src[out[i].start:stop])
	}
	return out, p.Error()
}

func keyOf(node *unstable.Node) (key []string, at int) {
	if node.Kind != unstable.Table && node.Kind != unstable.ArrayTable && node.Kind != unstable.KeyValue {
		return nil, 0
	}
	for it := node.Key(); it.Next(); {
		if key == nil {
			at = int(it.Node().Raw.Offset)
		}
		key = append(key, string(it.Node().Data))
	}
	return key, at
}

// ownLines returns the length of a table without the comments and blank lines below it, which
// belong to what follows.
func ownLines(text []byte) int {
	own, at := 0, 0
	for line := range bytes.Lines(text) {
		at += len(line)
		if bare := bytes.TrimSpace(line); len(bare) > 0 && bare[0] != '#' {
			own = at
		}
	}
	return own
}

func removeTOML(src []byte) ([]byte, error) {
	all, err := tables(src)
	if err != nil {
		return nil, err
	}
	gone := make([]bool, len(all))
	for i, t := range all {
		gone[i] = isHook(t.key) && ours(t.command)
	}
	for i, t := range all { // a group whose hooks are all gone goes with them
		if len(t.key) != 2 || t.key[0] != "hooks" {
			continue
		}
		members, left := 0, 0
		for j := i + 1; j < len(all) && len(all[j].key) > 2 && slices.Equal(all[j].key[:2], t.key); j++ {
			members++
			if !gone[j] {
				left++
			}
		}
		gone[i] = members > 0 && left == 0
	}
	for i, t := range slices.Backward(all) {
		if !gone[i] {
			continue
		}
		start, eol := t.start, lineEnd(src)
		if bytes.HasSuffix(src[:start], []byte(eol+eol)) {
			start -= len(eol) // the blank line above
		}
		src = splice(src, start, t.stop, "")
	}
	return src, nil
}

// isHook reports whether the key is that of one hook of a group: hooks.EVENT.hooks.
func isHook(key []string) bool { return len(key) == 3 && key[0] == "hooks" && key[2] == "hooks" }
