package lesson

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// FileNames returns the names in a sentence that may be files or folders of the repository, once
// each, in order: a path with a slash, or in backticks a name with a known extension. Whether such
// a name ever was a file is for the repository's past to say; "and/or" and `net/http` never were.
// Commands, globs, URLs, hosts, paths outside the repository and generated ones are left out.
func FileNames(sentence string) []string {
	var out []string
	for _, s := range nameSpans(sentence) {
		if name := sentence[s.start:s.end]; !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Rename returns the sentence with the names of files replaced: a path by a path, and a name
// without a slash by the new path's last element.
func Rename(sentence string, to map[string]string) string {
	var b strings.Builder
	at := 0
	for _, s := range nameSpans(sentence) {
		name := sentence[s.start:s.end]
		fresh, ok := to[name]
		if !ok {
			continue
		}
		if !strings.Contains(name, "/") {
			fresh = path.Base(fresh)
		}
		b.WriteString(sentence[at:s.start] + fresh)
		at = s.end
	}
	return b.String() + sentence[at:]
}

type span struct{ start, end int }

// nameSpans returns where the names stand.
func nameSpans(sentence string) []span {
	var out []span
	at := 0
	for i, part := range strings.Split(sentence, "`") {
		code := i%2 == 1
		// White space in a code span makes it a command, or an excerpt.
		if !code || !strings.ContainsAny(part, " \t") {
			for _, m := range wordPattern.FindAllStringIndex(part, -1) {
				if start, end, ok := trimName(part, m[0], m[1]); ok && mayBeFile(part[start:end], code) {
					out = append(out, span{at + start, at + end})
				}
			}
		}
		at += len(part) + 1
	}
	return out
}

var (
	wordPattern  = regexp.MustCompile(`\S+`)
	placePattern = regexp.MustCompile(`(?::\d+(?::\d+)?(?:-\d+)?|#L\d+(?:-L\d+)?)$`) // main.go:12
	namePattern  = regexp.MustCompile(`^[\pL\pN_.+-][\pL\pN_.+@-]*(?:/[\pL\pN_.+@-]+)*$`)
	hostPattern  = regexp.MustCompile(`^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|in|co|ai|app|edu|gov)$`)
	generated    = regexp.MustCompile(`(?:^|/)(?:node_modules|vendor|dist|build|out|target|coverage|generated|__pycache__|\.git|\.next|\.nuxt|\.venv|venv|\.cache)(?:/|$)` +
		`|\.pb\.\w+$|_pb2\.py$|\.min\.\w+$|[._]gen(?:erated)?\.\w+$|(?:^|/)zz_generated[^/]*$`)
)

// trimName narrows a word to the name in it, without quotes, the sentence's punctuation, "./" and
// a line number.
func trimName(text string, start, end int) (int, int, bool) {
	word := strings.TrimLeft(text[start:end], `("'“‘[<*_`)
	start = end - len(word)
	word = strings.TrimRight(word, `)"'”’]>*,;:!?.…`)
	word = strings.TrimSuffix(word, "/")
	word = word[:len(word)-len(placePattern.FindString(word))]
	if cut := strings.TrimPrefix(word, "./"); cut != word {
		start, word = start+2, cut
	}
	return start, start + len(word), word != ""
}

func mayBeFile(name string, code bool) bool {
	first, _, nested := strings.Cut(name, "/")
	switch {
	case !namePattern.MatchString(name), generated.MatchString(name), nested && hostPattern.MatchString(first):
		return false
	case slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.Trim(s, ".") == "" }):
		return false // "..", and Go's "..."
	default:
		return nested || code && extensions[strings.ToLower(path.Ext(name))]
	}
}

// extensions are those of files that people write; a name with another is a method, a version or
// a host as likely as a file.
var extensions = set(
	"adoc bash bat bzl c cc cfg cjs clj cmake conf cpp cs css csv cts cue dart ex exs fish fs gleam go gql gradle graphql groovy " +
		"h hcl hpp hs html ini ipynb java jl js json json5 jsonc jsx kt kts less lua m md mdx mjs mk ml mod mts nim nix pl proto " +
		"ps1 py pyi r rb rego rs rst sass scala scss sh sol sql sum svelte svg swift tex tf tfvars toml ts tsx txt vue wasm xml yaml yml zig")

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, s := range strings.Fields(list) {
		out["."+s] = true
	}
	return out
}
