package similarity

import (
	"slices"
	"strings"
)

// reading is what a sentence asks for, as far as its grammar shows it. Terms are folded stems.
type reading struct {
	demanded []string   // what an agent shall do, use or keep
	rejected [][]string // what it shall not: each a proposition of its own
	grounds  []string   // reasons, consequences and stories
	sequence []sequence
	limits   []limit
}

// sequence says that what is in first happens before what is in later.
type sequence struct{ first, later []string }

// limit is a demand restricted to, or an exception of, its terms.
type limit struct {
	terms  []string
	except bool // everything but the terms, instead of only them
	told   bool // in a story, so that the lesson is the opposite
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
	story := len(clauses) > 0 && tells(clauses[0])
	previous := []string(nil)
	for i, c := range clauses {
		switch {
		case story && (i == 0 && gerund(c) || isCause(c)):
			r.blame(c)
		case story && !demands(c), !story && i > 0 && explains(c):
			if gerund(c) {
				r.blame(c)
			}
			r.grounds = append(r.grounds, terms(c.words)...)
		case i > 0 && circumstance[c.lead]:
			if c.lead != "before" && c.lead != "until" && c.lead != "ahead" && c.lead != "unless" {
				r.demanded = append(r.demanded, terms(c.words)...)
			}
		default:
			r.demand(c)
		}
		r.order(c, previous, story)
		r.limit(c, story && !demands(c))
		if ts := terms(c.words); len(ts) > 0 {
			previous = ts
		}
	}
	r.demanded, r.grounds = distinct(r.demanded), distinct(r.grounds)
	return r
}

var (
	conjunctions = set(`because since otherwise unless until but whenever when while if after before so then except ahead which`)
	circumstance = set(`if when whenever while unless until before after once ahead where`)
	reasons      = set(`because since as otherwise or which so`)
	causes       = set(`because since as after when whenever while once until by ahead before`)
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
			lead := w.text
			if len(current.words) == 1 && current.words[0].text == "only" { // "only after", at the start
				out = append(out, current)
				current.words = nil
			}
			cut(lead)
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
	case "as":
		return determiners[next] && next != "a" && next != "one"
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
	if demands(c) {
		return false
	}
	if gerund(c) {
		return true
	}
	for i, w := range c.words {
		if w.code {
			continue
		}
		if pasts[w.text] {
			return true
		}
		if i > 0 && strings.HasSuffix(w.text, "ed") && len(w.text) > 4 {
			before := c.words[i-1]
			if !determiners[before.text] && !functionWords[before.text] {
				return true
			}
		}
	}
	return false
}

func gerund(c clause) bool {
	return len(c.words) > 1 && !c.words[0].code && strings.HasSuffix(c.words[0].text, "ing") && harm(c) >= 0
}

func isCause(c clause) bool { return causes[c.lead] && !demands(c) }

// demands reports whether a clause asks for something: it has a modal, or begins with a verb.
func demands(c clause) bool {
	if reasons[c.lead] && c.lead != "so" {
		return false
	}
	for i, w := range c.words {
		if w.code {
			continue
		}
		if modals[w.text] && c.lead != "so" {
			return true
		}
		if w.text == "to" && i > 0 && slices.Contains([]string{"has", "have", "ought"}, c.words[i-1].text) {
			return true
		}
	}
	for _, w := range c.words {
		if openers[w.text] {
			continue
		}
		return imperatives[w.stem] && !w.code && !strings.HasSuffix(w.text, "ing") && !strings.HasSuffix(w.text, "ed") && !strings.HasSuffix(w.text, "s")
	}
	return false
}

// explains reports whether a later clause only gives a reason or a consequence.
func explains(c clause) bool {
	switch {
	case demands(c):
		return false
	case reasons[c.lead], harm(c) >= 0:
		return true
	case circumstance[c.lead]:
		return false
	default:
		return len(c.words) > 0 && (c.lead == "," || determiners[c.words[0].text]) && !rejects(c)
	}
}

func rejects(c clause) bool {
	return len(c.words) > 0 && (negators[c.words[0].text] || instead(c.words, 0))
}

// harm returns the place of the first word that says that something went wrong, or -1.
func harm(c clause) int {
	return slices.IndexFunc(c.words, func(w word) bool { return !w.code && harms[w.stem] })
}

// demand records a clause that asks for something: what it demands, and what it rules out.
func (r *reading) demand(c clause) {
	at, width := negation(c.words)
	switch {
	case at < 0:
		r.demanded = append(r.demanded, terms(c.words)...)
		return
	case doubled(c.words, at):
		without := slices.IndexFunc(c.words, func(w word) bool { return w.text == "without" })
		r.demanded = append(r.demanded, terms(c.words[without+1:])...)
		return
	}
	before, after := c.words[:at], c.words[at+width:]
	if whole(c.words, at) {
		r.reject(append(terms(before), terms(after)...))
		return
	}
	r.demanded = append(r.demanded, terms(before)...)
	r.reject(terms(after))
}

// blame records the cause in a story: what was done is ruled out, what was lacking is demanded.
func (r *reading) blame(c clause) {
	ws := c.words
	if at := harm(c); gerund(c) && at > 0 {
		ws = ws[:at]
	}
	lack := slices.IndexFunc(ws, func(w word) bool { return !w.code && lacks[w.text] })
	if lack < 0 {
		if at, width := negation(ws); at > 0 {
			r.reject(terms(ws[:at]))
			r.demanded = append(r.demanded, terms(ws[at+width:])...)
			return
		}
		r.reject(terms(ws))
		return
	}
	r.demanded = append(r.demanded, terms(ws[lack+1:])...)
}

func (r *reading) reject(proposition []string) {
	if p := distinct(proposition); len(p) > 0 {
		r.rejected = append(r.rejected, p)
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
		case w.text == "over" && slices.ContainsFunc(ws[:i], func(w word) bool { return w.stem == "prefer" || w.stem == "favor" }):
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

// whole reports that the negation rules out the subject before it too: "handlers must not allocate".
func whole(ws []word, at int) bool {
	if at == 0 || ws[at].text != "not" && ws[at].text != "never" && ws[at].text != "avoid" {
		return false
	}
	return slices.Contains([]string{"must", "should", "do", "shall", "may", "does", "is", "are", "be", "to", "can", "will"}, ws[at-1].text)
}

// order records "A before B", "B after A" and "first A, then B".
func (r *reading) order(c clause, previous []string, story bool) {
	here := terms(c.words)
	if len(here) == 0 || len(previous) == 0 {
		return
	}
	s := sequence{first: previous, later: here}
	switch c.lead {
	case "before", "ahead", "until", "then":
	case "after", "once":
		s.first, s.later = s.later, s.first
	default:
		return
	}
	if story {
		s.first, s.later = s.later, s.first
	}
	r.sequence = append(r.sequence, s)
}

// limit records "only X" and "except X".
func (r *reading) limit(c clause, told bool) {
	if c.lead == "except" {
		r.limits = append(r.limits, limit{terms: distinct(terms(c.words)), except: true, told: told})
		return
	}
	for i, w := range c.words {
		if w.code || w.text != "only" && w.text != "solely" && w.text != "exclusively" && w.text != "alone" {
			continue
		}
		near := terms(c.words[i+1:])
		if len(near) == 0 || w.text == "alone" {
			near = terms(c.words[:i])
			near = near[max(0, len(near)-1):]
		}
		r.limits = append(r.limits, limit{terms: distinct(near), told: told || gerund(c)})
	}
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
