package similarity

import "slices"

// reading is what a sentence asks for, as far as its grammar shows it. Terms are folded stems;
// a proposition is the sorted set of the terms of one clause.
type reading struct {
	story      bool       // it tells what went wrong instead of what to do
	demands    [][]string // what an agent shall do, use or keep
	rejects    [][]string // what it shall not
	objections [][]string // what it gives a reason against: "direct requests expose the token"
	demanded   []string   // all terms of demands and of their circumstances, distinct and sorted
	grounds    []string   // all terms of reasons, consequences and stories, distinct and sorted
	order      []sequence
	limits     []limit
	exceptions [][]string
	when       condition
}

// condition are the circumstances under which a demand holds.
type condition struct {
	terms   []string // distinct, sorted
	negated bool
}

// sequence says that what is in first happens before what is in later.
type sequence struct{ first, later []string }

// limit is a demand that holds for its terms only: "key the cache by date only".
type limit struct {
	terms  []string // date
	main   []string // key, cache
	blamed bool     // in a story, so that the lesson is the opposite
}

// read splits a sentence into clauses and says which of them demand, reject or only explain.
func read(ws []word) reading {
	clauses := split(ws)
	first := slices.IndexFunc(clauses, func(c clause) bool { return !circumstance[c.lead] })
	r := reading{story: first >= 0 && clauses[first].tells()}
	reasoned := slices.ContainsFunc(clauses, func(c clause) bool { return firm[c.lead] && !c.demands() })
	for i, c := range clauses {
		next, trailing := clause{}, i > 0 && clauses[i-1].trails()
		if i+1 < len(clauses) {
			next = clauses[i+1]
		}
		switch {
		case c.lead == "except":
			r.exceptions = append(r.exceptions, distinct(terms(c.words)))
		case r.story && (i == first || !c.demands()):
			r.tell(c, next, i == first, reasoned)
		case circumstance[c.lead]:
			r.qualify(c, trailing)
			r.sequence(c, next, false)
			r.limit(c, next, false)
		case i > 0 && c.explains():
			if at := max(c.harm(), c.past()); at > 0 && !consequence[c.lead] {
				r.reject(terms(c.words[:at]))
			}
			r.explain(c)
			r.limit(c, next, c.gerund())
		default:
			r.demand(c, next)
			r.sequence(c, next, false)
			r.limit(c, next, false)
		}
	}
	for _, d := range r.demands {
		r.demanded = append(r.demanded, d...)
	}
	r.demanded, r.grounds, r.when.terms = distinct(r.demanded), distinct(r.grounds), distinct(r.when.terms)
	return r
}

// tell reads a clause of a story: its cause is to blame, the rest only explains.
func (r *reading) tell(c, next clause, first, reasoned bool) {
	cause := firm[c.lead] || loose[c.lead] && !reasoned // a time is a cause where no reason is named
	switch {
	case cause, first && c.gerund(),
		first && wordAt(c.words, "without") > 0, // "changes without a test are rejected"
		!first && !reasoned && !circumstance[c.lead] && slices.ContainsFunc(c.words, lacking):
		r.blame(c, next)
	default:
		r.explain(c)
	}
	if cause {
		r.sequence(c, next, true)
	}
	r.limit(c, next, true)
}

// qualify records a circumstance of a demand. What it names is demanded with it, unless it only comes
// first or later, or is itself ruled out ("not when rendering").
func (r *reading) qualify(c clause, ruledOut bool) {
	if !early[c.lead] && c.lead != "unless" && !ruledOut {
		r.demanded = append(r.demanded, terms(c.words)...)
	}
	switch c.lead {
	case "if", "when", "whenever", "while", "unless", "where":
		at, _ := negation(c.words)
		r.when.negated = r.when.negated != (c.lead == "unless") != (at >= 0)
		r.when.terms = append(r.when.terms, terms(c.words)...)
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
		before, after := c.words[:at], c.words[at+width:]
		if place := slices.IndexFunc(after, func(w word) bool { return places[w.text] }); compares(c.words, at) && place > 0 {
			before, after = slices.Concat(before, after[place:]), after[:place]
		}
		r.require(terms(before))
		r.reject(terms(after))
	}
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

// explain records a reason or a consequence. "So that views need no conversion" also rules out.
func (r *reading) explain(c clause) {
	ts := terms(c.words)
	r.grounds = append(r.grounds, ts...)
	plain := (c.lead == "," || c.lead == ";") && !prepositions[c.words[0].text]
	if plain && len(ts) >= 2 && c.harm() < 0 && c.past() < 0 {
		r.objections = append(r.objections, distinct(ts[:2]))
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

// sequence records "A before B", "B after A" and "A first, then B"; blamed, it was the wrong order.
func (r *reading) sequence(c, next clause, blamed bool) {
	s := sequence{first: distinct(terms(c.words)), later: distinct(terms(next.words))}
	late := next.lead == "after" || next.lead == "once"
	if !early[next.lead] && next.lead != "then" && !late || len(s.first) == 0 || len(s.later) == 0 {
		return
	}
	at, _ := negation(c.words)
	negated := early[next.lead] && at >= 0 && whole(c.words, at)
	if late != (blamed != negated) {
		s.first, s.later = s.later, s.first
	}
	r.order = append(r.order, s)
}

// limit records what a clause allows only.
func (r *reading) limit(c, next clause, blamed bool) {
	for i, w := range c.words {
		if w.code || !limiters[w.text] || i > 0 && c.words[i-1].text == "that" { // "buttons that only show an icon"
			continue
		}
		last := i == len(c.words)-1
		near, main := terms(c.words[i+1:]), terms(c.words[:i])
		switch {
		case last && (early[next.lead] || next.lead == "after" || next.lead == "then"): // an order, not a limit
			continue
		case last && circumstance[next.lead]: // "only when rendering"
			near = terms(next.words)
		case len(near) == 0 || w.text == "alone": // "by date only"
			near = terms(lastNamed(c.words[:i]))
		}
		near = slices.DeleteFunc(near, func(term string) bool { return len(term) == 1 })
		r.limits = append(r.limits, limit{terms: distinct(near), main: distinct(main), blamed: blamed})
	}
}
