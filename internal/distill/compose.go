package distill

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// advice is a remark boiled down: what to do, and the problem that it cures.
type advice struct {
	order   sentence // zero when the remark only states a problem
	problem sentence
	before  sentence // the statement directly before the order, which a pronoun in it may point to
	follows bool     // the problem is told after the order
	force   force
}

// boil picks the order and the problem out of a remark. ok is false when it holds neither.
func boil(r *remark) (a advice, ok bool) {
	if r.title != "" && len(r.body) == 0 && len(r.fixes) == 0 {
		r.body = r.aside
	}
	title := spoken(r.title)
	if r.disputed { // the advice is contested, the problem stands
		a.problem, ok = pickProblem(title, r.body, -1)
		return a, ok
	}
	at := -1
	switch {
	case len(r.fixes) > 0:
		a.order = r.fixes[0]
		a.force = max(advises, a.order.force())
	case r.title != "" && title.force() > states && usable(title) && title.length() >= minTitle:
		a.order, a.force = title, title.force()
		title = sentence{}
	default:
		at = pickOrder(r.body)
		if at >= 0 {
			a.order = r.body[at]
			a.force = a.order.force()
		}
	}
	a.problem, _ = pickProblem(title, r.body, at)
	if len(r.fixes) > 0 { // the fields tell more than the title
		if told, found := pickProblem(sentence{}, r.body, at); found {
			a.problem = told
		}
	}
	if at > 0 && usable(r.body[at-1]) && r.body[at-1].force() < demands {
		a.before = r.body[at-1]
	}
	a.follows = at >= 0 && slices.ContainsFunc(r.body[at:], func(s sentence) bool { return s.text == a.problem.text })
	return a, a.order.text != "" || a.problem.text != ""
}

// usable reports whether a sentence is about the code at all.
func usable(s sentence) bool {
	return s.length() > 1 && !s.isQuestion() && !s.says("meta")
}

// pickOrder is the index of the sentence that instructs most, the first of equals, or -1.
func pickOrder(body []sentence) int {
	best, strength := -1, states
	for i, s := range body {
		if f := s.force(); f > strength && usable(s) {
			best, strength = i, f
		}
	}
	return best
}

// pickProblem is the title, or else the first sentence that stands on its own: one that tells of a
// defect, another statement, or a further order. A title of a few words only names the subject: a statement tells more.
func pickProblem(title sentence, body []sentence, order int) (sentence, bool) {
	titled := title.text != "" && usable(title)
	if titled && (title.length() >= minTitle || order < 0) {
		return title, true
	}
	statement, further := sentence{}, sentence{}
	for i, s := range body {
		if i == order || s.says("praise") || s.length() < minProblem || tellsOfPeople(s) || i > 0 && slices.Contains(pronouns, s.words[0]) {
			continue
		}
		if !usable(s) { // what follows may be a story, the beginning a claim
			if s = newSentence(firstClause(s.text)); s.length() < minProblem || !usable(s) {
				continue
			}
		}
		switch {
		case s.force() >= demands:
			further = first(further, s)
		case s.says("defect"):
			return s, true
		default:
			statement = first(statement, s)
		}
	}
	if titled {
		return title, true
	}
	s := first(statement, further)
	return s, s.text != ""
}

// first returns a unless it is empty.
func first(a, b sentence) sentence {
	if a.text != "" {
		return a
	}
	return b
}

// tellsOfPeople reports a sentence whose subject is the reviewer.
func tellsOfPeople(s sentence) bool {
	return slices.Contains([]string{"i", "we", "my", "i'm", "i've", "i'd", "ich", "je", "j'ai"}, s.words[0])
}

// Fewest words of a title that says what is wrong, and of a statement that does.
const (
	minTitle   = 4
	minProblem = 4
)

// compose words the advice as one sentence of at most MaxChars characters. ok is false when it
// would say too little to stand alone.
func compose(r *remark, a advice) (string, bool) {
	for _, text := range wordings(r, a) {
		if text = shape(text, r.path); text != "" {
			return text, true
		}
	}
	return "", false
}

