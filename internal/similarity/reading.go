package similarity

import (
	"slices"
	"strings"
)

// reading is what a sentence asks for, as far as its grammar shows it. Terms are folded stems;
// a proposition is the sorted set of the terms of one clause.
type reading struct {
	story    bool       // it tells what went wrong instead of what to do
	demands  [][]string // what an agent shall do, use or keep
	rejects  [][]string // what it shall not
	demanded []string   // all terms of demands and of their circumstances, distinct and sorted
	grounds  []string   // terms of reasons, consequences and stories, distinct and sorted
	subjects [][]string
	sequence []sequence
	limits   []limit
	when     condition
}

// condition are the circumstances under which a demand holds.
type condition struct {
	terms   []string // distinct, sorted
	negated bool
}

// sequence says that what is in first happens before what is in later.
type sequence struct{ first, later []string }

// limit is a demand restricted to, or an exception of, its terms.
type limit struct {
	terms  []string
	main   []string // what is limited
	except bool     // everything but the terms, instead of only them
	told   bool     // in a story, so that the lesson is the opposite
}

// clause is a run of words after a mark or a conjunction.
type clause struct {
	lead  string // the conjunction or punctuation before it; "" for the first
	words []word
}

// read splits a sentence into clauses and says which of them demand, reject or only explain.
func read(ws []word) reading {
	var r reading
	clauses := split(ws)
	first := slices.IndexFunc(clauses, func(c clause) bool { return !circumstance[c.lead] })
	story := first >= 0 && tells(clauses[first])
	r.story = story
	reasoned := story && slices.ContainsFunc(clauses, func(c clause) bool { return firm[c.lead] && !c.demands() })
	for i, c := range clauses {
		next := clause{}
		if i+1 < len(clauses) {
			next = clauses[i+1]
		}
		told := story && (i == first || !c.demands())
		switch {
		case told && (i == first && c.gerund() || c.isCause(reasoned)):
			r.blame(c, next)
		case told && i == first && wordAt(c.words, "without") > 0: // "changes without a test are rejected"
			r.blame(c, next)
		case told && i > first && !reasoned && !circumstance[c.lead] && slices.ContainsFunc(c.words, lacking):
			r.blame(c, next)
		case told:
			r.explain(c)
		case circumstance[c.lead]:
			r.when.add(c)
			if !early[c.lead] && c.lead != "unless" && (i == 0 || !clauses[i-1].trails()) {
				r.demanded = append(r.demanded, terms(c.words)...)
			}
		case i > 0 && c.explains():
			if c.harm() > 0 && !consequence[c.lead] {
				r.reject(terms(c.words[:c.harm()]))
			}
			r.explain(c)
		default:
			r.demand(c, next)
		}
		if told && c.isCause(reasoned) || !told && (i == 0 || !c.explains()) {
			r.order(c, next, told)
		}
		r.limit(c, next, told)
	}
	for _, d := range r.demands {
		r.demanded = append(r.demanded, d...)
	}
	r.when.terms = distinct(r.when.terms)
	r.demanded, r.grounds = distinct(r.demanded), distinct(r.grounds)
	return r
}

var (
	conjunctions = set(`because since otherwise unless until but whenever when while if after before so then except ahead which during`)
	circumstance = set(`if when whenever while unless until before after once ahead where during`)
	prepositions = set(`through by with for from in on at to via into of`)
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
		return negators[next]
	case "as":
		if i+2 < len(ws) && (ws[i+2].text == "is" || ws[i+2].text == "are") && (i+3 == len(ws) || ws[i+3].mark != 0 || ws[i+3].text == "and") {
			return false // "as they are"
		}
		return determiners[next] && next != "a" && next != "an" && next != "one"
	case "or":
		return i > 0 && ws[i-1].mark != 0
	case "once":
		return next != "a" && next != "per" && next != ""
	case "by":
		return strings.HasSuffix(next, "ing")
	default:
		return conjunctions[text]
	}
}

