package distill

import (
	"slices"
	"strings"
	"unicode"
)

// force is how much a sentence instructs.
type force int

const (
	states  force = iota // a plain statement, or a question
	advises              // says "should"
	demands              // says "must"
	orders               // begins a clause with an imperative
)

// instructs is the force of the sentence.
func (s sentence) instructs() force {
	switch {
	case s.isQuestion():
		return states
	case s.turn > 0 || s.isImperative():
		return orders
	case s.says(mustCue):
		return demands
	case s.says(shouldCue):
		return advises
	}
	return states
}

// wordSet is a set of lower-case words.
type wordSet map[string]bool

func (set wordSet) has(word string) bool { return set[word] }

func setOf(words string) wordSet {
	set := wordSet{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

var (
	// adverbs may stand before an imperative.
	adverbs = setOf("either then also just instead so and simply rather first kindly only therefore")

	// finite verbs right behind a word show that it was a noun ("Return types are wrong").
	finite = setOf(`is are was were be been has had does did will would can could should must may might
		needs looks seems says gets isn't aren't doesn't wasn't fails breaks goes makes returns uses takes gives`)

	// determiners begin an object.
	determiners = setOf("the a an each every all any these those your our its both")

	// objects may follow an imperative directly and rule out that it is a noun.
	objects = setOf(`such the a an this that these those it them its their your our each every all any both no not one
		only either what which who whether how when where if to at in on from with by for into out up down off back as
		over under before after between until through against and or here there everywhere always never ` + codeWord)

	// linking words after a word leave open whether it is a verb.
	linking = setOf("and or to in on at for of with by from as than")

	// nouns are verbs that more often name a thing: an order needs a clear object behind them.
	nouns = setOf(`base batch block bound buffer cache call cap change commit count cover default filter fix flag format
		gate group hash import index label limit link list load lock log look loop map mark mask match measure mock
		model name note order place plan poll print prefix query queue quote record reference release report request
		reset run scan schedule scope set share sign stage start state stop store stream structure stub supply
		support surface switch sync tag test thread track type version work`)

	// faults behind a noun make a statement of it.
	faults = setOf("missing broken wrong unused outdated mismatch leak leaks missed misses failed failing changed removed")

	// notVerbs stand before determiners without being a verb.
	notVerbs = setOf(`about above across against along amid among around behind below beneath beside besides between
		beyond despite down due during except half hence inside like near nobody none not off opposite out outside past
		per plus quite same such than that though through throughout thus till too toward towards twice under
		underneath unlike upon via what whatever while why within yet even ever here there how much many more most less
		least few but nor although whereas whether neither either maybe perhaps again still already often seldom now
		today sometimes some his her she they you who whom whose got left lost made took gave came went saw kept found
		built meant sent spent put`)

	// subordinate words open a clause that an order may follow after a comma.
	subordinate = setOf(`if when whenever before after for in to instead rather on since as because unless once with
		without while where until from given otherwise wenn falls bevor nachdem da weil um si cuando antes después para
		al quand lorsque avant après pour se quando depois prima dopo per als wanneer voor jeśli gdy если когда перед
		после при для`)

	// reasons begin a sentence that tells why the order before it holds.
	reasons = setOf("otherwise because since else sonst ansonsten sinon caso altrimenti anders inaczej иначе")

	// prohibitions are first words of an order not to do something; "do" is that of "do not".
	prohibitions = setOf("never don't do avoid stop niemals nie vermeide nunca no evita jamais ne évite évitez não evite mai non nooit nigdy не")

	// pronouns point to something outside the sentence.
	pronouns = setOf(`it its them they their this these those both not same es sie ihn ihm dies dieses esto eso cela ça
		isso isto ele ela questo quello dit deze это его её их`)

	// universal words make a sentence hold beyond the lines at hand.
	universal = setOf(`niemals nigdy zawsze jamás ніколи завжди each every all any always never whenever everywhere jede jeder jedes alle immer nie cada todo todos
		siempre nunca chaque tout tous toujours jamais todas sempre ogni tutti elke alle każdy wszystkie каждый все всегда`)

	// people are the subjects of what a reviewer tells of the review.
	people = setOf("i we my i'm i've i'd ich je j'ai")

	englishWords = setOf(`the a an is are to of and in when it not this that for with on from by be as at than before
		after each every must should`)
	germanWords = setOf(`der die das den dem des ein eine einen einem einer und nicht ist sind wird werden mit für auf
		bei von vom zu zum zur im als nach vor wenn kein keine so auch nur sich hier`)
	foreignWords = setOf(`der die das den dem ein eine einen und nicht ist wird mit für auf bei von zu im el la los las
		un una que y es en con por para no se le les des est et dans pour sur avec ne pas du au o os não um uma em ao
		da do il che è di non per een het van niet met w z na się i и в на не с`)
)

// isImperative reports whether the sentence or clause begins with an order.
func (s sentence) isImperative() bool {
	i := 0
	for adverbs[s.word(i)] {
		i++
	}
	word, next := s.word(i), s.word(i+1)
	switch {
	case word == "":
		return false
	case s.begins(openerCue, i), s.begins(imperativeCue, i) && !nouns[word], orderForm(word),
		word == "ne" && orderForm(next):
		return true
	case s.begins(alwaysCue, i+1): // "Genera sempre …"
		return true
	case next == "", next == "of", finite[next]:
		return false
	case !s.begins(verbCue, i):
		return determiners[next] && mayBeVerb(word) && strings.Contains(strings.ToLower(s.text), word+" "+next)
	case objects[next]:
		return !nouns[word] || !linking[next]
	}
	// "Set limits on every job", but not "Log message has a typo" or "Index missing in the table".
	rest := s.words[i+1:]
	if nouns[word] {
		return !slices.ContainsFunc(rest, finite.has) && !faults[next] && slices.ContainsFunc(rest, objects.has)
	}
	for _, w := range rest[:min(len(rest), 4)] {
		if objects[w] {
			break
		}
		if finite[w] {
			return false
		}
	}
	return true
}

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
	inflected := strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
	return !inflected && !notVerbs[word] && !subordinate[word] && !objects[word] && !finite[word] && !adverbs[word]
}

// orderForm reports the endings that mark an order in French and Russian.
func orderForm(word string) bool {
	return len(word) > 5 && (strings.HasSuffix(word, "ez") || strings.HasSuffix(word, "йте") || strings.HasSuffix(word, "ьте"))
}

// laterOrder is the byte offset of an order behind the sentence's first clause ("if X, do Y",
// "X is blank here; use Y", "X breaks callers, keep it private"), or 0.
func (s sentence) laterOrder() int {
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
		head := analyse(firstWords(bare, clauseHead))
		if !head.isImperative() {
			continue
		}
		// A bare comma may stand in a list of verbs or nouns: the order then needs its object.
		second := head.word(1)
		if c != ',' || subordinate[s.word(0)] || bare != clause || objects[second] && !linking[second] {
			return len(s.text) - len(bare)
		}
	}
	return 0
}

// clauseHead is how many bytes of a clause tell whether it is an order.
const clauseHead = 60

// firstWords is at most n bytes of s, cut at a space.
func firstWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:max(0, strings.LastIndexByte(s[:n], ' '))]
}
