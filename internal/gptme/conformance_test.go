package gptme

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How gptme's loader reads a file, case by case.
func TestParseAsGptmeDoes(t *testing.T) {
	t.Parallel()
	const body = "\n# Title\n\nWhat it is about.\n\nMore.\n"
	plain := Lesson{Title: "Title", Description: "What it is about.", Status: "active"}
	with := func(change func(*Lesson)) Lesson {
		l := plain
		change(&l)
		return l
	}
	for _, c := range []struct {
		name, file, src string
		want            Lesson
		broken          string // part of the error
	}{
		{name: "no front matter: indexed, and never matched", src: strings.TrimSpace(body), want: plain},
		{name: "keywords, patterns, tools", src: "---\nmatch:\n  keywords: [patch, \"git commit\"]\n  patterns: ['a\\s+b']\n  tools: [shell]\n---" + body,
			want: with(func(l *Lesson) {
				l.Keywords, l.Patterns, l.Tools = []string{"patch", "git commit"}, []string{`a\s+b`}, []string{"shell"}
			})},
		{name: "a string is a list of one", src: "---\nmatch:\n  keywords: single keyword\n---" + body,
			want: with(func(l *Lesson) { l.Keywords = []string{"single keyword"} })},
		{name: "what is no string, or blank, is dropped", src: "---\nmatch:\n  keywords: [good, 7, true, null, \"\", \"  \", also]\n---" + body,
			want: with(func(l *Lesson) { l.Keywords = []string{"good", "also"} })},
		{name: "top-level keywords are not gptme's", src: "---\nkeywords: [a]\n---" + body, want: plain},
		{name: "match: null", src: "---\nmatch:\n---" + body, broken: "match"},
		{name: "keywords: null", src: "---\nmatch:\n  keywords:\n---" + body, broken: "keywords"},
		{name: "a list as front matter", src: "---\n- a\n---" + body, broken: "no mapping"},
		{name: "broken YAML", src: "---\n[a\n---" + body, broken: "front matter is broken"},
		{name: "an alias", src: "---\nid: &a x\nname: *a\n---" + body, broken: "aliases"},
		{name: "empty front matter", src: "---\n---" + body, want: plain},
		{name: "only one mark", src: "---\n# Title\n\nWhat it is about.\n", want: plain},
		{name: "the second mark is the next ---, wherever it stands", src: "---\nid: a---\n# Title\n\nWhat it is about.\n", want: with(func(l *Lesson) { l.ID = "a" })},
		{name: "something before the first mark", src: "\n---\nid: a\n---" + body, want: plain},
		{name: "a byte order mark hides the front matter", src: "\uFEFF---\nid: a\n---" + body, want: plain},
		{name: "Windows line ends", src: strings.ReplaceAll("---\nid: a\n---"+body, "\n", "\r\n"), want: with(func(l *Lesson) { l.ID = "a" })},
		{name: "status", src: "---\nstatus: deprecated\n---" + body, want: with(func(l *Lesson) { l.Status = "deprecated" })},
		{name: "status is compared as it stands", src: "---\nstatus: Active\n---" + body, want: with(func(l *Lesson) { l.Status = "Active" })},
		{name: "status: null is not active", src: "---\nstatus:\nid: a\n---" + body, want: with(func(l *Lesson) { l.Status, l.ID = "", "a" })},
		{name: "a skill", file: "git/SKILL.md", src: "---\nname: python-repl\ndescription: Use the REPL.\ndepends: [shell]\n---" + body,
			want: with(func(l *Lesson) {
				l.Category, l.Name, l.About, l.Depends = "git", "python-repl", "Use the REPL.", []string{"shell"}
			})},
		{name: "the last of two equal names", src: "---\nid: a\nid: b\n---" + body, want: with(func(l *Lesson) { l.ID = "b" })},
		{name: "no title", src: "Some text.\n", want: Lesson{Title: "Untitled", Status: "active"}},
		{name: "a second-level heading is no title", src: "## Two\n\nText.\n", want: Lesson{Title: "Untitled", Status: "active"}},
		{name: "headings are no description", src: "# Title\n\n## Rule\n\n  What it is about.  \n", want: plain},
		{name: "a tab makes a title, and no description", src: "#\tTitle\n\nText.\n", want: Lesson{Title: "Title", Status: "active"}},
		{name: "globs make it Cursor's: status and match do not count", src: "---\nglobs: [\"src/**/*.py\"]\nstatus: archived\nmatch:\n---" + body,
			want: with(func(l *Lesson) {
				l.Cursor, l.Globs, l.Keywords = true, []string{"src/**/*.py"}, []string{"python", "python code", "src"}
			})},
		{name: "an .mdc file is Cursor's", file: "rules/a.mdc", src: "---\ndescription: Go style.\nglobs: \nalwaysApply: true\n---" + body,
			want: with(func(l *Lesson) {
				l.Category, l.Cursor, l.About, l.AlwaysApply, l.Keywords = "rules", true, "Go style.", true, []string{"code", "development", "project"}
			})},
		{name: "unquoted globs, as Cursor writes them", file: "a.mdc", src: "---\ndescription: x\nglobs: **/*.ts,*.tsx\nalwaysApply: false\n---" + body,
			want: with(func(l *Lesson) {
				l.Cursor, l.About, l.Globs, l.Keywords = true, "x", []string{"**/*.ts,*.tsx"}, []string{"typescript", "typescript code"}
			})},
		{name: "an unknown extension is its own keyword", src: "---\nglobs: [\"*.zig\"]\n---" + body,
			want: with(func(l *Lesson) { l.Cursor, l.Globs, l.Keywords = true, []string{"*.zig"}, []string{"zig"} })},
		{name: "not UTF-8", src: "# Title \xff\n", broken: "not UTF-8"},
		{name: "too large", src: strings.Repeat("a", MaxBytes), broken: "or larger"},
		{name: "a large front matter", src: "---\nid: " + strings.Repeat("a", maxFrontMatter) + "\n---" + body, broken: "larger than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := c.file
			if file == "" {
				file = "a.md"
			}
			if c.want.Category == "" {
				c.want.Category = "."
			}
			got, err := Parse(file, []byte(c.src))
			if c.broken != "" {
				if err == nil || !strings.Contains(err.Error(), c.broken) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v does not say %q in one line", err, c.broken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got.Body = ""
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("lesson (-want +got):\n%s", diff)
			}
		})
	}
}