// wordings are the ways to say it, from the fullest to the shortest.
func wordings(r *remark, a advice) []string {
	problem := situate(a.problem.text, r.path)
	if a.order.text == "" {
		return statements(r, a, problem)
	}
	order := situate(a.order.text, r.path)
	var out []string
	if follow := sequel(r.body, a.order.text); follow != "" {
		out = append(out, trimEnd(order)+", "+lowerFirst(follow))
	}
	complete := a.order.laterOrder() > 0 && a.order.length() >= completeLength
	switch {
	case problem == "" || complete:
	case a.follows || !pointsBack(a.order) && !strings.ContainsFunc(order, unspaced):
		out = append(out, joinWith(order, problem), joinWith(order, firstClause(problem)))
	default:
		if before := situate(a.before.text, r.path); before != "" && before != problem {
			out = append(out, thenDo(joinWith(problem, before), order), thenDo(before, order))
		}
		out = append(out, thenDo(problem, order), thenDo(firstClause(problem), order))
	}
	return append(out, order, firstClause(order))
}

// completeLength is from how many words on a sentence that tells a problem and then orders needs
// no further problem.
const completeLength = 10

// pointsBack reports whether the order needs what was said before it.
func pointsBack(order sentence) bool {
	return slices.ContainsFunc(order.words, func(w string) bool { return slices.Contains(pronouns, w) })
}

func thenDo(problem, order string) string { return trimEnd(problem) + "; " + lowerFirst(order) }

// statements words a remark that names a problem only.
func statements(r *remark, a advice, problem string) []string {
	var out []string
	if name := callIn(r.code, r); name != "" {
		if a.problem.english() {
			out = append(out, trimEnd(problem)+"; use `"+name+"`")
		} else {
			out = append(out, trimEnd(problem)+" (`"+name+"`)")
		}
	}
	for _, s := range r.body {
		if s.text != a.problem.text && usable(s) && !s.says("praise") && s.force() < demands {
			detail := situate(s.text, r.path)
			if r.title != "" && a.problem.text != s.text && strings.HasPrefix(withoutLeadIn(r.title), a.problem.text) {
				out = append(out, joinWith(problem, detail), joinWith(problem, firstClause(detail)))
			}
			break
		}
	}
	if r.quoted != "" && !strings.Contains(problem, "`") && len(a.problem.words) > 0 && slices.Contains(pronouns, a.problem.words[0]) {
		out = append(out, r.quoted+": "+lowerFirst(problem))
	}
	if !strings.Contains(problem, "`") && r.path != "" && a.problem.english() {
		out = append(out, "In `"+r.path+"`, "+lowerFirst(problem))
	}
	return append(out, problem)
}

func joinWith(head, tail string) string {
	if strings.Contains(head, ": ") || strings.Contains(tail, ": ") {
		return trimEnd(head) + "; " + lowerFirst(tail)
	}
	return trimEnd(head) + ": " + lowerFirst(tail)
}

// sequel is the sentence after the order when it gives the reason ("Otherwise …").
func sequel(body []sentence, order string) string {
	for i, s := range body {
		if i > 0 && body[i-1].text != order || i == 0 && slices.ContainsFunc(body, func(b sentence) bool { return b.text == order }) {
			continue
		}
		if len(s.words) > 0 && slices.Contains(reasons, s.words[0]) {
			return s.text
		}
	}
	return ""
}

var reasons = strings.Fields("otherwise because since else sonst ansonsten otherwise sinon caso altrimenti anders inaczej иначе")

var (
	lineSuffix = regexp.MustCompile("(`[^`\\s]+\\.\\w+):\\d+(?:[-–:]\\d+)?`")
	inThis     = regexp.MustCompile(`(?i)\b(?:in|inside|within) this (?:file|module|package|class|component|script|test|folder|directory|place|spot|function|method)\b`)
	hereEnd    = regexp.MustCompile(`(?i)(\w+|` + "`" + `) here([,.;:]|$)`)
	hereFrom   = regexp.MustCompile(`(?i)\b(from|in|to|of|near|around|inside|within|into) here\b`)
	hereMid    = regexp.MustCompile(`(?i)\b(\w+) here\b`)
	hereStart  = regexp.MustCompile(`(?i)^here,? `)
	youAdded   = regexp.MustCompile(`(?i) (?:that )?you(?:'ve| have)? (?:added|wrote|introduced|changed|created)\b`)
)

