package distill

import "strings"

// address is a URL, an e-mail address of a link, or a host that begins with www.
const address = `(?:https?://|www\.|mailto:)[^\s` + "`" + `<>]+`

var (
	links = lazily(`(?i)\b` + address)
	// An address is an aside in brackets of its own, or behind a word that only refers to it.
	bracketedLink = lazily("(?i)\\s*[(\\[][^()\\[\\]]*" + spelt + "[^()\\[\\]]*[)\\]]")
	referredLink  = lazily("(?i)[,;.:–—-]?\\s*\\b(?:see(?: also)?|cf|vgl|siehe|voir|véase|vedi|zie|refs?|docs?|details|more|reference|source|background|link|spec)\\b[:.]?\\s*" + spelt + `(?: (?:for|on|about) [^.;,]{1,60})?`)
	// lastLink ends a sentence. Behind a word that needs an object it is that object.
	lastLink = lazily("(?i)(\\b(?:to|at|in|on|from|with|via|of|by|for|under|into|through|using|read|use|run|call|visit|open|follow|fetch|load|an|auf|von|bei|mit|nach|zu|aus|à|de|sur|vers|dans|en|desde|con|hacia|da|su|naar|op|van|met)\\s+)?[:–—-]?\\s*" + spelt + "\\s*([.!?]*)$")
)

const spelt = "`?" + address + "`?"

// withoutLinks strips the addresses of a sentence. hole says that one was a part of it, without
// which the rest says something else.
func withoutLinks(text string) (rest string, hole bool) {
	if !links().MatchString(text) {
		return text, false
	}
	text = bracketedLink().ReplaceAllString(text, "")
	text = referredLink().ReplaceAllString(text, "")
	if m := lastLink().FindStringSubmatchIndex(text); m != nil && m[2] < 0 {
		text = text[:m[0]] + text[m[4]:m[5]]
	}
	rest = links().ReplaceAllString(text, "")
	return strings.TrimSpace(strings.ReplaceAll(rest, "``", "")), rest != text
}
