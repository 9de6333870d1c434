package guard

import (
	"regexp"
	"strings"
	"sync"
)

// grammar is the grammar of asking: enough of it to tell "run X", "never run X", "reject code
// that runs X" and "running X is unsafe" apart.
type grammar struct {
	hardStop, softStop *regexp.Regexp // between sentences, between clauses and the items of a list
	// dismissal is a negation that forbids nothing harmful: "do not hesitate to ...".
	dismissal *regexp.Regexp
	// prohibitor forbids also the clauses that follow it: "never do X, Y or Z".
	prohibitor *regexp.Regexp
	listGoesOn *regexp.Regexp
	negator    *regexp.Regexp
	// guarding begins a clause that acts against what follows: "reject changes that ...".
	guarding *regexp.Regexp
	// reported stands right before an act that is described and not asked for, unless the clause
	// is making something that acts: "add a script that ...".
	reported, making *regexp.Regexp
	// finding is the beginning of a diagnosis: "the installer pipes …". A sentence with an address is
	// none.
	finding *regexp.Regexp
	// consequence stands before what something else does, "... because retries skip the check",
	// unless its words are directing somebody.
	consequence, directing *regexp.Regexp
	// condemned follows an act that is only named to be condemned.
	condemned *regexp.Regexp
	// turned is a prohibition within what a pattern matched: "secrets must not appear in logs",
	// "from the registry and never from a URL".
	turned *regexp.Regexp
	// A sentence of which no word is English is searched for the prohibitions of other languages.
	english, foreignDismissal, foreignNo *regexp.Regexp
	foreignSentence, foreignClause       *regexp.Regexp // end one
}

