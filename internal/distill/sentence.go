package distill

import (
	"slices"
	"strings"
	"unicode"
)

// sentence is one sentence of a finding with what its words say.
type sentence struct {
	text  string // without conversational lead-ins
	words []string
	hits  []hit
}

// newSentence analyses text as it stands.
func newSentence(text string) sentence {
	words := wordsOf(text)
	return sentence{text: text, words: words, hits: cues.find(words, text)}
}

// tones are what the conversational parts of a sentence tell even after they are stripped.
var tones = []string{"hedge", "meta", "praise", "unsure", "convention", "should"}

// spoken analyses a reviewer's sentence: the lead-ins are stripped, their tone is kept.
func spoken(text string) sentence {
	s := newSentence(withoutLeadIn(text))
	if s.text == text {
		return s
	}
	raw := newSentence(text)
	if len(raw.words) > 0 && raw.words[0] == "we" && s.imperativeAt(0) {
		s.hits = append(s.hits, hit{"convention", -1, 1})
	}
	for _, h := range raw.hits {
		if slices.Contains(tones, h.class) {
			s.hits = append(s.hits, hit{h.class, -1, h.words})
		}
	}
	return s
}

// says reports whether any phrase of the class occurs.
func (s sentence) says(class string) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == class })
}

// begins reports whether a phrase of the class stands at word i.
func (s sentence) begins(class string, i int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == class && h.at == i })
}

// length is the number of words, where a script without spaces counts three characters as one.
func (s sentence) length() int {
	n := 0
	for _, r := range s.text {
		if unspaced(r) {
			n++
		}
	}
	return len(s.words) + n/3
}

// isQuestion reports whether the sentence asks.
func (s sentence) isQuestion() bool {
	return strings.HasSuffix(strings.TrimRight(s.text, " )\"'"), "?") || strings.HasSuffix(s.text, "？")
}

// force is how much a sentence instructs.
type force int

const (
	states force = iota // a plain statement
	advises
	demands // says "must"
	orders  // begins a clause with an imperative
)

// force of the sentence. A question has none.
func (s sentence) force() force {
	switch {
	case s.isQuestion():
		return states
	case s.imperativeAt(0) || s.laterOrder() > 0:
		return orders
	case s.says("must"):
		return demands
	case s.says("should"):
		return advises
	}
	return states
}

// finite verbs after the first words show that the first word was a noun ("Return types are wrong").
var finite = strings.Fields(`is are was were be been has had does did will would can could should must may might
	needs looks seems says gets isn't aren't doesn't wasn't fails breaks goes makes returns uses takes gives`)

// determiners begin the object of a verb that no list holds.
var determiners = strings.Fields("the a an each every all any these those your our its both")

// mayBeVerb reports whether an unlisted word before a determiner can only be a base form:
// "Redirect the caller", but not "Unlike the caller", "Breaks the build" or "Using a lock".
func mayBeVerb(word string) bool {
	if len(word) < 3 || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return false
	}
	for _, suffix := range []string{"ing", "ed", "ly"} {
		if strings.HasSuffix(word, suffix) {
			return false
		}
	}
	if strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return false
	}
	return !slices.Contains(notVerbs, word) && !slices.Contains(subordinate, word) && !slices.Contains(objects, word) && !slices.Contains(finite, word)
}

var notVerbs = strings.Fields(`about above across against along amid among around behind below beneath beside besides between beyond despite
	down due during except half hence inside just like near nobody none not off once opposite out outside past per plus quite
	same since such than that then though through throughout thus till too toward towards twice under underneath unlike upon via
	what whatever while why within without yet also even ever here there how much many more most less least few and but nor yet
	because although whereas whether neither either rather maybe perhaps again still already often seldom now today sometimes
	both all each every some any her his their our your its she they you who whom whose does did can could may might must shall
	should will would got left lost had made took gave came went saw kept found built meant sent spent put`)

// nouns are the verbs that more often name a thing: an order needs a clear object after them.
var nouns = strings.Fields(`base batch block bound buffer cache call cap change commit count cover
	default filter fix flag format gate group hash import index label limit link list load lock log look loop
	map mark mask match measure mock model name note order place plan poll print prefix query queue quote record
	reference release report request reset return run scan schedule scope set share sign stage start state
	stop store stream structure stub supply support surface switch sync tag test thread track
	type version work`)

// objects may follow an imperative directly and rule out that it is a noun.
var objects = strings.Fields(`the a an this that these those it them its their your our each every all any both no not one
	only either what which who whether how when where if to at in on from with by for into out up down off back as
	over under before after between until through against and or here there everywhere always never
	` + codeWord)

