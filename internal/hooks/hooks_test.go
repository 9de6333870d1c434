package hooks

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const before, after = "agent-lessons hook before", "agent-lessons hook after"

// Each row is a file, and the same file with the hooks. Uninstalling gives the file back.
func TestInstall(t *testing.T) {
	t.Parallel()
	group := func(command, timeout string) string {
		return `      {
        "hooks": [
          {
            "type": "command",
            "command": "` + command + `",
            "timeout": ` + timeout + `
          }
        ]
      }`
	}
	both := `  "hooks": {
    "UserPromptSubmit": [
` + group(before, "5") + `
    ],
    "Stop": [
` + group(after, "10") + `
    ]
  }`
	tables := `[[hooks.UserPromptSubmit]]
[[hooks.UserPromptSubmit.hooks]]
type = "command"
command = "agent-lessons hook before"
timeout = 5

[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "agent-lessons hook after"
timeout = 10
`
	for name, c := range map[string]struct {
		format    Format
		src, want string
	}{
		"JSON: other settings": {JSON, "{\n  \"model\": \"opus\",\n  \"permissions\": { \"allow\": [\"Bash(make:*)\"] }\n}\n",
			"{\n  \"model\": \"opus\",\n  \"permissions\": { \"allow\": [\"Bash(make:*)\"] },\n" + both + "\n}\n"},
		"JSON: Windows line ends": {JSON, "{\r\n  \"model\": \"opus\"\r\n}", strings.ReplaceAll("{\n  \"model\": \"opus\",\n"+both+"\n}", "\n", "\r\n")},
		"JSON: tabs":              {JSON, "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n" + strings.ReplaceAll(both, "  ", "\t") + "\n}\n"},
		"JSON: comments and trailing commas": {JSON, "// mine\n{\n  \"a\": 1, // one\n  /* two */\n}\n",
			"// mine\n{\n  \"a\": 1, // one\n  /* two */\n" + both + ",\n}\n"},
		"JSON: a comment at the end": {JSON, "{\n  \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n" + both + "\n}\n"},
		"JSON: one line":             {JSON, `{"a":1}`, `{"a":1,"hooks": {"UserPromptSubmit":[{"hooks":[{"type":"command","command":"` + before + `","timeout":5}]}],"Stop": [{"hooks":[{"type":"command","command":"` + after + `","timeout":10}]}]}}`},
		"JSON: hooks of a person's": {JSON, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"matcher\": \"x\", \"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"matcher\": \"x\", \"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]},\n" + group(after, "10") + "\n    ],\n    \"UserPromptSubmit\": [\n" + group(before, "5") + "\n    ]\n  }\n}\n"},
		"TOML: other settings": {TOML, "# mine\nmodel = \"gpt\" # best\n\n[projects.\"/a\"]\ntrust_level = \"trusted\"\n",
			"# mine\nmodel = \"gpt\" # best\n\n[projects.\"/a\"]\ntrust_level = \"trusted\"\n\n" + tables},
		"TOML: Windows line ends": {TOML, "a = 1\r\n", strings.ReplaceAll("a = 1\n\n"+tables, "\n", "\r\n")},
		"TOML: hooks of a person's": {TOML, "[[hooks.Stop]]\nmatcher = \"x\"\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = 'say done'\n# end\n",
			"[[hooks.Stop]]\nmatcher = \"x\"\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = 'say done'\n# end\n\n" + tables},
		"TOML: what Codex trusts": {TOML, "[hooks.state.\"/a/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:ab\"\n", "[hooks.state.\"/a/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:ab\"\n\n" + tables},
		"TOML: empty":             {TOML, "", tables},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := c.format.Install([]byte(c.src))
			if err != nil || string(got) != c.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
			if again, err := c.format.Install(got); err != nil || string(again) != c.want {
				t.Errorf("again: %v\n%s", err, again)
			}
			if hooks, err := c.format.Installed(got); err != nil || len(hooks) != 2 {
				t.Errorf("installed %v, %v", hooks, err)
			}
			back, err := c.format.Uninstall(got)
			if err != nil || string(back) != c.src {
				t.Errorf("uninstalled: %v\n%s\nwant\n%s", err, back, c.src)
			}
		})
	}
	for _, src := range []string{"", " \n", "{}", "{}\n", "{\n}\n"} {
		if got, err := JSON.Install([]byte(src)); err != nil || strings.TrimSpace(string(got)) == "" {
			t.Errorf("%q: %q, %v", src, got, err)
		} else if back, err := JSON.Uninstall(got); err != nil || strings.Join(strings.Fields(string(back)), "") != "{}" {
			t.Errorf("%q: back to %q, %v", src, back, err)
		}
	}
}