// theGrammar is compiled at the first judgement, so that it does not slow down a program's start.
var theGrammar = sync.OnceValue(func() *grammar {
	return &grammar{
		hardStop:         regexp.MustCompile(`[.;:!?](?:\s|$)|\s[-|>]+\s|\b(?:but|so|then|therefore|hence|otherwise|just|simply|instead)\b`),
		softStop:         regexp.MustCompile(`,\s*(?:(?:and|or|nor)\b)?|\s(?:and|or|nor)\b`),
		dismissal:        regexp.MustCompile(`\b(?:never|do not|don'?t|need not|no need to|not) (?:ever )?(?:hesitate|forget|fail|neglect|worry|overthink|think|bother|mind|wait|ask|question|argue|panic|care|stop|complain|be (?:shy|afraid|scared)|waste|let|only|refuse|decline|omit|miss)\b|\bnever mind\b|\bnot only\b|\bno matter\b|\bwhy not\b`),
		prohibitor:       regexp.MustCompile(`\b(?:never|do not|don'?t|does not|must not|mustn'?t|should not|shouldn'?t|may not|cannot|can not|can'?t|not to|avoid|nobody|no one|ought not)\b|^\s*no \w+ (?:may|should|must|can|is)\b`),
		listGoesOn:       regexp.MustCompile(`^[^.;:!?]*,? (?:or|nor)\b`),
		negator:          regexp.MustCompile(`\b(?:never|not|cannot|nor|neither|without|avoid\w*|refus\w+|reject\w*|forbid\w*|forbidden|prohibit\w*|disallow\w*|prevent\w*|den(?:y|ies|ied)|refrain\w*|no longer|rather than|nobody|no one|none|unsafe to|wrong to|dangerous to|\w+n't|dont|mustnt|shouldnt|cant|wont|unless you)\b|\bno (?:reason|excuse|point|\w+ (?:may|should|must|can|is allowed))\b|^\s*no \w+ `),
		guarding:         regexp.MustCompile(`^\W*(?:(?:please|always|must|should|also|and|or|to|we|you|ci|the \w+|\w+ must|\w+ should)\s+)*(?:reject|refuse|detect|flag|block|forbid|deny|fail|warn|alert|prevent|disallow|guard|protect|audit|catch|ban|beware|watch for|look for|replace|remove|drop|delete|strip|escape|sanitize|sanitise|migrate|convert|swap|treat|explain why|document why|ask why|justify|(?:ensure|make sure|check|verify|assert|test)(?: that)? (?:no|nobody|nothing|neither|none))s?\b`),
		reported:         regexp.MustCompile(`(?:\b(?:that|which|who|whoever|whose|how to|when to|whether to|used to|(?:option|flag|switch|setting|way|ability|attempts?|requests?|code|tests?|helpers?|function|button|command|endpoint|variable|tool|script|plan|temptation|tempting|wants?|tries|trying|able|unable) to)|\b(?:if|when|whenever|where|unless|until|before|after|because|while|code|tests?|calls?|scripts?|pull requests?|prs?|changes|callers|users|clients|that|which) (?:you|we|they|it|one|someone|somebody|a \w+|the \w+|an \w+|tests|users|callers|must|may|can|should|would|will|could|might)?)\s*$`),
		making:           regexp.MustCompile(`^\W*(?:(?:please|always|also|and|or|to|we|you|must|should|just)\s+)*(?:add|write|create|use|include|insert|make|put|implement|introduce|build|provide|ship|install|set up|configure|register|define|let|have|leave|plant|embed|give|prefer|adopt)\b`),
		finding:          regexp.MustCompile(`^\W*(?:the|this|that|our|a|an|its) (?:[\w'-]+ ){1,3}?(?:pipes|feeds|passes|sends|downloads|fetches|runs|executes|evals|sources|streams|hands|disables|skips|ignores|bypasses|logs|prints|writes|stores|exposes|leaks|reveals|dumps) $`),
		consequence:      regexp.MustCompile(`\b(?:because|since|lest|or|otherwise|else|as)((?: [\w'./-]+){1,4}) $`),
		directing:        regexp.MustCompile(`\b(?:you|we|i|agents?|bots?|assistants?|please|just|always|simply|then|to|must|should|may|can|never|not|first|contributors?|developers?|maintainers?|reviewers?)\b`),
		condemned:        regexp.MustCompile(`^[^,;:.!?]{0,60}?\b(?:(?:is|are|was|would be|remains?) (?:an? |the )?(?:\w+ly )?(?:unsafe|dangerous|forbidden|prohibited|banned|insecure|risky|wrong|harmful|unacceptable|(?:\w+ )?(?:risk|hole|bug|vulnerability|mistake|smell|anti-pattern))|(?:is|are) (?:not|never) (?:allowed|acceptable|ok|okay|safe|permitted|an option|a substitute|a fix|fine|enough|supported|an excuse)|must (?:not|never)|should (?:not|never)|(?:hides?|masks?|exposes?|leaks?|breaks?|defeats?|invites?|undermines?|violates?) )`),
		turned:           regexp.MustCompile(`^[^,;]*(?:\bno (?:\w+ )?(?:keys|secrets|tokens|passwords|credentials)\b|\b(?:must|should|may|can|will|shall) (?:not|never)\b|\b(?:mustn't|shouldn't|cannot|can't|won't)\b|\b(?:never|not) (?:from|by|in|into|to|with|via|through|at|on|over|as)\b)`),
		english:          regexp.MustCompile(`\b(?:the|this|that|your|you|with|and|before|from|then|are|when|it|they|what|not|or|any|every|if|into|without|only|must|should|never|does|its|whenever|because|all of)\b`),
		foreignDismissal: regexp.MustCompile(`\b(?:nicht (?:vergessen|warten|zogern)|vergiss nicht|n'(?:oublie|hesite)z? pas|ne (?:tiens|tenez|tenir) (?:pas|plus|aucun) compte|no (?:hagas|hagan) caso|non tenere conto|nao leve em conta|ne (?:t')?inquiete\w* pas|no (?:olvides?|dudes?|esperes?|te preocupes)|nao (?:esqueca|hesite|espere)|non (?:dimenticare|esitare|aspettare))\b|не (?:забудь|бойся|жди|забывай)|不要(?:忘记|犹豫|等)|别(?:忘|等|担心)|忘れずに|ためらわ`),
		foreignNo:        regexp.MustCompile(`\b(?:nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne \w+ pas|n'\w+ pas|ne pas|evite\w*|evita\w*|evitez|vermeide\w*|mai|nao|non|nooit|niet|geen|nigdy|aldrig|inte|ikke|asla|sakin|jangan|khong|dung|nikdy|neni|soha|ne )\b|\bno (?:se |lo |la |uses?|utilices?|ejecutes?|ejecutar|desactives?|desactivar|imprimas?|registres?|\w+ar|\w+er|\w+ir|\w+es|\w+as|debe\w*)\b|никогда|нельзя|\bне\b|ніколи|ない|禁止|しては|不要|不得|切勿|禁|勿|别|절대|마세요|말 것|말아|금지|않|لا |نباید|हीं|मत |न करें|\bμην?\b|ποτε|אל |לעולם`),
		foreignSentence:  regexp.MustCompile(`[.;!?](?:\s|$)|[。；]`),
		foreignClause:    regexp.MustCompile(`[,;:.!?](?:\s|$)|[,;:!?。、]|\s(?:und|et|y|e|ed|en|och|og|oraz|a|и|і|wenn|falls|sobald|weil|quand|lorsque|cuando|porque|quando|perche|wanneer|zodra|omdat|если|когда|gdy|jesli|kdyz)\s`),
	}
})

