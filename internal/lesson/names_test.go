package lesson

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFileNames(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{ // space-separated
		"Bump `MIN_CASES` in `scripts/run-tests.sh` after adding test cases.":  "scripts/run-tests.sh",
		"Run `go generate` after touching `schema.graphql`.":                   "schema.graphql",
		"Keep `a/b.go:12`, `a/c.go#L3-L9` and `./d/e.md` in step.":             "a/b.go a/c.go d/e.md",
		"Read docs/setup.md, then (docs/ops.md).":                              "docs/setup.md docs/ops.md",
		"Never edit internal/store/ by hand.":                                  "internal/store",
		"Twice: `a/b.go` and `a/b.go`.":                                        "a/b.go",
		"Dots: `.github/workflows/ci.yml` and `.eslintrc.json`.":               ".github/workflows/ci.yml .eslintrc.json",
		"Scripts of any kind: `日本/設定.yml`.":                                    "日本/設定.yml",
		"A bare name in prose, main.go, is a word.":                            "",
		"A command names nothing: `npm run scripts/shots.js`.":                 "",
		"Nor does a glob: `internal/**/*.go`, `app/[id].ts`, `./...`.":         "",
		"Nor an address: https://example.com/a/b.html `ssh://x/y.go`.":         "",
		"Nor a host: `github.com/acme/tools`, `@acme/ui`.":                     "",
		"Nor what lies outside: `/etc/hosts.md`, `~/x.sh`, `../up/x.go`.":      "",
		"Nor what is generated: `dist/app.js`, `api/x.pb.go`, `b_gen.go`.":     "",
		"Nor a method or version: `store.Read`, `v1.2.3`, `fmt.Println()`.":    "",
		"Nor a flag: `--out=a/b.go`, `GOFLAGS`.":                               "",
		"What only looks like a path is told by the past: and/or, `net/http`.": "and/or net/http",
		"An unpaired ` tick: `a/b.go":                                          "a/b.go",
	} {
		if diff := cmp.Diff(want, strings.Join(FileNames(sentence), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sentence, diff)
		}
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	to := map[string]string{"a/b.go": "c/d.go", "schema.graphql": "api/schema.gql"}
	for sentence, want := range map[string]string{
		"Keep `a/b.go:12` and a/b.go, not x/a/b.go, in step.": "Keep `c/d.go:12` and c/d.go, not x/a/b.go, in step.",
		"Touch `schema.graphql` and `./a/b.go`.":              "Touch `schema.gql` and `./c/d.go`.",
		"Touch schema.graphql with `git add a/b.go`.":         "Touch schema.graphql with `git add a/b.go`.",
	} {
		if got := Rename(sentence, to); got != want {
			t.Errorf("%s became %s", sentence, got)
		}
	}
}

// Renaming every name to itself changes nothing, whatever the sentence is.
func TestRenameToItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sentence := rapid.StringOf(rapid.SampledFrom([]rune("ab/.`# :-_(é\xff)L1*"))).Draw(t, "sentence")
		same := map[string]string{}
		for _, name := range FileNames(sentence) {
			same[name] = name
		}
		if got := Rename(sentence, same); got != sentence {
			t.Fatalf("%q became %q", sentence, got)
		}
	})
}