// What a person wrote around our command counts as installed, and is ours to take out again.
func TestOurs(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"agent-lessons hook before":                          true,
		"/usr/local/bin/agent-lessons hook after --budget 9": true,
		`"C:\Tools\agent-lessons.exe" hook before`:           true,
		"agent-lessons hook":                                 false,
		"agent-lessons hooks install":                        false,
		"agent-lessons block":                                false,
		"my-agent-lessons hook before":                       false,
		"echo agent-lessons hook before":                     false,
		"":                                                   false,
	} {
		if got := ours(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}

func TestUninstallTakesOursOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format    Format
		src, want string
	}{
		"JSON: beside another command": {JSON, `{"hooks": {"Stop": [{"hooks": [{"command": "x"}, /* a */ {"command": "` + after + `"}, {"command": "y"}]}]}}`, `{"hooks": {"Stop": [{"hooks": [{"command": "x"}, /* a */ {"command": "y"}]}]}}`},
		"JSON: first of two groups":    {JSON, `{"hooks": {"Stop": [{"hooks": [{"command": "` + after + `"}]}, {"hooks": []}], "x": 1}}`, `{"hooks": {"Stop": [{"hooks": []}], "x": 1}}`},
		"JSON: the last event":         {JSON, `{"hooks": {"PreToolUse": [], "Stop": [{"hooks": [{"command": "` + after + `"}]}]}, "b": 2}`, `{"hooks": {"PreToolUse": []}, "b": 2}`},
		"JSON: at another event":       {JSON, `{"a": 1, "hooks": {"SubagentStop": [{"hooks": [{"command": "` + after + `"}]}]}}`, `{"a": 1}`},
		"JSON: none":                   {JSON, `{ "hooks" :{}}`, `{ "hooks" :{}}`},
		"TOML: beside another command": {TOML, "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n[[hooks.Stop.hooks]]\ncommand = \"" + after + "\"\n# tail\n[tui]\n", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n# tail\n[tui]\n"},
		"TOML: a group before others":  {TOML, "a = 1\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = '" + after + "'\n\n# about y\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'y'\n", "a = 1\n\n# about y\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'y'\n"},
		"TOML: none":                   {TOML, "a=1 # b", "a=1 # b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := c.format.Uninstall([]byte(c.src))
			if err != nil || string(got) != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

// A broken file is refused with its line.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format    Format
		src, want string
	}{
		"JSON: cut off":           {JSON, "{\n  \"a\": 1,\n", "line 3, column 1: "},
		"JSON: a comma too few":   {JSON, "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: "},
		"JSON: a list":            {JSON, "\n[]", "line 2: it is no JSON object"},
		"JSON: hooks is a list":   {JSON, "{\n\"hooks\": []}", "line 2: hooks is no object"},
		"JSON: an event is none":  {JSON, "{\"hooks\": {\n\"Stop\": {}}}", "line 2: hooks.Stop is no list"},
		"JSON: deep":              {JSON, strings.Repeat("[", 1<<19), ""},
		"TOML: broken":            {TOML, "a = 1\nb = \n", "line 2: "},
		"TOML: twice":             {TOML, "a = 1\na = 2\n", "line 2: "},
		"TOML: an inline table":   {TOML, "hooks = { Stop = [] }\n", "add this by hand:\n[[hooks."},
		"TOML: an inline list":    {TOML, "[hooks]\nStop = [{ hooks = [] }]\n", "add this by hand:\n[[hooks.Stop]]"},
		"TOML: an event is none":  {TOML, "[hooks]\nStop = 1\n", "add this by hand:\n[[hooks.Stop]]"},
		"JSON: not UTF-8, either": {JSON, "{\"a\": \xff\xfe}", "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.format.Install([]byte(c.src))
			if !errors.As(err, new(*Error)) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	inline := "[hooks]\nStop = [{ hooks = [{ command = \"" + after + "\" }] }]\n"
	if _, err := TOML.Uninstall([]byte(inline)); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("an inline hook: %v", err)
	}
}

func TestOff(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"[features]\nhooks = false\n":       "features.hooks is false",
		"[features]\ncodex_hooks = false\n": "features.codex_hooks is false",
		"[features]\nhooks = true\n":        "",
		"":                                  "",
	} {
		if got := TOML.Off([]byte(src)); got != want {
			t.Errorf("%q: %q", src, got)
		}
	}
	if got := JSON.Off([]byte(`{"disableAllHooks": true}`)); got == "" {
		t.Error("disableAllHooks is not seen")
	}
}

// Whatever settings there are, installing adds the hooks and changes nothing else, and
// uninstalling takes them out again.
func TestInstallLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		settings := rapid.MapOfN(rapid.SampledFrom([]string{"model", "env", "hooks", "x.y", "a/~b", "é"}), value(3), 0, 4).Draw(t, "settings")
		if rapid.Bool().Draw(t, "has hooks") {
			settings["hooks"] = map[string]any{"Stop": []any{map[string]any{"matcher": "", "hooks": []any{map[string]any{"type": "command", "command": "say"}}}}}
		}
		src, _ := json.Marshal(settings)
		if rapid.Bool().Draw(t, "indented") {
			src, _ = json.MarshalIndent(settings, "", rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "unit"))
		}
		installed, err := JSON.Install(src)
		if err != nil {
			return // hooks of a shape that no agent reads
		}
		if _, had := settings["hooks"]; !had {
			var got map[string]any
			if err := json.Unmarshal(installed, &got); err != nil {
				t.Fatal(err)
			}
			delete(got, "hooks")
			if !reflect.DeepEqual(got, roundTrip(settings)) {
				t.Fatalf("%s became %s", src, installed)
			}
		}
		back, err := JSON.Uninstall(installed)
		if err != nil {
			t.Fatal(err)
		}
		if events, _ := settings["hooks"].(map[string]any); settings["hooks"] != nil && len(events) == 0 || events["Stop"] != nil && len(events["Stop"].([]any)) == 0 {
			return // empty lists that held ours alone are gone, too
		}
		if len(settings) > 0 && string(back) != string(src) {
			t.Fatalf("%s\nbecame\n%s\nand then\n%s", src, installed, back)
		}
	})
}

func roundTrip(v map[string]any) (out map[string]any) {
	text, _ := json.Marshal(v)
	_ = json.Unmarshal(text, &out)
	return out
}

func value(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any]("agent-lessons"), rapid.Just[any](1.5), rapid.Just[any]("a, }b\"\n"))
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) }), 0, 3), func(v []any) any { return v }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"Stop", "b", "hooks"}), rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) }), 0, 3), func(v map[string]any) any { return v }))
}

func FuzzFormats(f *testing.F) {
	f.Add("{\n  \"a\": [1, 2,], // x\n}", true)
	f.Add("a = \"\"\"\n[[hooks.Stop]]\n\"\"\"\n[[hooks.Stop]]\n", false)
	f.Fuzz(func(t *testing.T, src string, asJSON bool) {
		format := TOML
		if asJSON {
			format = JSON
		}
		installed, err := format.Install([]byte(src))
		if err != nil {
			return
		}
		if again, err := format.Install(installed); err != nil || string(again) != string(installed) {
			t.Errorf("%q: again %q, %v", src, again, err)
		}
		if _, err := format.Uninstall(installed); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	})
}
