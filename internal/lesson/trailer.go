package lesson

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// RetirementKind says why a bullet is no longer shown.
type RetirementKind string

// The retirements of format.md's grammar. A file may hold others: they count as retired.
const (
	Overridden RetirementKind = "overridden"
	Stale      RetirementKind = "stale"
	Expired    RetirementKind = "expired"
	Withdrawn  RetirementKind = "withdrawn"
)

// RetirementKinds lists every known retirement in the order of the grammar.
var RetirementKinds = []RetirementKind{Overridden, Stale, Expired, Withdrawn}

// Known reports whether k is a retirement of the grammar.
func (k RetirementKind) Known() bool {
	return slices.Contains(RetirementKinds, k)
}

// Retirement is how and when a bullet was retired. The zero value means active.
type Retirement struct {
	Kind RetirementKind
	Date Date // zero when an unknown retirement carries none
}

// Trailer is the provenance at the end of a bullet: its newest evidence, how often it was
// earned, and its retirement.
type Trailer struct {
	Evidence
	Earned     int // 1 or more
	Retirement Retirement
}

// Retired reports whether the bullet is shown to no agent.
func (t Trailer) Retired() bool { return t.Retirement.Kind != "" }

// String returns the canonical trailer without its parentheses.
func (t Trailer) String() string {
	var b strings.Builder
	if !t.PR.IsZero() {
		b.WriteString(t.PR.String() + ", ")
	}
	b.WriteString(t.Date.String() + ", " + string(t.Verdict))
	if t.Earned > 1 {
		b.WriteString(", earned " + strconv.Itoa(t.Earned) + "x")
	}
	if t.Retired() {
		b.WriteString("; " + string(t.Retirement.Kind))
		if !t.Retirement.Date.IsZero() {
			b.WriteString(" " + t.Retirement.Date.String())
		}
	}
	return b.String()
}

// trailerPattern is format.md's grammar, tolerant of case and spacing. Verdict and retirement
// are open words here, so that unknown ones are seen and not mistaken for prose.
var trailerPattern = regexp.MustCompile(`(?i)^\s*` +
	`(?:PR\s*(?:([\w.-]+)\s*/\s*([\w.-]+)\s*)?#\s*(\d+)\s*,\s*)?` +
	`(\d{4}-\d{2}-\d{2})\s*,\s*` +
	`([a-z][a-z-]*)\s*` +
	`(?:,\s*earned\s+(\d+)\s*x\s*)?` +
	`(?:;\s*([^;\s][^;]*?))?\s*$`)

var retirementPattern = regexp.MustCompile(`(?i)^([a-z][a-z-]*)(?:\s+(\d{4}-\d{2}-\d{2}))?$`)

// mangledPattern recognises a closing parenthesis group that was probably meant as a trailer.
var mangledPattern = regexp.MustCompile(`(?i)\b(?:changes-requested|ci-fix|founder-note)\b|^\s*PR\s*(?:[\w.-]+/[\w.-]+)?#\d+\s*,`)

// splitTrailer separates a bullet's text into sentence and trailer. Without a trailer that this
// version understands, the whole text is the sentence, and oddity says why when the ending
// looks like one: an unknown verdict, or a mangled trailer.
func splitTrailer(text string) (sentence string, trailer *Trailer, oddity string) {
	open := strings.LastIndexByte(text, '(')
	if open < 0 {
		return text, nil, ""
	}
	if closed := strings.IndexByte(text[open:], ')'); closed >= 0 && open+closed < len(text)-1 {
		if _, ok := parseTrailer(text[open+1 : open+closed]); ok {
			return text, nil, "text follows its trailer: the bullet is kept as a person's; put an empty line between"
		}
	}
	if !strings.HasSuffix(text, ")") {
		return text, nil, ""
	}
	sentence = strings.TrimSpace(text[:open])
	inner := text[open+1 : len(text)-1]
	t, ok := parseTrailer(inner)
	switch {
	case !ok && mangledPattern.MatchString(inner), ok && sentence == "":
		return text, nil, "its trailer (" + inner + ") is not understood: the bullet is kept as a person's"
	case !ok:
		return text, nil, ""
	case !t.Verdict.Known():
		return text, nil, "its verdict " + strconv.Quote(string(t.Verdict)) + " is unknown: the bullet is kept as a person's"
	case t.Retired() && !t.Retirement.Kind.Known():
		oddity = "its retirement " + strconv.Quote(string(t.Retirement.Kind)) + " is unknown: the bullet counts as retired"
	}
	return sentence, &t, oddity
}

func parseTrailer(inner string) (Trailer, bool) {
	m := trailerPattern.FindStringSubmatch(inner)
	if m == nil {
		return Trailer{}, false
	}
	t := Trailer{Earned: 1}
	var err error
	if m[3] != "" {
		t.PR = PullRequest{Owner: m[1], Repo: m[2]}
		if t.PR.Number, err = strconv.Atoi(m[3]); err != nil || t.PR.Number == 0 {
			return Trailer{}, false
		}
	}
	if t.Date, err = ParseDate(m[4]); err != nil {
		return Trailer{}, false
	}
	t.Verdict = Verdict(strings.ToLower(m[5]))
	if m[6] != "" {
		if t.Earned, err = strconv.Atoi(m[6]); err != nil || t.Earned == 0 {
			return Trailer{}, false
		}
	}
	if m[7] != "" {
		t.Retirement = parseRetirement(m[7])
	}
	return t, true
}

// parseRetirement never fails: what it does not understand still retires the bullet (format.md).
func parseRetirement(s string) Retirement {
	if m := retirementPattern.FindStringSubmatch(s); m != nil {
		kind := RetirementKind(strings.ToLower(m[1]))
		if date, err := ParseDate(m[2]); err == nil || m[2] == "" {
			return Retirement{Kind: kind, Date: date}
		}
	}
	return Retirement{Kind: RetirementKind(s)}
}
