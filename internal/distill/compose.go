package distill

import (
	"slices"
	"strings"
)

// compose words the advice as one sentence of at most MaxChars characters. ok is false when it
// would say too little to stand alone.
func compose(r *remark, a advice) (text string, ok bool) {
	wordings := statements
	if !a.order.empty() {
		wordings = instructions
	}
	for _, w := range wordings(r, a) {
		if text = shape(w, r.path); text != "" {
			return text, true
		}
	}
	return "", false
}

// completeLength is from how many words on a sentence that tells a problem and then orders needs
// no further problem.
const completeLength = 10

// instructions are the ways to word an order, from the fullest to the shortest: with its reason or
// its problem behind it, or before it where a pronoun in the order points back.
func instructions(r *remark, a advice) []string {
	order, problem, before := situate(a.order.text, r.path), situate(a.problem.text, r.path), situate(a.before.text, r.path)
	var out []string
	switch {
	case a.sequel.empty():
	case reasons[a.sequel.word(0)]:
		out = append(out, trimEnd(order)+", "+lowerFirst(a.sequel.text))
	default:
		out = append(out, hence(order, situate(a.sequel.text, r.path)))
	}
	switch {
	case problem == "" && dangles(a.order):
		if before == "" {
			return nil
		}
		return []string{hence(before, order)}
	case problem == "", a.order.turn > 0 && a.order.length() >= completeLength:
	case a.follows, !pointsBack(a.order) && !isUnspaced(order):
		out = append(out, because(order, problem), because(order, firstClause(problem)))
	default:
		if before != "" && before != problem {
			out = append(out, hence(because(problem, before), order), hence(before, order))
		}
		out = append(out, hence(problem, order), hence(firstClause(problem), order))
	}
	return append(out, order, firstClause(order))
}

// pointsBack reports whether the order needs what was said before it.
func pointsBack(order sentence) bool {
	return slices.ContainsFunc(order.words, func(w string) bool { return pronouns[w] })
}

// dangles reports whether the object of an order is something that was named before it.
func dangles(order sentence) bool {
	return order.word(1) == "it" || order.word(1) == "them" || order.word(2) == "it" && order.word(0) == "don't"
}

// because puts the reason behind a sentence.
func because(head, reason string) string {
	if strings.Contains(head, ": ") || strings.Contains(reason, ": ") {
		return hence(head, reason)
	}
	return trimEnd(head) + ": " + lowerFirst(reason)
}

// hence puts one sentence behind another.
func hence(problem, order string) string { return trimEnd(problem) + "; " + lowerFirst(order) }

// statements are the ways to word a remark that names a problem only: with what a suggestion
// calls, a title with its detail, or with the place when nothing else says what it is about.
func statements(r *remark, a advice) []string {
	problem := situate(a.problem.text, r.path)
	var out []string
	if name := calledIn(r.code, r); name != "" {
		if a.problem.isEnglish() {
			out = append(out, trimEnd(problem)+"; use `"+name+"`")
		} else {
			out = append(out, trimEnd(problem)+" (`"+name+"`)")
		}
	}
	if i := slices.IndexFunc(r.body, func(s sentence) bool { return s.says(alternativeCue) && isUsable(s) }); i >= 0 && r.body[i].text != a.problem.text {
		out = append(out, hence(problem, situate(r.body[i].text, r.path)))
	}
	isDetail := func(s sentence) bool {
		return s.text != a.problem.text && isUsable(s) && !s.says(praiseCue) && s.force < demands
	}
	if i := slices.IndexFunc(r.body, isDetail); i >= 0 && (a.titled || len(problem) < shortProblem) {
		detail := situate(r.body[i].text, r.path)
		out = append(out, because(problem, detail), because(problem, firstClause(detail)))
	}
	if !strings.Contains(problem, "`") {
		if r.quoted != "" && pronouns[a.problem.word(0)] {
			out = append(out, r.quoted+": "+lowerFirst(problem))
		}
		if r.path != "" && a.problem.isEnglish() {
			out = append(out, "In `"+r.path+"`, "+lowerFirst(problem))
		}
	}
	return append(out, problem)
}

// shortProblem is the length in bytes below which a problem takes its detail along.
const shortProblem = 60

// minClause is the least length in bytes of a main clause.
const minClause = 24

// clauseEnds are what ends a main clause.
var clauseEnds = []string{": ", "; ", ", so ", ", because ", ", which ", ", therefore ", " – ", " — ", ", and ", "、"}

// firstClause cuts a sentence at the end of its first main clause.
func firstClause(text string) string {
	inCode := false
	for i, c := range text {
		if c == '`' {
			inCode = !inCode
		}
		if inCode || i < minClause {
			continue
		}
		for _, end := range clauseEnds {
			if strings.HasPrefix(text[i:], end) {
				return text[:i]
			}
		}
	}
	return text
}