// imperativeAt reports whether the clause that starts at word i begins with an order.
func (s sentence) imperativeAt(i int) bool {
	for i < len(s.words) && slices.Contains([]string{"then", "also", "just", "instead", "so", "and", "simply", "rather", "first", "kindly", "only", "therefore"}, s.words[i]) {
		i++
	}
	if i >= len(s.words) {
		return false
	}
	if s.begins("opener", i) || s.begins("imperative", i) || orderForm(s.words[i]) {
		return true
	}
	if s.begins("always", i+1) { // "Genera sempre …"
		return true
	}
	if i+1 >= len(s.words) {
		return false
	}
	next := s.words[i+1]
	if !s.begins("verb", i) {
		return slices.Contains(determiners, next) && mayBeVerb(s.words[i])
	}
	switch {
	case next == "of" || slices.Contains(finite, next):
		return false
	case slices.Contains(nouns, s.words[i]):
		return slices.Contains(objects, next) && !slices.Contains(linking, next)
	case slices.Contains(objects, next):
		return true
	}
	for _, w := range s.words[i+1 : min(i+5, len(s.words))] {
		if slices.Contains(finite, w) {
			return false
		}
		if slices.Contains(objects, w) {
			break
		}
	}
	return true
}

// orderForm reports the endings that mark an order in French and Russian.
func orderForm(word string) bool {
	return len(word) > 5 && (strings.HasSuffix(word, "ez") || strings.HasSuffix(word, "йте") || strings.HasSuffix(word, "ьте"))
}

// subordinate words open a clause that an order may follow after a comma.
var subordinate = strings.Fields(`if when whenever before after for in to instead rather on since as because unless once with without while where until from given otherwise
	wenn falls bevor nachdem da weil um si cuando antes después para al quand lorsque avant après pour se quando depois prima dopo per als wanneer voor jeśli gdy если когда перед после при для`)

// laterOrder is the byte offset of an order behind the sentence's first clause ("if X, do Y",
// "X is blank here; use Y", "X breaks callers, keep it private"), or 0.
func (s sentence) laterOrder() int {
	conditional := len(s.words) > 0 && slices.Contains(subordinate, s.words[0])
	inCode := false
	for i, c := range s.text {
		if c == '`' {
			inCode = !inCode
		}
		if inCode || !strings.ContainsRune(";:,—–", c) || c == ':' && !strings.HasPrefix(s.text[i+1:], " ") {
			continue
		}
		clause := strings.TrimLeftFunc(s.text[i+len(string(c)):], unicode.IsSpace)
		bare := clause
		for _, link := range []string{"but ", "so ", "please "} {
			bare = strings.TrimPrefix(bare, link)
		}
		head := newSentence(firstWords(bare, 60))
		if !head.imperativeAt(0) {
			continue
		}
		// A bare comma may stand in a list of verbs or nouns: the order then needs its object.
		splice := len(head.words) > 1 && slices.Contains(objects, head.words[1]) && !slices.Contains(linking, head.words[1])
		if c != ',' || conditional || bare != clause || splice {
			return len(s.text) - len(bare)
		}
	}
	return 0
}

// linking words after a word leave open whether it is a verb.
var linking = strings.Fields("and or to in on at for of with by from as than")

// firstWords is at most n bytes of s, cut at a space.
func firstWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
		return s[:i]
	}
	return s
}

// pronouns point to something outside the sentence.
var pronouns = strings.Fields(`it its them they their this these those both not same
	es sie ihn ihm dies dieses esto eso cela ça isso isto ele ela questo quello dit deze это его её их`)

// english reports whether the sentence is in English, as far as its small words tell.
func (s sentence) english() bool {
	en, other := 0, 0
	for _, w := range s.words {
		if slices.Contains(englishWords, w) {
			en++
		} else if slices.Contains(foreignWords, w) || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxLatin1 }) {
			other++
		}
	}
	return en > 0 && en > other || other == 0 && !strings.ContainsFunc(s.text, unspaced)
}

// german reports whether the sentence is in German, whose nouns begin with capitals.
func (s sentence) german() bool {
	n := 0
	for _, w := range s.words {
		if slices.Contains(germanWords, w) {
			n++
		}
	}
	return 4*n > len(s.words)
}

var (
	germanWords  = strings.Fields("der die das den dem des ein eine einen einem einer und nicht ist sind wird werden mit für auf bei von vom zu zum zur im als nach vor wenn kein keine so auch nur sich hier")
	englishWords = strings.Fields("the a an is are to of and in when it not this that for with on from by be as at than before after each every must should")
	foreignWords = strings.Fields(`der die das den dem ein eine einen und nicht ist wird mit für auf bei von zu im el la los las un una que y es en con por
		para no se le les des est et dans pour sur avec ne pas du au o os não um uma em ao da do il che è di non per een het van niet met w z na się i и в на не с`)
)

// isCode reports whether a line is unfenced source.
func isCode(text string) bool {
	bare := outsideCode(text, func(s string) string { return strings.ReplaceAll(s, " ", "\x00") })
	for i, part := range strings.Split(bare, "`") {
		if i%2 == 0 && strings.ContainsAny(part, "{}") || i%2 == 0 && strings.Contains(part, "();") || i%2 == 0 && strings.Contains(part, "==") {
			return true
		}
	}
	return false
}
