package cifix

import (
	"path"
	"regexp"
	"strings"
)

// formatters are the tools that only want a file rewritten, and the command that does it.
var formatters = []struct {
	name, command string
	ext           string         // of a file that it is known by, where only its complaint is known
	line          *regexp.Regexp // names the file in its first group
}{
	{"gofumpt", "gofumpt -w", ".go", regexp.MustCompile(`^(\S+\.go):\d+.*\(gofumpt\)$`)},
	{"goimports", "goimports -w", ".go", regexp.MustCompile(`^(\S+\.go):\d+.*\(goimports\)$`)},
	{"gofmt", "gofmt -w", ".go", regexp.MustCompile(`^(?:diff (?:-u )?(\S+\.go)\.orig |(\S+\.go):\d+.*\(gofmt\)$|(\S+\.go)$)`)},
	{"prettier", "prettier --write", "", regexp.MustCompile(`^\[(?:warn|error)\] (\S+\.\w+)$`)},
	{"black", "black", ".py", regexp.MustCompile(`^would reformat (\S+\.py)$`)},
	{"ruff", "ruff format", ".py", regexp.MustCompile(`^Would reformat: (\S+\.py)$`)},
	{"rustfmt", "cargo fmt", ".rs", regexp.MustCompile(`^Diff in (\S+\.rs)(?::\d+:|\s+at line \d+:)`)},
	{"clang-format", "clang-format -i", "", regexp.MustCompile(`^(\S+\.\w+):\d+:\d+: (?:error|warning): code should be clang-formatted`)},
}

var (
	formatName   = regexp.MustCompile(`(?i)\b(?:re)?format(?:ting|ted)?\b|\bfmt\b|\b(?:gofmt|gofumpt|goimports|prettier|black|rustfmt|clang-format)\b`)
	notFormatted = regexp.MustCompile("(?i)\\bnot (?:properly |correctly )?(?:`?(gofmt|gofumpt|goimports|prettier)`?-ed|formatted)|code style issues|would be reformatted|needs? (?:re)?formatting|\\((gofmt|gofumpt|goimports)\\)$|prettier/prettier")
)

// formatting reads the formatters: by their own lines, and by annotations that say it of a file.
func formatting(f *Failure, r remark) []problem {
	called := f.calls(r, formatName)
	for _, tool := range formatters {
		for _, line := range r.lines {
			m := tool.line.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if tool.name == "gofmt" && m[3] != "" && !called { // a bare name of a file may be anything
				continue
			}
			if place := placeOf(strings.Join(m[1:], "")); place != "" {
				return []problem{formatProblem(f, tool.command, place)}
			}
		}
	}
	if r.place == "" || len(r.lines) == 0 || !notFormatted.MatchString(r.lines[0]) {
		return nil
	}
	said := strings.ToLower(r.title + " " + r.lines[0] + " " + f.Check + " " + f.Step)
	for _, tool := range formatters {
		if strings.Contains(said, tool.name) || tool.ext != "" && tool.ext == path.Ext(r.place) && tool.name != "gofumpt" && tool.name != "goimports" {
			return []problem{formatProblem(f, tool.command, r.place)}
		}
	}
	return nil
}

func formatProblem(f *Failure, command, place string) problem {
	what := command
	if command != "cargo fmt" {
		what += " " + place
	}
	return problem{tool: "formatting", rule: command, place: place,
		order: "Run `" + what + "` before pushing a change to `" + place + "`", message: checkName(f) + " fails on files that are not formatted"}
}

// checkName is how a sentence calls the check. Its name is the author's, too.
func checkName(f *Failure) string {
	if placeOf(f.Check) != f.Check || f.Check == "" || len(f.Check) > 40 {
		return "a check"
	}
	return "the check `" + f.Check + "`"
}

