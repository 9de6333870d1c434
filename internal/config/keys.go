package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

// Key is one key of the configuration, as documentation shows it.
type Key struct {
	Name    string // "similarity.floor"
	Default string // as YAML on one line
	About   string // what it is for, "" where its name says so
	Choices []string
}

// Keys lists all keys in their order: documentation and the first file of a repository come from
// the type that parses.
func Keys() []Key { return keysOf("", reflect.ValueOf(Default())) }

func keysOf(prefix string, v reflect.Value) []Key {
	var out []Key
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := prefix + field.Tag.Get("yaml")
		if field.Type.Kind() == reflect.Struct {
			out = append(out, keysOf(name+".", v.Field(i))...)
			continue
		}
		key := Key{Name: name, Default: flow(v.Field(i).Interface())}
		for _, part := range parts(field.Tag.Get("jsonschema")) {
			if about, ok := strings.CutPrefix(part, "description="); ok {
				key.About = about
			}
			if choice, ok := strings.CutPrefix(part, "enum="); ok {
				key.Choices = append(key.Choices, choice)
			}
		}
		out = append(out, key)
	}
	return out
}

// flow renders a default on one line.
func flow(v any) string {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.Len() == 0 {
		return "[]"
	}
	text, err := yaml.MarshalWithOptions(v, yaml.Flow(true))
	if err != nil { // of plain values
		panic(err)
	}
	return strings.TrimSpace(string(text))
}

var comma = regexp.MustCompile(`(^|[^\\]),`)

// parts splits a jsonschema tag at its commas; those of a description are escaped.
func parts(tag string) []string {
	out := strings.Split(comma.ReplaceAllString(tag, "$1\x00"), "\x00")
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], `\,`, ",")
	}
	return out
}

// Help is what there is to say of the key on one line.
func (k Key) Help() string {
	choices := strings.Join(k.Choices, " | ")
	if k.About == "" || choices == "" {
		return k.About + choices
	}
	return k.About + ": " + choices
}

// Example renders all keys with their defaults as YAML, with what they are for beside them.
func Example() string {
	var out strings.Builder
	section := ""
	for _, k := range Keys() {
		name := k.Name
		if parent, child, ok := strings.Cut(name, "."); ok {
			if parent != section {
				fmt.Fprintf(&out, "%s:\n", parent)
			}
			section, name = parent, "  "+child
		}
		line := name + ": " + k.Default
		if help := k.Help(); help != "" {
			line = fmt.Sprintf("%-30s # %s", line, help)
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// Commented is a configuration that sets nothing and shows every key: the defaults stay in force, those
// of a later version too.
func Commented() string {
	var out strings.Builder
	out.WriteString("# How this repository learns from its reviews. All keys with their defaults: take the # away from what you\n# change, and from the section that it is in. https://github.com/agent-corp/agent-lessons/blob/main/docs/configuration.md\n\n")
	for line := range strings.Lines(Example()) {
		out.WriteString("# " + line)
	}
	return out.String()
}
