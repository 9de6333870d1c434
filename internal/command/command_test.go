package command

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	note := func(text string) []Command { return []Command{{Verb: Note, Text: text}} }
	more := func(v Verb) string {
		return "more words follow than it takes: a sentence that begins with the word " + string(v) + " is kept when it begins with a capital letter"
	}
	for name, c := range map[string]struct {
		body string
		want []Command
	}{
		"a sentence":                     {"/lesson Close what you open.", note("Close what you open.")},
		"spaces around and in it":        {"  /Lesson \t Close   what you open.  ", note("Close what you open.")},
		"after other words":              {"Thanks!\n/lesson Close what you open.\nBye", note("Close what you open.")},
		"Windows line ends":              {"Thanks!\r\n\r\n/lesson Close what you open.\r\n", note("Close what you open.")},
		"underlined by a signature":      {"/lesson Close what you open.\n---\nmara", note("Close what you open.")},
		"with code in it":                {"/lesson Run `make gen` first.", note("Run `make gen` first.")},
		"a capital is no verb":           {"/lesson Keep the lock until the write is done.", note("Keep the lock until the write is done.")},
		"a capital, and a word":          {"/lesson Retire face recognition early.", note("Retire face recognition early.")},
		"a verb in capitals":             {"/lesson LIST", slipped("LIST", "list")},
		"a verb behind a dash":           {"/lesson - list", slipped("- list", "list")},
		"a verb with a full stop":        {"/lesson Keep.", slipped("Keep.", "keep")},
		"a capital before a handle":      {"/lesson Retire a7d771b3", slipped("Retire a7d771b3", "retire")},
		"with a reason behind it":        {"/lesson Retire `a7d7` the build changed", slipped("Retire `a7d7` the build changed", "retire")},
		"a capital before a position":    {"/lesson Why #1", slipped("Why #1", "why")},
		"a space that does not break":    {"/lesson\u00a0list", []Command{{Verb: List}}},
		"behind what nobody sees":        {"\u200b/lesson list", []Command{{Verb: List}}},
		"two of them":                    {"/lesson list\n\n/lesson help", []Command{{Verb: List}, {Verb: Help}}},
		"alone":                          {"/lesson", []Command{{Verb: Help}}},
		"keep":                           {"/lesson keep", []Command{{Verb: Keep}}},
		"keep with more":                 {"/lesson keep the lock", []Command{{Verb: Keep, Mistake: more(Keep)}}},
		"why":                            {"/lesson why 9f3c", []Command{{Verb: Why, Handle: "9f3c"}}},
		"why, as copied":                 {"/lesson why `9F3C01AB`", []Command{{Verb: Why, Handle: "9f3c01ab"}}},
		"why without a handle":           {"/lesson why", []Command{{Verb: Why, Mistake: "it names no handle"}}},
		"why with more":                  {"/lesson why 9f3c not", []Command{{Verb: Why, Handle: "9f3c", Mistake: more(Why)}}},
		"retire with a reason":           {"/lesson retire 9f3c  the build   changed", []Command{{Verb: Retire, Handle: "9f3c", Text: "the build changed"}}},
		"retire without a handle":        {"/lesson retire", []Command{{Verb: Retire, Mistake: "it names no handle"}}},
		"restore":                        {"/lesson restore 9f3c01ab", []Command{{Verb: Restore, Handle: "9f3c01ab"}}},
		"a backtick that opens no span":  {"it`s\n/lesson list", []Command{{Verb: List}}},
		"an escaped backtick":            {"\\`\n/lesson list\n`", []Command{{Verb: List}}},
		"a comment that never ends":      {"see <!-- this\n/lesson list", []Command{{Verb: List}}},
		"behind a quote and a blank one": {"> /lesson help\n\n/lesson list", []Command{{Verb: List}}},

		"not in a line":            {"Use /lesson list", nil},
		"not another word":         {"/lessons list\n/lesson-list\n//lesson list", nil},
		"not in a quote":           {"> /lesson list", nil},
		"not in a quote's rest":    {"> said\n/lesson list", nil},
		"not in a list":            {"- /lesson list\n\n  /lesson help", nil},
		"not in a fence":           {"```\n/lesson list\n```", nil},
		"not in an open fence":     {"~~~\n/lesson list", nil},
		"not indented":             {"    /lesson list", nil},
		"not in an HTML comment":   {"<!--\n/lesson list\n-->", nil},
		"not in one inside a line": {"see <!-- this\n/lesson list\n-->", nil},
		"not in a code span":       {"`\n/lesson list\n`", nil},
		"not in a longer one":      {"``a`\n/lesson list\n``", nil},
		"not in HTML":              {"<details>\n/lesson list\n</details>", nil},
		"not a heading":            {"# /lesson list", nil},
		"nothing":                  {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Parse(c.body)); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
}

func slipped(text, verb string) []Command {
	return []Command{{Verb: Note, Text: text, Mistake: "it reads like the command `/lesson " + verb + "`, which is written in lower case, right behind /lesson"}}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	got := Without("Please rename it.\n/lesson list\n> /lesson help\n\nThanks\n/lesson Close it.")
	if want := "Please rename it.\n> /lesson help\n\nThanks\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Whatever stands around it, a command in a paragraph of its own is found, and in a fence it is not.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`([a-z*_#!\[\]() ]{0,20}\n){0,4}`).Draw(t, "before")
		if got := Parse(before + "\n/lesson list\n"); len(got) != 1 || got[0].Verb != List {
			t.Fatalf("%q: %v", before, got)
		}
		if got := Parse(before + "\n```\n/lesson list\n```\n"); got != nil {
			t.Fatalf("%q: %v", before, got)
		}
	})
}

// A comment has up to 64 KB, and is read while GitHub waits for the answer.
func TestHostileCommentsAreReadFast(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"*a_", "[a](", "<!--", "`a``b", "> ", "\\", "/lesson list\n", "-->", "<a ", "- "} {
		body := "x /lesson\n" + strings.Repeat(unit, 64<<10/len(unit))
		began := time.Now()
		Parse(body)
		if took := time.Since(began); took > time.Second {
			t.Errorf("%q took %v", unit, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"/lesson Close it.", "> /lesson list\n\n/lesson why `9f`", "``a`\n/lesson retire 1 x\n``", "<!--\n/lesson\n-->", "\r\n/lesson\r"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, c := range Parse(body) {
			if strings.ContainsAny(c.Text+c.Handle, "\n\r") {
				t.Errorf("more than a line: %q", c)
			}
		}
		if rest := Without(body); len(Parse(body)) == 0 && rest != body {
			t.Errorf("%q became %q", body, rest)
		}
	})
}
