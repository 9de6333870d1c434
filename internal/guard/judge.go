package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule refuses one way of steering an agent. Its patterns read levelled text (see level): lower
// case, no accents, straight quotation marks, no backticks. {name} stands for a vocabulary entry.
type rule struct {
	name string
	why  string // the reason that people are shown
	// speech refuses wherever it stands: no lesson about code needs it.
	speech []string
	// acts are refused where the sentence asks for them, and pass where it forbids, reports or
	// condemns them: a lesson about security names what it forbids.
	acts []string
	// unless lists settings that make a match of this rule harmless; they are looked for in the
	// clause of the match.
	unless []string

	foreign bool // in another language: not for a sentence that is clearly English

	refuses, passes []string // examples, which the tests run
}

type compiledRule struct {
	rule
	speech, acts, unless []pattern
}

// pattern is a compiled expression with the numbers of the literals of which every match holds
// one; none means that any text may match.
type pattern struct {
	re    *regexp.Regexp
	needs []int
}

// rulebook is all rules, compiled, and the literals that their patterns need.
type rulebook struct {
	rules   []compiledRule
	lexicon lexicon
}

// compiled builds the rulebook at the first judgement: it takes a tenth of a second.
var compiled = sync.OnceValue(func() *rulebook {
	var entries []string
	for name, words := range vocabulary {
		entries = append(entries, "{"+name+"}", "(?:"+words+")")
	}
	expand := strings.NewReplacer(entries...)
	book := &rulebook{}
	compile := func(sources []string) []pattern {
		out := make([]pattern, len(sources))
		for i, source := range sources {
			for strings.Contains(source, "{") && source != expand.Replace(source) { // entries refer to others
				source = expand.Replace(source)
			}
			source = unaccented(source)
			out[i].re = regexp.MustCompile(source)
			for _, literal := range required(source) {
				out[i].needs = append(out[i].needs, book.lexicon.number(literal))
			}
		}
		return out
	}
	for _, r := range rules {
		book.rules = append(book.rules, compiledRule{r, compile(r.speech), compile(r.acts), compile(r.unless)})
	}
	return book
})

// reading is one way to read a text, with the literals of the rulebook that it holds.
type reading struct {
	text  string
	holds []bool
}

func (b *rulebook) read(text string) reading { return reading{text, b.lexicon.heldBy(text)} }

func (p pattern) mayMatch(r reading) bool {
	return p.needs == nil || slices.ContainsFunc(p.needs, func(literal int) bool { return r.holds[literal] })
}

// judge returns the first rule that refuses any reading of any of the texts.
func judge(texts ...string) (verdict, bool) {
	var seen []string
	for _, text := range texts {
		for _, s := range readings(text) {
			if s == "" || slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			read := compiled().read(s)
			for _, r := range compiled().rules {
				if r.refuses(read) {
					return verdict{r.name, r.why}, true
				}
			}
		}
	}
	return verdict{}, false
}

// readings returns what s says to a reader who sees through look-alike letters, digits that
// stand for letters, letters set apart, words written backwards or rotated, and base64.
func readings(s string) []string {
	base := aside.ReplaceAllString(level(s), "$1 ")
	folded := latin(base)
	apart := joined(s)
	return append(decoded(s), base, folded, leet(folded), apart, leet(latin(apart)), reversed(folded), rot13(folded))
}

func (r compiledRule) refuses(read reading) bool {
	s := read.text
	if r.foreign && len(english.FindAllString(s, 3)) == 3 {
		return false
	}
	for _, p := range r.speech {
		if p.mayMatch(read) && p.re.MatchString(s) {
			return true
		}
	}
	for _, p := range r.acts {
		if !p.mayMatch(read) {
			continue
		}
		for at := 0; at < len(s); {
			m := p.re.FindStringIndex(s[at:])
			if m == nil {
				break
			}
			start, stop := at+m[0], at+m[1]
			if asked(s, start, stop) && !r.excused(s, start, stop) {
				return true
			}
			at = start + 1
		}
	}
	return false
}

func (r compiledRule) excused(s string, start, stop int) bool {
	clause := s[start : stop+clauseEnd(s[stop:])]
	for _, p := range r.unless {
		if p.re.MatchString(clause) {
			return true
		}
	}
	return false
}