// Which files gptme leaves aside.
func TestSkips(t *testing.T) {
	t.Parallel()
	for file, skipped := range map[string]bool{
		"/a/lessons/git.md": false, "/a/lessons/README.md": true, "/a/lessons/readme.MD": true, "/a/Todo.md": true,
		"/a/lessons/lesson-TEMPLATE.md": true, "/a/templates/x.md": false, "/a/draft-x.md": false,
		"/a/worktree/lessons/x.md": true, "/a/.worktrees/x.md": false, "/a/my-worktree/x.md": true,
		"/a/.git/x.md": true, "/a/.github/x.md": false,
	} {
		if got := Skips(file) != ""; got != skipped {
			t.Errorf("%s is skipped: %v, want %v", file, got, skipped)
		}
	}
}

// How gptme scores.
func TestMatchAsGptmeDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		lesson Lesson
		text   string
		tools  []string
		score  float64
		by     []string
	}{
		{"each keyword counts 1, in any case", Lesson{Keywords: []string{"git commit", "Version Control", "svn"}}, "Git commit under version control", nil, 2, []string{"keyword:git commit", "keyword:Version Control"}},
		{"also within a word", Lesson{Keywords: []string{"err"}}, "an ERROR occurred", nil, 1, []string{"keyword:err"}},
		{"blank keywords and a lone star never match", Lesson{Keywords: []string{"", "  ", "*", " * "}}, "anything *", nil, 0, nil},
		{"a star is any number of word characters", Lesson{Keywords: []string{"timeout*s", "kill* at * seconds"}}, "killed at 120 seconds; timeout30s, timeouts", nil, 2, []string{"keyword:timeout*s", "keyword:kill* at * seconds"}},
		{"a star crosses no blank", Lesson{Keywords: []string{"a*z"}}, "a z a-z a.z", nil, 0, nil},
		{"a star knows letters beyond ASCII", Lesson{Keywords: []string{"prüf*ung"}}, "Prüfüberlegung", nil, 1, []string{"keyword:prüf*ung"}},
		{"the rest of a keyword is literal", Lesson{Keywords: []string{"c++*", "a.b"}}, "c++17 axb", nil, 1, []string{"keyword:c++*"}},
		{"each pattern counts 1", Lesson{Patterns: []string{`connection\s+refused`, `ERROR.*timeout`, "nope"}}, "Error: timeout, connection  refused", nil, 2, []string{`pattern:connection\s+refused`, "pattern:ERROR.*timeout"}},
		{"a skill's name counts 1.5 once", Lesson{Name: "python-repl"}, "the python-repl, python repl or pythonrepl", nil, 1.5, []string{"skill:python-repl"}},
		{"with a blank for the hyphen", Lesson{Name: "Python-REPL"}, "a python repl", nil, 1.5, []string{"skill:Python-REPL"}},
		{"each tool counts 2, in any case", Lesson{Tools: []string{"Shell", "ipython", "patch"}}, "", []string{"shell", "PATCH"}, 4, []string{"tool:Shell", "tool:patch"}},
		{"all together", Lesson{Keywords: []string{"a"}, Patterns: []string{"b"}, Name: "c", Tools: []string{"d"}}, "a b c", []string{"d"}, 5.5, []string{"keyword:a", "pattern:b", "skill:c", "tool:d"}},
		{"a description is not scored", Lesson{About: "git commit", Description: "git commit"}, "git commit", nil, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := c.lesson.Match(NewContext(c.text, c.tools...))
			if got.Score != c.score || cmp.Diff(c.by, got.By) != "" {
				t.Errorf("got %v by %q, want %v by %q", got.Score, got.By, c.score, c.by)
			}
		})
	}
}

