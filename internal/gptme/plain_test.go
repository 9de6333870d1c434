package gptme

import (
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/plainyaml"
)

// What the quick reader takes, the YAML parser reads the same.
func FuzzPlainFieldsAgreeWithYAML(f *testing.F) {
	for _, seed := range []string{
		"\nmatch:\n  keywords:\n    - \"git worktree\"\n    - worktree\n  patterns: ['a\\s+b']\nstatus: active\n",
		"\nname: python-repl\ndescription: 'Use it: now'\nkeywords: [a, \"b c\", d]\n",
		"match:\n  keywords:\n  - a\n  - b\ntools: [shell]\n", "a:\n- b\n-  c\n", "a: b #c\n", "a: \"b\"\n\n\n  \n", "a: b\n  c\n", "a: 1e3\n", "a: [b, ]\n", "a: [b\n",
		"a: b: c\n", "a:   b  \nb: c d\n", "a: ab\t\n", "a: on\n", "a: b - c\n", "a: -\n", "a: [x-*, y*]\n",
		`a: ["b\\s+c", "d \"e\""]`, `a: "b\n"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, front string) {
		got, plain := plainFields(front)
		if !plain || len(got) == 0 || !utf8.ValidString(front) { // Parse lets no other through
			return
		}
		var want map[string]any
		if err := plainyaml.Unmarshal([]byte(front), &want, yaml.AllowDuplicateMapKey()); err != nil {
			t.Fatalf("%q is plain, but no YAML: %v", front, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-YAML +plain):\n%s", front, diff)
		}
	})
}

func TestMostLessonsArePlain(t *testing.T) {
	t.Parallel()
	for _, front := range []string{
		"\nmatch:\n  keywords:\n    - \"git worktree\"\n    - worktree\n  patterns: [\"worktree add\", 'a\\s+b']\nstatus: active\n",
		"\nname: python-repl\ndescription: Use the REPL for quick computations\n",
		"\nmatch:\n  keywords: [git commit, \"version control\"]\n  tools: [shell]\n",
	} {
		if _, plain := plainFields(front); !plain {
			t.Errorf("%q has to be read by the YAML parser", front)
		}
	}
}
