package similarity

import (
	"slices"
	"strings"
)

// clause is a run of words after a mark or a conjunction.
type clause struct {
	lead  string // the conjunction or punctuation before it; "" for the first
	words []word
}

// The words that join clauses, by what follows them.
var (
	conjunctions = set(`because since otherwise unless until but whenever when while if after before so then except ahead which during`)
	circumstance = set(`if when whenever while unless until before after once ahead where during`)
	prepositions = set(`through by with for from in on at to via into of`)
	places       = set(`in on at for inside within`)
	limiters     = set(`only solely exclusively alone`)
	auxiliaries  = set(`must should do shall may does is are be to can will need needs`)
	reasons      = set(`because since as otherwise or which so`)
	firm         = set(`because since as by`)            // name the cause of a story
	loose        = set(`after when whenever while once`) // name it where no firm one does
	consequence  = set(`so or otherwise which`)
	early        = set(`before ahead until`) // what follows happens later
)

// split cuts words into clauses at marks and conjunctions.
func split(ws []word) []clause {
	var out []clause
	current := clause{}
	cut := func(lead string) {
		if len(current.words) > 0 {
			out = append(out, current)
		}
		current = clause{lead: lead}
	}
	for i, w := range ws {
		switch {
		case w.mark != 0:
			cut(string(w.mark))
		case !w.code && conjoins(ws, i):
			cut(w.text)
		default:
			current.words = append(current.words, w)
		}
	}
	cut("")
	return out
}

func conjoins(ws []word, i int) bool {
	next := ""
	if i+1 < len(ws) {
		next = ws[i+1].text
	}
	switch text := ws[i].text; text {
	case "and":
		return negators[next] || next == "do" && i+2 < len(ws) && ws[i+2].text == "not"
	case "as":
		if i+2 < len(ws) && (ws[i+2].text == "is" || ws[i+2].text == "are") && (i+3 == len(ws) || ws[i+3].mark != 0 || ws[i+3].text == "and") {
			return false // "as they are"
		}
		told := slices.ContainsFunc(ws[i+1:min(len(ws), i+4)], func(w word) bool { return pasts[w.text] })
		return told || determiners[next] && next != "a" && next != "an" && next != "one"
	case "or":
		return i > 0 && ws[i-1].mark != 0
	case "once":
		return next != "a" && next != "per" && next != ""
	case "by":
		reasoned := slices.ContainsFunc(ws[:i], func(w word) bool { return firm[w.text] })
		passive := slices.ContainsFunc(ws[:i], func(w word) bool { return w.text == "was" || w.text == "were" })
		return strings.HasSuffix(next, "ing") || passive && !reasoned && determiners[next] // "was drained by a loop that …"
	default:
		return conjunctions[text]
	}
}

// tells reports whether the clause is a story of what went wrong, not a demand.
func (c clause) tells() bool {
	for i, w := range c.words {
		if !w.code && modals[w.text] {
			return false
		}
		if !w.code && i <= 2 && pasts[w.text] {
			return true
		}
	}
	if c.demands() {
		return false
	}
	at := c.harm()
	return c.gerund() || c.past() >= 0 || at > 0 && !strings.HasSuffix(c.words[at].text, "ing")
}

// past returns the place of the first word that tells what happened, or -1.
func (c clause) past() int {
	for i, w := range c.words {
		switch {
		case w.code:
		case pasts[w.text]:
			return i
		case i > 0 && strings.HasSuffix(w.text, "ed") && len(w.text) > 4 && (!functionWords[c.words[i-1].text] || subjects[c.words[i-1].text]):
			return i
		}
	}
	return -1
}

// gerund reports whether the subject is an action that did harm: "raising timeouts hides …".
func (c clause) gerund() bool {
	return len(c.words) > 1 && !c.words[0].code && len(c.words[0].text) > 5 && strings.HasSuffix(c.words[0].text, "ing") &&
		(c.harm() >= 0 || c.past() >= 0)
}

// demands reports whether a clause asks for something: it has a modal, or begins with a verb.
func (c clause) demands() bool {
	if reasons[c.lead] && c.lead != "so" {
		return false
	}
	for i, w := range c.words {
		switch {
		case w.code:
		case c.lead != "so" && modals[w.text]:
			return true
		case i > 0 && w.text == "to" && (c.words[i-1].text == "has" || c.words[i-1].text == "have"):
			return true
		}
	}
	for i, w := range c.words {
		switch {
		case openers[w.text]:
		case nouns[w.text] && c.lead != "":
			return i+1 < len(c.words) && (c.words[i+1].code || functionWords[c.words[i+1].text])
		default:
			return !w.code && (imperatives[w.text] || nouns[w.text] || c.commands(i))
		}
	}
	return false
}