// The grammar of asking: enough of it to tell "run X", "never run X", "reject code that runs X"
// and "running X is unsafe" apart.
var (
	hardStop = regexp.MustCompile(`[.;:!?](?:\s|$)|\s[-|>]+\s|\b(?:but|so|then|therefore|hence|otherwise|just|simply|instead)\b(?: of\b)?`)
	softStop = regexp.MustCompile(`,\s*(?:(?:and|or|nor)\b)?|\s(?:and|or|nor)\b`)
	// dismissal is a negation that forbids nothing harmful: "do not hesitate to ...".
	dismissal  = regexp.MustCompile(`\b(?:never|do not|don'?t|need not|no need to|not) (?:ever )?(?:hesitate|forget|fail|neglect|worry|overthink|think|bother|mind|wait|ask|question|argue|panic|care|stop|complain|be (?:shy|afraid|scared)|waste|let|only|refuse|decline|omit|miss)\b|\bnever mind\b|\bnot only\b|\bno matter\b|\bwhy not\b`)
	prohibitor = regexp.MustCompile(`\b(?:never|do not|don'?t|does not|must not|mustn'?t|should not|shouldn'?t|may not|cannot|can not|can'?t|not to|avoid|nobody|no one|ought not)\b|^\s*no \w+ (?:may|should|must|can|is)\b`)
	negator    = regexp.MustCompile(`\b(?:never|not|cannot|nor|neither|without|avoid\w*|refus\w+|reject\w*|forbid\w*|forbidden|prohibit\w*|disallow\w*|prevent\w*|den(?:y|ies|ied)|refrain\w*|no longer|instead of|rather than|nobody|no one|none|unsafe to|wrong to|dangerous to|\w+n't|dont|mustnt|shouldnt|cant|wont|unless you)\b|\bno (?:reason|excuse|point|\w+ (?:may|should|must|can|is allowed))\b|^\s*no \w+ `)
	// guarding begins a clause that acts against what follows: "reject changes that ...".
	guarding = regexp.MustCompile(`^\W*(?:(?:please|always|must|should|also|and|or|to|we|you|ci|the \w+|\w+ must|\w+ should)\s+)*(?:reject|refuse|detect|flag|block|forbid|deny|fail|warn|alert|prevent|disallow|guard|protect|audit|catch|ban|beware|watch for|look for|replace|remove|drop|delete|strip|escape|sanitize|sanitise|migrate|convert|swap|treat|explain why|document why|ask why|justify|(?:ensure|make sure|check|verify|assert|test)(?: that)? (?:no|nobody|nothing|neither|none))s?\b`)
	// reported stands right before an act that is described and not asked for.
	reported = regexp.MustCompile(`(?:\b(?:that|which|who|whoever|whose|how to|when to|whether to|used to|(?:option|flag|switch|setting|way|ability|attempts?|requests?|code|tests?|helpers?|function|button|command|endpoint|variable|tool|script|plan|temptation|tempting|wants?|tries|trying|able|unable) to)|\b(?:if|when|whenever|where|unless|until|before|after|because|while|code|tests?|calls?|scripts?|pull requests?|prs?|changes|callers|users|clients|that|which) (?:you|we|they|it|one|someone|somebody|a \w+|the \w+|an \w+|tests|users|callers|must|may|can|should|would|will|could|might)?)\s*$`)
	// consequence stands before an act that something else does: "... because retries skip the check".
	consequence = regexp.MustCompile(`\b(?:because|since|lest|or|otherwise|else|as)((?: [\w'./-]+){1,4}) $`)
	directing   = regexp.MustCompile(`\b(?:you|we|i|agents?|bots?|assistants?|please|just|always|simply|then|to|must|should|may|can|never|not|first|contributors?|developers?|maintainers?|reviewers?)\b`)
	// making begins a clause that asks for something that acts: "add a script that ...".
	making = regexp.MustCompile(`^\W*(?:(?:please|always|also|and|or|to|we|you|must|should|just)\s+)*(?:add|write|create|use|include|insert|make|put|implement|introduce|build|provide|ship|install|set up|configure|register|define|let|have|leave|plant|embed|give|prefer|adopt)\b`)
	// condemned follows an act that is only named to be condemned.
	condemned        = regexp.MustCompile(`^[^,;:.!?]{0,60}?\b(?:(?:is|are|was|would be|remains?) (?:an? |the )?(?:\w+ly )?(?:unsafe|dangerous|forbidden|prohibited|banned|insecure|risky|wrong|harmful|unacceptable|(?:\w+ )?(?:risk|hole|bug|vulnerability|mistake|smell|anti-pattern))|(?:is|are) (?:not|never) (?:allowed|acceptable|ok|okay|safe|permitted|an option|a substitute|a fix|fine|enough|supported|an excuse)|must (?:not|never)|should (?:not|never)|(?:hides?|masks?|exposes?|leaks?|breaks?|defeats?|invites?|undermines?|violates?) )`)
	english          = regexp.MustCompile(`\b(?:the|this|that|your|you|with|and|before|from|then|are|when|it|they|what|not|or|any|every|if|into|without|only|must|should|never|does|its|whenever|because|all of)\b`)
	foreignDismissal = regexp.MustCompile(`\b(?:nicht (?:vergessen|warten|zogern)|vergiss nicht|n'(?:oublie|hesite)z? pas|ne (?:t')?inquiete\w* pas|no (?:olvides?|dudes?|esperes?|te preocupes)|nao (?:esqueca|hesite|espere)|non (?:dimenticare|esitare|aspettare))\b|не (?:забудь|бойся|жди|забывай)|不要(?:忘记|犹豫|等)|别(?:忘|等|担心)|忘れずに|ためらわ`)
	foreignNo        = regexp.MustCompile(`\b(?:nie|niemals|nicht|kein\w*|nunca|jamas|jamais|ne \w+ pas|n'\w+ pas|ne pas|evite\w*|evita\w*|evitez|vermeide\w*|mai|nao|non|nooit|niet|geen|nigdy|aldrig|inte|ikke|asla|sakin|jangan|khong|dung|nikdy|neni|soha|ne )\b|\bno (?:se |lo |la |uses?|utilices?|ejecutes?|ejecutar|desactives?|desactivar|imprimas?|registres?|\w+ar|\w+er|\w+ir|\w+es|\w+as|debe\w*)\b|никогда|нельзя|\bне\b|ніколи|ない|禁止|しては|不要|不得|切勿|禁|勿|别|절대|마세요|말 것|말아|금지|않|لا |نباید|हीं|मत |न करें|\bμην?\b|ποτε|אל |לעולם`)
)