// asked reports whether the levelled text s asks for the act at s[start:stop].
func asked(s string, start, stop int) bool {
	g := theGrammar()
	before, act, after := s[:start], s[start:stop], s[stop:]
	if stops := g.hardStop.FindAllStringIndex(before, -1); stops != nil {
		before = before[stops[len(stops)-1][1]:]
	}
	before = g.dismissal.ReplaceAllString(before, "")
	clause, forbidden := g.lastClause(before, after)
	switch {
	case g.finding.MatchString(before) && !strings.Contains(s, "://"):
		return false
	case g.describes(before, clause), g.guarding.MatchString(clause), g.condemned.MatchString(after), g.turned.MatchString(act[1:]):
		return false
	case !g.english.MatchString(s) && g.forbiddenAbroad(s, start, stop):
		return false
	}
	negations := len(g.negator.FindAllStringIndex(clause, -1))
	if negations == 0 && forbidden {
		return false
	}
	return negations%2 == 0
}

// forbiddenAbroad reports whether a prohibition of another language stands before the act, in it, or
// behind it in the same clause.
func (g *grammar) forbiddenAbroad(s string, start, stop int) bool {
	if stops := g.foreignSentence.FindAllStringIndex(s[:start], -1); stops != nil {
		start = stops[len(stops)-1][1]
	} else {
		start = 0
	}
	if end := g.foreignClause.FindStringIndex(s[stop:]); end != nil {
		s = s[:stop+end[0]]
	}
	return g.foreignNo.MatchString(g.foreignDismissal.ReplaceAllString(s[start:], ""))
}

// lastClause returns the end of the text before an act that belongs to the act's clause, and
// whether an earlier clause forbids the act too, as in "never do X, Y or Z".
func (g *grammar) lastClause(before, after string) (clause string, forbidden bool) {
	stops := g.softStop.FindAllStringIndex(before, -1)
	if stops == nil {
		return before, false
	}
	last := stops[len(stops)-1]
	joint := strings.TrimSpace(before[last[0]:last[1]])
	list := joint != "," && !strings.HasSuffix(joint, ", and") || joint == "," && g.listGoesOn.MatchString(after)
	return before[last[1]:], list && g.prohibitor.MatchString(before[:last[0]])
}

// describes reports whether the words before an act make it a description.
func (g *grammar) describes(before, clause string) bool {
	if m := g.consequence.FindStringSubmatch(before); m != nil && !g.directing.MatchString(m[1]) {
		return true
	}
	return g.reported.MatchString(clause) && !g.making.MatchString(clause)
}

// clauseEnd returns where the clause that begins s ends.
func clauseEnd(s string) int {
	if m := theGrammar().hardStop.FindStringIndex(s); m != nil {
		return m[0]
	}
	return len(s)
}
