package cifix

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// suffixed is a message that ends in the linter's name: golangci-lint's, ESLint's in formats of editors.
	suffixed = regexp.MustCompile(`^(.*\S) \(([a-z@][\w@/-]*)\)$`)
	// coded is a message that begins with the rule's code: "SA1019: …", "G104: …".
	coded = regexp.MustCompile(`^([A-Z]{1,4}\d{2,5}): (.*)$`)
)

// golangci reads golangci-lint: "store/disk.go:12:9: Error return value … is not checked (errcheck)".
func golangci(_ *Failure, r remark) []problem {
	var out []problem
	for _, p := range r.located(".go") {
		m := suffixed.FindStringSubmatch(p.message)
		if m == nil || m[2] == "typecheck" {
			continue
		}
		p.tool, p.message, p.rule = "golangci-lint", m[1], m[2]
		if c := coded.FindStringSubmatch(p.message); c != nil {
			p.rule, p.message = c[1], c[2]
		} else if analyzer, rest, ok := strings.Cut(p.message, ": "); ok && (m[2] == "govet" || m[2] == "revive" || m[2] == "gocritic") && !strings.Contains(analyzer, " ") {
			p.rule, p.message = analyzer, rest
		}
		out = append(out, p)
	}
	return out
}

// vets are the analyzers of go vet by what they say.
var vets = []struct {
	analyzer string
	says     *regexp.Regexp
}{
	{"printf", regexp.MustCompile(`format %|wrong type for|arg list ends with redundant newline|reads arg #|possible (?:formatting|Printf) directive|non-constant format string`)},
	{"copylocks", regexp.MustCompile(`(?:passes|copies|range var .* copies|assignment copies|literal copies|return copies) lock`)},
	{"unusedresult", regexp.MustCompile(`result of .* call not used`)},
	{"lostcancel", regexp.MustCompile(`the cancel function|cancel function returned by`)},
	{"unreachable", regexp.MustCompile(`^unreachable code`)},
	{"structtag", regexp.MustCompile(`struct field .*tag`)},
	{"composites", regexp.MustCompile(`composite literal uses unkeyed fields|struct literal uses unkeyed fields`)},
	{"loopclosure", regexp.MustCompile(`loop variable .* captured`)},
	{"assign", regexp.MustCompile(`self-assignment of`)},
	{"testinggoroutine", regexp.MustCompile(`call to \(\*testing\.\w+\)`)},
	{"httpresponse", regexp.MustCompile(`using .* before checking for errors`)},
	{"unmarshal", regexp.MustCompile(`call of Unmarshal passes non-pointer`)},
	{"nilfunc", regexp.MustCompile(`comparison of function .* (?:==|!=) nil`)},
	{"errorsas", regexp.MustCompile(`second argument to errors\.As`)},
}

// goVet reads go vet, whose lines name no analyzer. What the compiler would say is no finding of
// its: a name that is not defined teaches nobody.
func goVet(_ *Failure, r remark) []problem {
	var out []problem
	for _, p := range r.located(".go") {
		for _, v := range vets {
			if v.says.MatchString(p.message) {
				p.tool, p.rule = "go vet", v.analyzer
				out = append(out, p)
				break
			}
		}
	}
	return out
}

var (
	scripts    = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"}
	eslintName = regexp.MustCompile(`(?i)\beslint\b`)
	// eslintRule is a rule's name: words joined by hyphens, with a plugin before it or not.
	eslintRule = `(@?[a-z][\w-]*/[a-z][\w/-]*|[a-z]+(?:-[a-z]+)+|eqeqeq|curly|camelcase|complexity|semi|quotes|indent|radix|yoda|strict)`
	// stylish is a line of ESLint's own format, below the line of its file.
	stylish   = regexp.MustCompile(`^\s+\d+:\d+\s+(?:error|warning)\s+(\S.*\S)\s\s+` + eslintRule + `$`)
	eslintEnd = regexp.MustCompile(`^(.*\S)\s+(?:\(` + eslintRule + `\)|\[(?:Error|Warning)/` + eslintRule + `\]|<` + eslintRule + `>|eslint\(` + eslintRule + `\)|` + eslintRule + `)$`)
	onlyRule  = regexp.MustCompile(`^(?:(?i:eslint)[:( ]*)?` + eslintRule + `\)?$`)
	compact   = regexp.MustCompile(`^(\S+): line \d+, col \d+, (?:Error|Warning) - (.*)$`)
)

// eslint reads ESLint in its own formats and in those of the usual annotators.
func eslint(f *Failure, r remark) []problem {
	var out []problem
	add := func(place, message, rule string) {
		if place = placeOf(place); place != "" && slices.ContainsFunc(scripts, func(ext string) bool { return strings.HasSuffix(place, ext) }) {
			out = append(out, problem{tool: "ESLint", rule: rule, place: place, message: message})
		}
	}
	if m := onlyRule.FindStringSubmatch(r.title); m != nil && r.place != "" && len(r.lines) > 0 {
		add(r.place, withoutRule(r.lines[0]), m[1])
		return out
	}
	place := r.place
	for i, line := range r.lines {
		if m := stylish.FindStringSubmatch(line); m != nil {
			add(place, m[1], m[2])
			continue
		}
		if m := compact.FindStringSubmatch(line); m != nil {
			if end := eslintEnd.FindStringSubmatch(m[2]); end != nil {
				add(m[1], end[1], ruleOf(end))
			}
			continue
		}
		if line != "" && !strings.Contains(line, " ") && placeOf(line) != "" {
			place = line
			continue
		}
		text, at := strings.TrimSpace(line), r.place
		if m := located.FindStringSubmatch(text); m != nil {
			text, at = m[4], m[1]
		} else if r.place == "" || i > 0 {
			continue
		}
		end := eslintEnd.FindStringSubmatch(text)
		if end != nil && (end[6] == "" || f.calls(r, eslintName)) { // a bare word at the end may be any
			add(at, end[1], ruleOf(end))
		}
	}
	return out
}

// ruleOf returns the one group of eslintEnd that a rule is in.
func ruleOf(m []string) string { return strings.Join(m[2:], "") }

func withoutRule(line string) string {
	if m := eslintEnd.FindStringSubmatch(line); m != nil && m[6] == "" {
		return m[1]
	}
	return line
}

var (
	tscLine  = regexp.MustCompile(`^(\S[^()]*\.[cm]?tsx?)(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) error (TS\d{4,5}): (.*)$`)
	tscStart = regexp.MustCompile(`^(?:error )?(TS\d{4,5}): (.*)$`)
	tscTitle = regexp.MustCompile(`^(?:(?i:typescript|tsc)\W*)?(TS\d{4,5})$`)
)

// tsc reads the TypeScript compiler: "src/a.ts(3,5): error TS2345: …", plain or pretty.
func tsc(_ *Failure, r remark) []problem {
	var out []problem
	for i, line := range r.lines {
		p := problem{tool: "tsc", place: r.place}
		if m := tscLine.FindStringSubmatch(line); m != nil {
			p.place, p.rule, p.message = placeOf(m[1]), m[2], m[3]
		} else if m := tscStart.FindStringSubmatch(line); m != nil && i == 0 && r.place != "" {
			p.rule, p.message = m[1], m[2]
		} else if m := tscTitle.FindStringSubmatch(r.title); m != nil && i == 0 && r.place != "" {
			p.rule, p.message = m[1], line
		} else {
			continue
		}
		out = append(out, p)
	}
	return out
}
