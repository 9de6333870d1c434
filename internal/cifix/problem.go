package cifix

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// problem is one thing that a tool reported.
type problem struct {
	tool    string // "golangci-lint"
	rule    string // "errcheck"; "" where the tool names none
	place   string // path in the repository
	message string // in the tool's words, one line
	order   string // what to do instead of heeding the rule; "" to heed the rule
}

// place and message end in sentences that agents read: nothing but what a path and a line can be.
var pathPattern = regexp.MustCompile(`^[\pL\pN_@.+ ()\[\]-]+(?:/[\pL\pN_@.+ ()\[\]-]+)*$`)

// placeOf returns text as a path in the repository, or "". Runners write absolute ones.
func placeOf(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), `\`, "/")
	if m := workspace.FindString(text); m != "" {
		text = text[len(m):]
	}
	text = strings.TrimPrefix(text, "./")
	if len(text) > 120 || text == ".github" || !pathPattern.MatchString(text) || path.Clean(text) != text || strings.HasPrefix(text, "..") {
		return ""
	}
	return text
}

var workspace = regexp.MustCompile(`^(?:[A-Za-z]:)?/(?:home/runner/work|Users/runner/work|a|__w|github/workspace|builds|workspace)/(?:([\w.-]+)/([\w.-]+)/)?`)

// sentence says what the problem teaches, or "" when it cannot be said in one sentence.
func (p problem) sentence() string {
	if p.place == "" && p.order == "" {
		return ""
	}
	text := p.order
	if text == "" {
		rule := "`" + p.rule + "` (" + p.tool + ")"
		if p.rule == "" {
			rule = "`" + p.tool + "`"
		}
		text = "In `" + p.place + "`, heed " + rule
	}
	if p.message != "" {
		if said := message(p.message, distill.MaxChars-utf8.RuneCountInString(text)-3); said != "" {
			text += ": " + said
		}
	}
	text += "."
	if utf8.RuneCountInString(text) > distill.MaxChars || len(similarity.Tokens(text)) < distill.MinTokens {
		return ""
	}
	return text
}

// message makes a tool's message into the end of a sentence of at most most characters.
func message(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimRight(strings.Join(strings.Fields(text), " "), " .:;,!")
	if strings.Contains(text, "://") || most < 20 {
		return ""
	}
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
		text = text[:max(strings.LastIndexAny(text, " "), 0)]
		if at := strings.LastIndexAny(text, ".;"); at > len(text)/2 {
			text = text[:at]
		}
		text = strings.TrimRight(text, " .:;,(")
	}
	if strings.Count(text, "`")%2 != 0 {
		text = strings.ReplaceAll(text, "`", "'")
	}
	first, rest, _ := strings.Cut(text, " ")
	if r, n := utf8.DecodeRuneInString(first); unicode.IsUpper(r) && rest != "" && rest == lowerFirst(rest) && first[n:] == strings.ToLower(first[n:]) && !strings.ContainsAny(first, "._()'`") {
		text = lowerFirst(text)
	}
	return text
}

func lowerFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}

// remark is a stretch of output: an annotation on a file, or a text of the check's.
type remark struct {
	place string // "" for a text
	title string
	lines []string
}

// reader finds the problems of one tool in a remark.
type reader func(f *Failure, r remark) []problem

// readers are asked in this order; what one has found is not looked for by others.
var readers = []reader{formatting, generated, changelog, golangci, eslint, tsc, clippy, pytest, cargoTest, goTest, goVet}

// problems returns what the tools reported, what the fix touched first; f is bounded.
func problems(f Failure) []problem {
	remarks := texts(f)
	for _, read := range readers {
		var found []problem
		for _, r := range remarks {
			found = append(found, read(&f, r)...)
		}
		if len(found) > 0 {
			slices.SortStableFunc(found, func(a, b problem) int {
				return cmp.Compare(rank(f, a), rank(f, b))
			})
			return found
		}
	}
	return nil
}

func rank(f Failure, p problem) int {
	switch {
	case slices.Contains(f.Touched, p.place):
		return 0
	case p.rule != "":
		return 1
	}
	return 2
}

// texts cuts the output into remarks. There is always one, since some checks say all by their name.
func texts(f Failure) []remark {
	var out []remark
	left := maxLines
	for _, a := range f.remarks() {
		lines := linesOf(a.Message, &left)
		out = append(out, remark{placeOf(a.Path), clean(a.Title), lines})
	}
	var lines []string
	for _, text := range []string{f.Title, f.Summary, f.Text} {
		lines = append(lines, linesOf(text, &left)...)
	}
	return append(out, remark{lines: lines})
}

var (
	escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)
	prefix  = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:##\[\w+\])?`)
)

// linesOf returns the lines that a tool may have written, without terminal escapes and what the
// runner puts before them.
func linesOf(text string, left *int) []string {
	var out []string
	for line := range strings.Lines(text) {
		if *left--; *left < 0 {
			break
		}
		if len(line) <= maxLine {
			out = append(out, clean(line))
		}
	}
	return out
}

func clean(line string) string {
	line = escapes.ReplaceAllString(strings.ToValidUTF8(line, ""), "")
	return strings.TrimRight(line[len(prefix.FindString(line)):], " \t\r\n")
}

// calls reports whether the check, its step, its title or a title of r names one of the tools.
func (f *Failure) calls(r remark, names *regexp.Regexp) bool {
	for _, text := range []string{f.Check, f.Step, f.Title, r.title} {
		if names.MatchString(text) {
			return true
		}
	}
	return false
}

var located = regexp.MustCompile(`^(?:vet: )?([^\s:()][^:()]*\.\w{1,5}):(\d+)(?::(\d+))?(?: -)?:? +(?:(?:error|warning|info|Error|Warning): )?(\S.*)$`)

// located returns what r says of places: an annotation says it of its own.
func (r remark) located(ext ...string) []problem {
	has := func(place string) bool { return place != "" && slices.Contains(ext, path.Ext(place)) }
	var out []problem
	for i, line := range r.lines {
		if m := located.FindStringSubmatch(strings.TrimSpace(line)); m != nil && has(placeOf(m[1])) {
			out = append(out, problem{place: placeOf(m[1]), message: m[4]})
		} else if i == 0 && has(r.place) {
			out = append(out, problem{place: r.place, message: line})
		}
	}
	return out
}