var (
	generatedName = regexp.MustCompile(`(?i)\b(?:re)?generated?\b|\bcode ?gen\b|\bgenerate\b|\bgo generate\b|\bproto(?:buf|c)?\b.*\b(?:fresh|current|up to date)`)
	outOfDate     = regexp.MustCompile(`(?i)\b(?:generated|regenerate)\b.*|\b(?:out of date|not up[ -]to[ -]date|out of sync|is stale|has uncommitted changes)\b`)
	// generators are the only commands that a check's output may hand to a sentence.
	generators = regexp.MustCompile(`\b(go generate \./\.\.\.|(?:make|just|task) [a-z][a-z0-9_-]{0,30}|(?:npm|yarn|pnpm|bun) run [a-z][a-z0-9:_-]{0,30}|buf generate|sqlc generate|cargo xtask [a-z]{1,20})(?:[\s"'` + "`" + `.,;:!)]|$)`)
	diffLine   = regexp.MustCompile(`^(?:diff --git a/(\S+) b/\S+|\s?M\s+(\S+\.\w+)|\+\+\+ b/(\S+)|(?:Error: )?(\S+\.\w+)(?: is|:) (?:out of date|stale|not up[ -]to[ -]date))`)
)

// generated reads checks that run a generator and fail when it changes a file.
func generated(f *Failure, r remark) []problem {
	if !f.calls(r, generatedName) {
		return nil
	}
	command, place, stale := "", r.place, false
	for _, line := range r.lines {
		if m := generators.FindStringSubmatch(line); m != nil && command == "" {
			command = m[1]
		}
		if m := diffLine.FindStringSubmatch(line); m != nil && placeOf(strings.Join(m[1:], "")) != "" && (place == "" || place == r.place) {
			place, stale = placeOf(strings.Join(m[1:], "")), true
		}
		stale = stale || outOfDate.MatchString(line)
	}
	if m := generators.FindStringSubmatch(f.Step + " "); m != nil && command == "" {
		command = m[1]
	}
	if place == "" && (stale || command != "" || len(f.remarks()) == 0) {
		place = generatedFile(f.Touched)
	}
	if place == "" || !stale && command == "" && r.place != "" {
		return nil
	}
	order := "Run the generator and commit its output with the change that it follows from"
	if command != "" {
		order = "Run `" + command + "` and commit its output with the change that it follows from"
	}
	return []problem{{tool: "generated files", rule: command, place: place, order: order,
		message: checkName(f) + " fails when `" + place + "` is out of date"}}
}

var generatedPath = regexp.MustCompile(`(?i)(?:^|[._/-])(?:gen|generated|pb|zz_generated|mocks?)(?:[._/-]|$)`)

func generatedFile(touched []string) string {
	for _, p := range touched {
		if generatedPath.MatchString(p) && placeOf(p) == p {
			return p
		}
	}
	return ""
}

var (
	changelogName = regexp.MustCompile(`(?i)\bchange ?log\b|\bchangesets?\b|\bnews ?fragments?\b|\brelease notes?\b|\btowncrier\b`)
	changelogPath = regexp.MustCompile(`(?i)(?:^|/)(?:change(?:log|s)(?:\.\w+)?|history\.\w+|news\.\w+|release[-_ ]?notes\.\w+)$|(?:^|/)(?:changelog\.d|changelog|changes|newsfragments|news|\.changeset|\.changes|changelogs)/`)
	changelogSays = regexp.MustCompile(`(?i)\b(?:change ?log|changesets?|news ?fragments?|release notes?)\b.*\b(?:missing|required|not (?:been )?(?:updated|found|changed|modified)|no entry|add|update|must)|\b(?:missing|add|update|no|required?)\b.*\b(?:change ?log|changesets?|news ?fragments?|release notes?)\b`)
)

// changelog reads checks that want an entry; what the fix touched tells where.
func changelog(f *Failure, r remark) []problem {
	called := f.calls(r, changelogName)
	says := false
	for _, line := range r.lines {
		says = says || changelogSays.MatchString(line)
	}
	if !says && (!called || len(f.remarks()) > 0) {
		return nil
	}
	for _, p := range f.Touched {
		if !changelogPath.MatchString(p) || placeOf(p) != p {
			continue
		}
		place := p
		if dir := path.Dir(p); dir != "." && !strings.EqualFold(strings.TrimSuffix(path.Base(p), path.Ext(p)), "changelog") {
			place = dir + "/"
		}
		return []problem{{tool: "changelog", place: place, order: "Add an entry to `" + place + "` in the same pull request as the change that it tells of",
			message: checkName(f) + " fails without one"}}
	}
	return nil
}