// asked reports whether s asks for the act at s[start:stop].
func asked(s string, start, stop int) bool {
	before := s[:start]
	for {
		m := hardStop.FindStringIndex(before)
		if m == nil {
			break
		}
		if strings.HasSuffix(strings.TrimSpace(before[m[0]:m[1]]), " of") { // "instead of" stops nothing
			before = strings.Replace(before, "instead of", "instead_of", 1)
			continue
		}
		before = before[m[1]:]
	}
	before = strings.ReplaceAll(before, "instead_of", "instead of")
	before = dismissal.ReplaceAllString(before, "")

	clause, carried := before, false
	if stops := softStop.FindAllStringIndex(before, -1); stops != nil {
		last := stops[len(stops)-1]
		clause = before[last[1]:]
		joint := strings.TrimSpace(before[last[0]:last[1]])
		list := joint != "," || listGoesOn.MatchString(s[stop:])
		carried = list && prohibitor.MatchString(before[:last[0]]) && !strings.HasSuffix(joint, ", and")
	}
	if m := consequence.FindStringSubmatch(before); m != nil && !directing.MatchString(m[1]) {
		return false
	}
	if reported.MatchString(clause) && !making.MatchString(clause) || guarding.MatchString(clause) || condemned.MatchString(s[stop:]) || turned.MatchString(s[start+1:stop]) {
		return false
	}
	if !english.MatchString(s) && foreignNo.MatchString(foreignDismissal.ReplaceAllString(s, "")) {
		return false
	}
	n := len(negator.FindAllStringIndex(clause, -1))
	if n == 0 && carried {
		n = 1
	}
	return n%2 == 0
}

var (
	listGoesOn = regexp.MustCompile(`^[^.;:!?]*,? (?:or|nor)\b`)
	// aside is a remark set between a prohibition and its verb: "never, whatever it costs, ...".
	aside = regexp.MustCompile(`\b(never|do not|don'?t|must not|should not), [^,]{0,80}, `)
	// turned is a prohibition within what a pattern matched: "secrets must not appear in logs", "from
	// the registry and never from a URL".
	turned = regexp.MustCompile(`^[^,;]*(?:\bno (?:\w+ )?(?:keys|secrets|tokens|passwords|credentials)\b|\b(?:must|should|may|can|will|shall) (?:not|never)\b|\b(?:mustn't|shouldn't|cannot|can't|won't)\b|\b(?:never|not) (?:from|by|in|into|to|with|via|through|at|on|over|as)\b)`)
)

// clauseEnd returns where the clause that begins s ends.
func clauseEnd(s string) int {
	if m := hardStop.FindStringIndex(s); m != nil {
		return m[0]
	}
	return len(s)
}
