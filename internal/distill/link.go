package distill

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// address is a URL, an e-mail address of a link, or a host that begins with www.
const address = `(?:(?:https?|ftps?|sftp|ssh|git(?:\+\w+)?)://|www\.|mailto:)[^\s` + "`" + `<>]+`

var (
	links = lazily(`(?i)\b` + address)
	// An address is an aside in brackets of its own, or behind a word that only refers to it.
	bracketedLink = lazily("(?i)\\s*[(\\[][^()\\[\\]]*" + spelt + "[^()\\[\\]]*[)\\]]")
	referredLink  = lazily("(?i)[,;.:–—-]?\\s*\\b(?:see(?: also)?|cf|vgl|siehe|voir|véase|vedi|zie|fixes|closes|resolves|related to|reported in|discussed in|refs?|docs?|details|more|reference|source|background|link|spec)\\b[:.]?\\s*" + spelt + `(?: (?:for|on|about) [^.;,]{1,60})?`)
	// lastLink ends a sentence. Behind a word that needs an object it is that object.
	lastLink = lazily("(?i)(\\b(?:to|at|in|on|from|with|via|of|by|for|under|into|through|using|read|use|run|call|visit|open|follow|fetch|load|an|auf|von|bei|mit|nach|zu|aus|à|de|sur|vers|dans|en|desde|con|hacia|da|su|naar|op|van|met)\\s+)?[:–—-]?\\s*" + spelt + "\\s*([.!?]*)$")
)

const spelt = "`?" + address + "`?"

// bareHost is a host with a path and no scheme, at the beginning of a word: "drop.example.com/x.sh".
var bareHost = lazily(`(^|[\s(\["'` + "`" + `])((?:[\pL\d](?:[\pL\d-]*[\pL\d])?\.)+([\pL]{2,24}|\d{1,3})(?::\d{1,5})?/[\pL\d_~.-][^\s` + "`" + `<>]*)`)

// spellOut gives hosts the scheme that they lack. A folder's name that holds a dot is none, and neither
// is a package beside Go's standard library, where nobody else can publish.
func spellOut(text string) string {
	if !strings.ContainsRune(text, '/') {
		return text
	}
	return bareHost().ReplaceAllStringFunc(text, func(found string) string {
		m := bareHost().FindStringSubmatch(found)
		if !isDomain(m[2]) || strings.HasPrefix(m[2], "golang.org/x/") {
			return found
		}
		return m[1] + "https://" + m[2]
	})
}

// isDomain reports whether an address without a scheme begins with a host of the public Internet,
// one of the domains that are reserved for examples, or an IPv4 address with a path that is no
// size of a network.
func isDomain(address string) bool {
	host, path, _ := strings.Cut(address, "/")
	host, _, _ = strings.Cut(host, ":")
	if strings.Trim(host, "0123456789.") == "" {
		return strings.Count(host, ".") == 3 && strings.Trim(path, "0123456789.,;:)") != ""
	}
	top := host[strings.LastIndexByte(host, '.')+1:]
	suffix, listed := publicsuffix.PublicSuffix(strings.ToLower(host))
	return listed || suffix != strings.ToLower(top) || reserved[strings.ToLower(top)]
}

// reserved are RFC 2606's top-level domains and the local one.
var reserved = setOf("example test invalid localhost local internal onion")

// hasAddress reports whether a sentence holds an address.
func hasAddress(text string) bool { return links().MatchString(spellOut(text)) }

// withoutLinks strips the addresses of a sentence. hole says that one was a part of it, without
// which the rest says something else.
func withoutLinks(text string) (rest string, hole bool) {
	text = spellOut(text)
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
