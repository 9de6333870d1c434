package distill

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// rewrite is one step of stripping what a sentence says to the author rather than about the code.
type rewrite struct {
	pattern func() *regexp.Regexp
	to      string
}

// lazily compiles an expression at its first use, so that it does not slow down a program's start.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func step(pattern, to string) rewrite {
	return rewrite{lazily(`(?i)^` + pattern), to}
}

// leadIns are applied until none matches.
var leadIns = []rewrite{
	step(`(?:@[\w-]+[,:]?\s+)+`, ""),
	step(`(?:hi|hey|hello|dear)(?: \w+)?[,!:]\s+`, ""),
	step(`if (?:yes|so|not|no)\b[^.;,]{0,60},\s*`, ""),
	step(`(?:ok(?:ay)?|fine|sure|yes|yeah|right|good|nice|great|thanks|looks good|looks fine|lgtm)\b[^.;]{0,60}?,? but\s+`, ""),
	step(`(?:(?:could|can|would|will) you|would you mind)(?: please| kindly| maybe| perhaps| also)?\s+(.+?)\s*\?$`, "$1"),
	step(`(?:please|pls|plz|kindly|also|and|then|but|so|again|however|btw|by the way|h+m+|well|ok|okay|just|maybe|perhaps|overall|imo|imho|fwiw|in my opinion|additionally|moreover|furthermore|finally|lastly|first|second|third|firstly|secondly|thirdly|first of all|in general|generally|ideally|similarly)[,:]?\s+`, ""),
	step(`(?:i (?:think|believe|feel|guess|would say)|i'd say)(?: that)?,?\s+`, ""),
	step(`(?:for the future|in (?:the )?future|going forward|from now on|next time|for next time|as a (?:general )?rule|as a reminder|reminder)[,:]?\s+`, ""),
	step(`(?:remember|don't forget|do not forget|be sure|make sure|take care|try|it(?: is|'s| would be|'d be) (?:better|best|safer|important|necessary|required)|better|the fix is|the right fix is|the solution is|you could|i'd like you|i would like you|i want you|you are expected|we are expected) to\s+`, ""),
	step(`(?:the )?(?:issue|problem)(?: here| identified by [\w ]{1,30})? is that\s+`, ""),
	step(`(?:as )?(?:we|it was) (?:had |have )?(?:agreed|decided|settled)[^,.;:]{0,40}? that\s+`, ""),
	step(`(?:one|a|two|another|a last|last|final) (?:\w+ )?(?:things?|rules?|points?|notes?|requests?|remarks?|wish(?:es)?|conventions?)\b[^.;:,]{0,30}:\s+`, ""),
	step(`(?:so )?(?:the|my) (?:\w+ )?(?:request|ask|point|concern|wish|demand)(?: here| is)?[^,.;:]{0,20}:\s+`, ""),
	step(`(?:[^.;:,]{1,40}, )?(?:the )?(?:main|big|biggest|important|only|first|second|third|last|other) (?:one|point|thing|issue|concern|problem)(?: here| for me)? is (?:about )?[^,.;:]{1,40}:\s+`, ""),
	step(`[\w-]+(?: [\w-]+)? please:\s+((?:an?|the|one|two) )`, "add $1"),
	step(`[\w-]+(?: [\w-]+)? please:\s+`, ""),
	step(`(?:remember|note|keep in mind|be aware|please note) that\s+`, ""),
	step(`(?:let's|lets|let us)\s+`, ""),
	step(`(?:we|you) (?:should|must|ought to)(?: really| also| always)? (?:not|never)\s+`, "do not "),
	step(`(?:we|you) (?:shouldn't|mustn't|don't want to|do not want to|can't|cannot|may not)\s+`, "do not "),
	step(`(?:we|you)(?:'ll| will)? (?:should|must|need to|have to|ought to|want to|may want to|might want to)(?: really| also| probably| just)?\s+`, ""),
	step(`i(?:'d| would) (?:suggest|recommend|advise|prefer|like) (?:that )?(?:we|you|to)(?: to| should)?\s+`, ""),
	step(`i(?:'d| would) (?:suggest|recommend|advise|prefer) (\w+ing)\b`, "prefer $1"),
	step(`(?:it|this|that) (?:should|must|needs to|has to) (use|call|return|go|come|read|take|check|handle|live|accept|throw|raise|run|fail|keep|log|reject|validate|wait|respect|follow|reuse|share)\b`, "$1"),
	{lazily(`(?i)[,;]?\s*\(?\bsee(?: also| here)?(?: for [^.;]{1,60})?\)?\s*([.!]?)$`), "$1"}, // a link stood there
	{lazily(`(?i),? please\s*([.!]?)$`), "$1"},
	{lazily(`(?i),? (?:see|like|as in|cf\.?) (?:the |my |our )?(?:other|above|below|also)\b[^.;:,]*([.!]?)$`), "$1"},
	step(`we (don't|do not)\s+`, "do not "),
	step(`we (?:usually |generally |normally |typically )?(keep|use|prefer|avoid|put|write|name|call|test|log|wrap|return|store|pass|pin|run|sort|expect|require|follow|import|document|validate|want)\b`, "$1"),
	step(`we (always|never|only)\s+`, "$1 "),
	step(`no (\w[\w -]*?) (in|for|at|inside|outside|from) `, "avoid $1 $2 "),
	step(`(?:bitte|por favor|s'il (?:te|vous) pla[iî]t|svp|per favore|lütfen|пожалуйста|будь ласка|proszę|alsjeblieft|creo que|je pense que|penso che|acho que|ich denke|ich glaube)[,:]?\s+`, ""),
}

// approval is a closing remark behind an order: "…, otherwise LGTM", "…; looks good otherwise".
var approval = lazily(`(?i)\s*[,;–—-]+\s*((?:otherwise|ansonsten|sonst|sinon|altrimenti|verder|inaczej|иначе)\s[^.;]*|[^,;–—]{1,40} otherwise)[.!]*$`)

// withoutApproval strips a closing remark, which is no reason for the order before it.
func withoutApproval(text string) string {
	m := approval().FindStringSubmatchIndex(text)
	if m == nil || m[0] == 0 || !analyse(text[m[2]:m[3]]).approves() {
		return text
	}
	return text[:m[0]] + "."
}

// approves reports whether a sentence with "otherwise" tells what the reviewer thinks of the rest,
// not what happens to the code.
func (s sentence) approves() bool {
	reviewer := people[s.word(1)] && s.word(1) != "we"
	return reviewer || s.says(closingCue) || s.says(praiseCue) && !s.says(defectCue)
}

// maxLeadIns bounds how many lead-ins are stripped from one sentence.
const maxLeadIns = 6

// enquiries after "could you" ask for an answer, not for a change.
var enquiries = lazily(`(?i)^(?:could|can|would|will) you(?: please)? (?:explain|clarify|tell|confirm|elaborate|share|remind|point|help me|describe why|say)\b`)

// withoutLeadIn strips greetings, requests and opinions from the beginning of a sentence, so
// that the order in them comes first.
func withoutLeadIn(text string) string {
	if enquiries().MatchString(text) {
		return text
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool { return isSymbol(r) || unicode.IsSpace(r) })
	for range maxLeadIns {
		before := text
		for _, r := range leadIns {
			text = r.pattern().ReplaceAllString(text, r.to)
		}
		text = strings.TrimLeft(text, " ,")
		if text == before {
			break
		}
	}
	return text
}
