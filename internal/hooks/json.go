package hooks

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON is the format of Claude Code's settings.json and of Codex's hooks.json. Comments and trailing
// commas, which some versions let pass, are kept.
var JSON = Format{decode: decodeJSON, add: addJSON, remove: removeJSON}

// parseJSON returns the syntax tree of src, whose offsets are edited by.
func parseJSON(src []byte) (hujson.Value, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{}")
	}
	root, err := hujson.Parse(src)
	if err != nil {
		return root, &Error{Reason: strings.TrimPrefix(err.Error(), "hujson: ")} // it names line and column
	}
	if root.Value.Kind() != '{' {
		return root, &Error{lineOf(src, root.StartOffset), "it is no JSON object"}
	}
	return root, nil
}

func decodeJSON(src []byte) (map[string]any, error) {
	root, err := parseJSON(src)
	if err != nil {
		return nil, err
	}
	root = root.Clone()
	root.Standardize()
	var tree map[string]any
	if err := json.Unmarshal(root.Pack(), &tree); err != nil {
		return nil, &Error{Reason: err.Error()}
	}
	return tree, nil
}

// item is a member of an object or an element of an array, by its bytes in the source.
type item struct {
	name       string
	value      hujson.Value
	start, end int // the name included
	comma      int // where the comma behind it is, or would be
}

func items(v hujson.Value) []item {
	var out []item
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			out = append(out, item{m.Name.Value.(hujson.Literal).String(), m.Value, m.Name.StartOffset, m.Value.EndOffset, m.Value.EndOffset + len(m.Value.AfterExtra)})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			out = append(out, item{"", e, e.StartOffset, e.EndOffset, e.EndOffset + len(e.AfterExtra)})
		}
	}
	return out
}

// member returns the member of that name; of several the last, which is the one that counts.
func member(v hujson.Value, name string) (found item, ok bool) {
	for _, i := range items(v) {
		if i.name == name {
			found, ok = i, true
		}
	}
	return found, ok
}

type (
	jsonGroup struct {
		Hooks []jsonHook `json:"hooks"`
	}
	jsonHook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
)

func addJSON(src []byte, h Hook) ([]byte, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{\n}\n")
	}
	root, err := parseJSON(src)
	if err != nil {
		return nil, err
	}
	group := jsonGroup{[]jsonHook{{"command", h.Command, h.Timeout}}}
	events, ok := member(root, "hooks")
	if !ok {
		return insert(src, root, 0, "hooks", map[string][]jsonGroup{h.Event: {group}}), nil
	}
	if events.value.Value.Kind() != '{' {
		return nil, &Error{lineOf(src, events.start), "hooks is no object"}
	}
	groups, ok := member(events.value, h.Event)
	if !ok {
		return insert(src, events.value, 1, h.Event, []jsonGroup{group}), nil
	}
	if groups.value.Value.Kind() != '[' {
		return nil, &Error{lineOf(src, groups.start), "hooks." + h.Event + " is no list"}
	}
	return insert(src, groups.value, 2, "", group), nil
}

var indented = regexp.MustCompile(`(?m)^([ \t]+)\S`)

// insert puts a value behind what an object or array at that depth holds, in the file's own style.
func insert(src []byte, into hujson.Value, depth int, name string, value any) []byte {
	eol, unit := lineEnd(src), "  "
	if m := indented.FindSubmatch(src); m != nil {
		unit = string(m[1])
	}
	text, _ := json.MarshalIndent(value, strings.Repeat(unit, depth+1), unit) // errs for no type of ours
	if !bytes.ContainsRune(bytes.TrimSpace(src), '\n') {                      // the file is one line
		eol, unit = "", ""
		text, _ = json.Marshal(value)
	}
	if name != "" {
		text = append([]byte(`"`+name+`": `), text...)
	}
	added := eol + strings.Repeat(unit, depth+1) + strings.ReplaceAll(string(text), "\n", eol)

	closing := into.EndOffset - 1
	at := len(bytes.TrimRight(src[:closing], white))
	comma := -1
	if inside := items(into); len(inside) > 0 {
		last := inside[len(inside)-1]
		if src[last.comma] == ',' {
			added += "," // a file that has commas there keeps them
		} else {
			comma = last.end
		}
	}
	if !bytes.ContainsRune(src[at:closing], '\n') {
		added += eol + strings.Repeat(unit, depth)
	}
	src = splice(src, at, at, added)
	if comma >= 0 {
		src = splice(src, comma, comma, ",")
	}
	return src
}

const white = " \t\r\n"

func removeJSON(src []byte) ([]byte, error) {
	for {
		root, err := parseJSON(src)
		if err != nil {
			return nil, err
		}
		from, i, found := findOurs(root)
		if !found {
			return src, nil
		}
		src = cut(src, from, i)
	}
}

// findOurs returns the first hook of the product, or what holds nothing else, as the item number i
// of an object or array.
func findOurs(root hujson.Value) (from hujson.Value, i int, found bool) {
	for n, events := range items(root) {
		if events.name != "hooks" {
			continue
		}
		for e, groups := range items(events.value) {
			for g, group := range items(groups.value) {
				list, _ := member(group.value, "hooks")
				for h, hook := range items(list.value) {
					command, _ := member(hook.value, "command")
					if text, ok := command.value.Value.(hujson.Literal); !ok || !ours(text.String()) {
						continue
					}
					switch {
					case len(items(list.value)) > 1:
						return list.value, h, true
					case len(items(groups.value)) > 1:
						return groups.value, g, true
					case len(items(events.value)) > 1:
						return events.value, e, true
					}
					return root, n, true
				}
			}
		}
	}
	return from, 0, false
}

// cut removes the item number i, and keeps the comments around it.
func cut(src []byte, from hujson.Value, i int) []byte {
	inside := items(from)
	gone := inside[i]
	if i+1 < len(inside) {
		next := inside[i+1].start
		kept := string(src[gone.end:gone.comma]) + string(src[gone.comma+1:next])
		if strings.TrimSpace(kept) == "" {
			kept = ""
		}
		return splice(src, gone.start, next, strings.TrimLeft(kept, white))
	}
	before := from.StartOffset + 1
	if i > 0 {
		before = inside[i-1].end
	}
	kept := string(src[before:gone.start])
	switch {
	case src[gone.comma] == ',': // a trailing comma: the one before takes its place
		src = splice(src, gone.comma, gone.comma+1, "")
	case i > 0:
		kept = string(src[before:inside[i-1].comma]) + string(src[inside[i-1].comma+1:gone.start])
	}
	return splice(src, before, gone.end, strings.TrimRight(kept, white))
}