// Python's regular expressions, as far as Go's can say the same.
func TestPatternsOfPython(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, matches, not string
	}{
		{`\bfoo\b`, "a foo b", "foobar"},
		{`stra\wen`, "straßen", "stra en"},
		{`^\w+$`, "über_9", "über-9"},
		{`[\w-]+ok`, "ü-ok", "üü"},
		{`\d{2}`, "x٣٤", "x3"},
		{`a\sb`, "a\u00a0b", "a\u200bb"},
		{`a{,2}b$`, "aab", "aa"},
		{`x\Z`, "ax", "xa"},
		{"beta$", "alpha beta", "beta gamma"},
		{"beta$", "alpha beta\n", "beta\ngamma"},
		{`[]x]+\]`, "]x]", "x"},
		{`[^]]b`, "ab", "]b"},
		{`(?P<n>a)+`, "aa", "b"},
		{`a\.b\-c\/d`, "a.b-c/d", "axb-c/d"},
		{`A+`, "aaa", "b"},
	} {
		re, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if !re.MatchString(c.matches) || re.MatchString(c.not) {
			t.Errorf("%s matches %q: %v, %q: %v", c.pattern, c.matches, re.MatchString(c.matches), c.not, re.MatchString(c.not))
		}
	}
	for _, pattern := range []string{`foo(?=bar)`, `(?<!x)y`, `(a)\1`, `(?P=n)`, `[a\W]`, `(?>a)b`, `a++`, `[unclosed`, `(`, ``, `   `, strings.Repeat("a", maxPattern+1), `(a{500}){500}`, `((a{0,31}){0,31}b)`} {
		l := Lesson{Patterns: []string{pattern}}
		got := l.Match(NewContext("foobar aa y"))
		if got.Score != 0 || len(got.Unsupported) != 1 || !strings.Contains(got.Unsupported[0], "pattern") {
			t.Errorf("%.40s is not reported: %+v", pattern, got)
		}
	}
}

// Whether one of Cursor's rules is about a file.
func TestCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		globs string
		file  string
		want  bool
	}{
		{"**/*.ts", "src/a/b.ts", true}, {"**/*.ts", "b.ts", true}, {"*.ts", "src/b.ts", true}, {"src/*.ts", "src/a/b.ts", false},
		{"*.py,*.ts", "a/b.ts", true}, {"*.{py,ts}, docs/**", "docs/a/b", true}, {"*.{py,ts}", "b.ts", true}, {"/src/**", "src/a", true},
		{"Makefile", "sub/Makefile", true}, {"[", "a", false}, {"", "a", false},
	} {
		l := Lesson{Globs: []string{c.globs}}
		if got := len(l.Covers([]string{c.file})) == 1; got != c.want {
			t.Errorf("%s covers %s: %v, want %v", c.globs, c.file, got, c.want)
		}
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	stubs, err := ParseManifest([]byte(`{"skills": [
		{"name": "repl", "path": "repl/SKILL.md", "description": "Use it.", "keywords": "one", "depends": ["shell"]},
		{"name": "old", "path": "./old.md", "status": "deprecated"},
		{"name": "out", "path": "../out.md"}, {"name": "abs", "path": "/etc/x.md"}, {"name": "none"}]}`))
	want := []Stub{
		{"repl/SKILL.md", &Lesson{Title: "repl", Name: "repl", About: "Use it.", Category: "repl", Status: "active", Keywords: []string{"one"}, Depends: []string{"shell"}}},
		{"old.md", &Lesson{Title: "old", Name: "old", Category: ".", Status: "deprecated"}},
	}
	if diff := cmp.Diff(want, stubs); diff != "" {
		t.Errorf("stubs (-want +got):\n%s", diff)
	}
	for _, path := range []string{"../out.md", "/etc/x.md", `""`} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name %s", err, path)
		}
	}
	if _, err := ParseManifest([]byte(`[`)); err == nil {
		t.Error("broken JSON is a manifest")
	}
}

// Nothing that a stranger writes makes the reader fail in another way than by an error of one line.
func FuzzParse(f *testing.F) {
	f.Add("a.md", "---\nmatch:\n  keywords: [a*b]\n  patterns: ['(?i)x']\n---\n# T\n\nD.\n", "axb")
	f.Add("a.mdc", "---\nglobs: *.{a,b},c\n---\n", "")
	f.Fuzz(func(t *testing.T, file, src, text string) {
		l, err := Parse(file, []byte(src))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		l.Match(NewContext(text, text))
		l.Covers([]string{text, file})
		if strings.Contains(l.Summary(), "\n") && l.About == "" {
			t.Errorf("a summary of more than one line: %q", l.Summary())
		}
	})
}