// commands reports that an unknown word is used as a verb: it comes before its object, or the clause
// says what to do instead.
func (c clause) commands(i int) bool {
	if c.lead == "" || reasons[c.lead] || circumstance[c.lead] || i+1 >= len(c.words) || functionWords[c.words[i].text] {
		return false
	}
	text, next := c.words[i].text, c.words[i+1].text
	bare := !strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ed") && !strings.HasSuffix(text, "ing") && !pasts[text]
	return bare && (instead(c.words, i+1) || next == "them" || next == "it" || next == "the" || next == "each" || next == "every")
}

// explains reports whether a later clause only gives a reason or a consequence.
func (c clause) explains() bool {
	switch {
	case c.demands():
		return false
	case reasons[c.lead], c.harm() >= 0, c.past() >= 0:
		return true
	default:
		begins := c.words[0]
		rejects := negators[begins.text] || instead(c.words, 0)
		return (c.lead == "," || determiners[begins.text]) && !rejects
	}
}

// harm returns the place of the first word that says that something went wrong, or -1.
func (c clause) harm() int {
	for i, w := range c.words {
		if !w.code && (harms[w.stem] || w.text == "too" && i+1 < len(c.words)) {
			return i
		}
	}
	return -1
}

// negation returns where the ruled-out part of a clause begins and how many words say so; -1 for none.
func negation(ws []word) (at, width int) {
	for i, w := range ws {
		switch {
		case w.code:
		case instead(ws, i):
			return i, 2
		case negators[w.text]:
			return i, 1
		case (w.text == "over" || w.text == "to" && i > 1 && ws[i-1].stem != "prefer") && slices.ContainsFunc(ws[:i], func(w word) bool { return w.stem == "prefer" || w.stem == "favor" }):
			return i, 1
		case i <= 1 && refusals[w.text], i <= 1 && w.text == "stop" && i+1 < len(ws) && strings.HasSuffix(ws[i+1].text, "ing"):
			return i, 1
		case w.stem == "leav" && i <= 1 && slices.ContainsFunc(ws[i:], func(w word) bool {
			return w.text == "out" || w.text == "off" || w.text == "empty"
		}):
			return i, 1
		case (w.text == "off" || w.text == "out") && i > 0 && slices.ContainsFunc(ws[:i], func(w word) bool { return w.stem == "keep" }):
			return i, 1
		}
	}
	return -1, 0
}

func instead(ws []word, i int) bool {
	return i+1 < len(ws) && (ws[i].text == "instead" && ws[i+1].text == "of" || ws[i].text == "rather" && ws[i+1].text == "than")
}

// doubled reports "never … without …": the second part is demanded.
func doubled(ws []word, at int) bool {
	return ws[at].text != "without" && slices.ContainsFunc(ws[at+1:], func(w word) bool { return w.text == "without" })
}

// whole reports that the negation rules out the subject before it too ("handlers must not allocate"),
// or that there is none ("never allocate").
func whole(ws []word, at int) bool {
	switch ws[at].text {
	case "not", "never", "avoid":
		return at == 0 || auxiliaries[ws[at-1].text]
	default:
		return false
	}
}

func wordAt(ws []word, text string) int {
	return slices.IndexFunc(ws, func(w word) bool { return w.text == text })
}

// compares reports that the negation weighs two things, so that what follows the second is about both:
// "prefer X to Y in Z".
func compares(ws []word, at int) bool {
	switch ws[at].text {
	case "over", "to", "instead", "rather":
		return true
	default:
		return false
	}
}

// trails reports that the clause ends in a negation, so that what is ruled out follows it.
func (c clause) trails() bool {
	at, width := negation(c.words)
	return at >= 0 && at+width == len(c.words)
}

func lacking(w word) bool { return !w.code && lacks[w.text] }

// lastNamed returns the last word that names something, or the whole code span that it ends.
func lastNamed(ws []word) []word {
	end := len(ws)
	for end > 0 && ws[end-1].weight() == 0 {
		end--
	}
	start := max(0, end-1)
	for start > 0 && ws[start].code && ws[start-1].code {
		start--
	}
	return ws[start:end]
}

// terms returns the stems of the words that name something.
func terms(ws []word) []string {
	var out []string
	for _, w := range ws {
		if w.mark == 0 && w.weight() > 0 {
			out = append(out, w.stem)
		}
	}
	return out
}
