package similarity

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// term is what the lexicon says of a token.
type term struct {
	stem    string // folded; what the default measure compares
	grammar bool   // it carries grammar, not subject
	general bool   // it belongs to the vocabulary that every project shares
}

// remembered holds the terms of tokens that were met: stores repeat their words, and stemming is
// the dearest part of preparing a sentence. Its bounds keep strangers' words from filling the memory.
var remembered struct {
	terms sync.Map // string → term
	count atomic.Int32
}

const (
	maxRemembered      = 1 << 15 // tokens
	maxRememberedToken = 32      // bytes
)

// termOf looks a lower-case token up.
func termOf(token string) term {
	if t, ok := remembered.terms.Load(token); ok {
		return t.(term) //nolint:forcetypeassert // the map holds nothing else
	}
	s := stem(token)
	t := term{stem: s, grammar: functionWords[token], general: len(token) == 1 || generalWords[s] || functionStems[s]}
	if len(token) <= maxRememberedToken && remembered.count.Load() < maxRemembered {
		token = strings.Clone(token) // it may be a part of a long text
		if t.stem == token {
			t.stem = token
		} else {
			t.stem = strings.Clone(t.stem)
		}
		if _, again := remembered.terms.LoadOrStore(token, t); !again {
			remembered.count.Add(1)
		}
	}
	return t
}

// stem returns the folded stem of a lower-case token. Only ASCII words are stemmed.
func stem(token string) string {
	s := rawStem(token)
	if to, ok := folded[s]; ok {
		return to
	}
	return s
}

func rawStem(token string) string {
	for _, r := range token {
		if r > unicode.MaxASCII || unicode.IsDigit(r) {
			return token
		}
	}
	return english.Stem(americanised(token), true)
}

// americanised writes -ise and -isation with a z, so that both spellings have one stem.
func americanised(token string) string {
	for _, ending := range []string{"ise", "ised", "ises", "ising", "isation"} {
		if len(token) > len(ending)+3 && strings.HasSuffix(token, ending) {
			cut := len(token) - len(ending)
			return token[:cut] + "iz" + ending[2:]
		}
	}
	return token
}