// tells reports whether the clause is a story of what went wrong, not a demand.
func tells(c clause) bool {
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
	return c.gerund() || c.past() >= 0 || c.harm() >= 0
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

// isCause reports whether the clause names the cause in a story. A time is a cause only where the
// story names no reason.
func (c clause) isCause(reasoned bool) bool {
	return firm[c.lead] || loose[c.lead] && !reasoned
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
	return slices.IndexFunc(c.words, func(w word) bool { return !w.code && harms[w.stem] })
}

// add records a circumstance; what merely comes earlier or later is no condition.
func (w *condition) add(c clause) {
	switch c.lead {
	case "if", "when", "whenever", "while", "unless", "where":
		at, _ := negation(c.words)
		w.negated = w.negated != (c.lead == "unless") != (at >= 0)
		w.terms = append(w.terms, terms(c.words)...)
	}
}

// demand records a clause that asks for something: what it demands, and what it rules out.
func (r *reading) demand(c, next clause) {
	at, width := negation(c.words)
	switch {
	case at < 0:
		r.require(terms(c.words))
	case c.trails() && circumstance[next.lead]: // "not when it is rendered"
		r.require(terms(c.words[:at]))
		r.reject(terms(next.words))
	case doubled(c.words, at):
		r.require(terms(c.words[wordAt(c.words, "without")+1:]))
	case early[next.lead] && whole(c.words, at): // "do not X before Y" is about their order alone
	case whole(c.words, at):
		r.reject(append(terms(c.words[:at]), terms(c.words[at+width:])...))
	case c.words[at].text == "no" && at > 0 && c.words[at-1].weight() > 0: // "uploads keep no metadata"
		r.reject(terms(c.words[at+width:]))
	default:
		r.require(terms(c.words[:at]))
		r.reject(terms(c.words[at+width:]))
	}
}

// trails reports that the clause ends in a negation, so that what is ruled out follows it.
func (c clause) trails() bool {
	at, width := negation(c.words)
	return at >= 0 && at+width == len(c.words)
}

// blame records the cause in a story: what was done is ruled out, what was lacking is demanded.
func (r *reading) blame(c, next clause) {
	ws := c.words
	if c.lead == "" {
		if at := max(c.harm(), c.past()); at > 0 {
			ws = ws[:at]
		}
	}
	at, width := negation(ws)
	lack := slices.IndexFunc(ws, lacking)
	switch {
	case lack >= 0:
		r.require(terms(ws[lack+1:]))
	case slices.ContainsFunc(ws, func(w word) bool { return limiters[w.text] }): // the limit was wrong, not the deed
	case early[next.lead] || next.lead == "after": // the order was wrong, not the deed
	case at > 0:
		r.reject(terms(ws[:at]))
		r.require(terms(ws[at+width:]))
	default:
		r.reject(terms(ws))
	}
}

func lacking(w word) bool { return !w.code && lacks[w.text] }

// explain records a reason or a consequence. "So that views need no conversion" also rules out.
func (r *reading) explain(c clause) {
	r.grounds = append(r.grounds, terms(c.words)...)
	if ts := terms(c.words); len(ts) >= 2 && c.harm() < 0 && c.past() < 0 && (c.lead == "," || c.lead == ";") && !prepositions[c.words[0].text] {
		r.subjects = append(r.subjects, distinct(ts[:2]))
	}
	if at, width := negation(c.words); c.lead == "so" && at >= 0 {
		r.reject(terms(c.words[at+width:]))
	}
}

func (r *reading) require(proposition []string) {
	if p := distinct(proposition); len(p) > 0 {
		r.demands = append(r.demands, p)
	}
}

func (r *reading) reject(proposition []string) {
	if p := distinct(proposition); len(p) > 0 {
		r.rejects = append(r.rejects, p)
	}
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
		case i <= 1 && refusals[w.text]:
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

// order records "A before B", "B after A" and "A first, then B".
func (r *reading) order(c, next clause, told bool) {
	s := sequence{first: distinct(terms(c.words)), later: distinct(terms(next.words))}
	at, _ := negation(c.words)
	late := next.lead == "after" || next.lead == "once"
	if !early[next.lead] && next.lead != "then" && !late || len(s.first) == 0 || len(s.later) == 0 {
		return
	}
	if negated := early[next.lead] && at >= 0 && whole(c.words, at); late != (told != negated) {
		s.first, s.later = s.later, s.first
	}
	r.sequence = append(r.sequence, s)
}

// limit records "only X" and "except X".
func (r *reading) limit(c, next clause, told bool) {
	if c.lead == "except" {
		r.limits = append(r.limits, limit{terms: distinct(terms(c.words)), except: true, told: told})
		return
	}
	for i, w := range c.words {
		if w.code || !limiters[w.text] || i > 0 && c.words[i-1].text == "that" || i == len(c.words)-1 && next.lead == "then" {
			continue
		}
		near, main := terms(c.words[i+1:]), terms(c.words[:i])
		switch {
		case i == len(c.words)-1 && (early[next.lead] || next.lead == "after"): // an order, not a limit
			continue
		case i == len(c.words)-1 && circumstance[next.lead]: // "only when rendering"
			near = terms(next.words)
		case len(near) == 0 || w.text == "alone": // "by date only"
			near = slices.DeleteFunc(terms(lastNamed(c.words[:i])), func(term string) bool { return len(term) == 1 })
		}
		r.limits = append(r.limits, limit{terms: distinct(near), main: distinct(main), told: told || c.gerund()})
	}
}

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