// situate replaces what points to the place of the comment by the place.
func situate(text, path string) string {
	text = lineSuffix.ReplaceAllString(text, "$1`")
	text = youAdded.ReplaceAllString(text, "")
	if path == "" {
		return text
	}
	place := "in `" + path + "`"
	text = inThis.ReplaceAllString(text, place)
	text = hereFrom.ReplaceAllString(text, "$1 `"+path+"`")
	text = hereEnd.ReplaceAllString(text, "$1$2")
	if hereStart.MatchString(text) {
		return hereStart.ReplaceAllString(text, "In `"+path+"` ")
	}
	return hereMid.ReplaceAllString(text, "$1 "+place)
}

// firstClause cuts a sentence at the end of its first main clause.
func firstClause(text string) string {
	inCode := false
	for i, c := range text {
		if c == '`' {
			inCode = !inCode
		}
		if inCode || i < 24 {
			continue
		}
		for _, mark := range []string{": ", "; ", ", so ", ", because ", ", which ", ", therefore ", " – ", " — ", ", and ", "、"} {
			if strings.HasPrefix(text[i:], mark) {
				return text[:i]
			}
		}
	}
	return text
}

var (
	links    = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`)
	mentions = regexp.MustCompile("(^|[\\s(])@([A-Za-z0-9][\\w-]*)")
	shortcut = regexp.MustCompile(`:[a-z][a-z0-9_+-]+:`)
	tags     = regexp.MustCompile(`</?[a-zA-Z!][^>]{0,200}>`)
)

// shape makes a wording into a lesson's one line, or "" when it cannot be one.
func shape(text, path string) string {
	text = outsideCode(text, func(s string) string {
		s = shortcut.ReplaceAllString(tags.ReplaceAllString(links.ReplaceAllString(s, ""), ""), "")
		s = mentions.ReplaceAllString(s, "$1$2")
		return strings.Map(func(r rune) rune {
			if isSymbol(r) {
				return -1
			}
			return r
		}, s)
	})
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " ,", ",")
	text = trimEnd(text)
	if !strings.ContainsFunc(text, unspaced) {
		text = upperFirst(text)
	}
	if newSentence(text).length() < minWords {
		return ""
	}
	if len(similarity.Tokens(text)) < MinTokens && path != "" {
		if newSentence(text).english() {
			text += " in `" + path + "`"
		} else {
			text += " (`" + path + "`)"
		}
	}
	text += "."
	if links.MatchString(text) || strings.Contains(text, "<!--") || !fits(text) || strings.Count(text, "`")%2 != 0 {
		return ""
	}
	return text
}

// isSymbol reports an emoji or an invisible character.
func isSymbol(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Cf, unicode.Cc, unicode.Co, unicode.Variation_Selector) && r != '\n' && r != '°' ||
		r >= 0x1F3FB && r <= 0x1F3FF
}

// minWords is the least number of words of a lesson apart from the place that is added to it.
const minWords = 5

// outsideCode applies f to the stretches between code spans.
func outsideCode(text string, f func(string) string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = f(parts[i])
	}
	return strings.Join(parts, "`")
}

func trimEnd(s string) string {
	return strings.TrimRightFunc(s, func(r rune) bool { return strings.ContainsRune(" .!:;,。！：；、…", r) || isSymbol(r) })
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst lowers a capital that only began a sentence. Names and, outside English, nouns keep
// theirs.
func lowerFirst(text string) string {
	text = strings.TrimSpace(text)
	head := newSentence(firstWords(text, 80))
	r, n := utf8.DecodeRuneInString(text)
	if len(head.words) == 0 || !unicode.IsUpper(r) || head.begins("name", 0) {
		return text
	}
	word := text[n:min(len(text), len(head.words[0]))]
	small := slices.Contains(germanWords, head.words[0]) || head.begins("imperative", 0) || head.begins("opener", 0)
	if strings.ContainsFunc(word, unicode.IsUpper) || !small && head.german() {
		return text
	}
	return string(unicode.ToLower(r)) + text[n:]
}
