package guard

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain returns s for comparison: compatibility forms, accents, look-alikes and case are
// levelled, backticks dropped, white space is folded.
func plain(s string) string { return latin(level(s)) }

// level returns s in lower case and compatibility form (full-width, mathematical and circled
// letters become plain ones), without accents, backticks and asterisks, with one kind of dash
// and of quotation mark, and with white space folded.
func level(s string) string {
	return fold(unaccented(strings.Map(func(r rune) rune {
		switch {
		case r == '`', r == '*':
			return -1
		case 0x1F1E6 <= r && r <= 0x1F1FF: // regional indicators spell letters
			return 'a' + r - 0x1F1E6
		case 0x1F150 <= r && r <= 0x1F169: // negative circled letters
			return 'a' + r - 0x1F150
		case 0x1F170 <= r && r <= 0x1F189: // negative squared letters
			return 'a' + r - 0x1F170
		case unicode.Is(unicode.Pd, r), r == '\u2212', r == '\u2043':
			return '-'
		case unicode.In(r, unicode.Pi, unicode.Pf), r == '\u00b4':
			return '\''
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))))
}

// unaccented returns s without combining marks.
func unaccented(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// lookalikes pairs letters of other scripts with the Latin ones that they are mistaken for, in
// lower case and without accents; from the confusables of Unicode TR 39.
var lookalikes = strings.NewReplacer(
	// Cyrillic
	"а", "a", "в", "b", "е", "e", "ѕ", "s", "і", "i", "ј", "j", "к", "k", "м", "m", "н", "h", "о", "o",
	"р", "p", "с", "c", "т", "t", "у", "y", "х", "x", "ԁ", "d", "һ", "h", "ԛ", "q", "ԝ", "w", "ѵ", "v",
	"г", "r", "п", "n", "и", "u", "ь", "b", "ӏ", "l", "ґ", "r", "ո", "n", "ц", "u", "ш", "w",
	// Greek
	"α", "a", "β", "b", "γ", "y", "δ", "d", "ε", "e", "η", "n", "ι", "i", "κ", "k", "μ", "u", "ν", "v",
	"ο", "o", "π", "n", "ρ", "p", "σ", "o", "ς", "s", "τ", "t", "υ", "u", "χ", "x", "ω", "w", "ζ", "z",
	"ϲ", "c", "ϳ", "j", "θ", "o", "λ", "l",
	// Armenian, Cherokee
	"ս", "u", "օ", "o", "հ", "h", "ց", "g", "ք", "p", "զ", "q", "ⲟ", "o", "ꭰ", "d", "ꭱ", "r", "ꭲ", "i",
	// Latin beyond ASCII: small capitals, letters with a stroke, click letters
	"ᴀ", "a", "ʙ", "b", "ᴄ", "c", "ᴅ", "d", "ᴇ", "e", "ꜰ", "f", "ɢ", "g", "ʜ", "h", "ɪ", "i", "ᴊ", "j",
	"ᴋ", "k", "ʟ", "l", "ᴍ", "m", "ɴ", "n", "ᴏ", "o", "ᴘ", "p", "ǫ", "q", "ʀ", "r", "ꜱ", "s", "ᴛ", "t",
	"ᴜ", "u", "ᴠ", "v", "ᴡ", "w", "ʏ", "y", "ᴢ", "z", "ı", "i", "ł", "l", "ø", "o", "đ", "d", "ħ", "h",
	"ɑ", "a", "ɡ", "g", "ɩ", "i", "ʋ", "v", "ƒ", "f", "ʃ", "s", "ß", "ss", "æ", "ae", "œ", "oe", "ǀ", "l",
	"ⅼ", "l", "∣", "l", "ɘ", "e", "ɐ", "a", "ə", "e", "ʇ", "t", "ɹ", "r", "ʌ", "v", "ʍ", "w", "ʎ", "y",
)

// latin replaces the look-alikes of s, which has been levelled.
func latin(s string) string { return lookalikes.Replace(s) }

// leet undoes digits and signs that stand for letters, in words that have letters.
func leet(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsLetter) && strings.ContainsAny(w, "013457@$!|") {
			words[i] = unleet.Replace(w)
		}
	}
	return strings.Join(words, " ")
}

var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "|", "i")

var (
	spelled   = lazily(`(?:^|[^\pL])((?:\pL[ ._*|~·-]){2,}\pL)(?:[^\pL]|$)`)
	separator = lazily(`(\pL)[_./+|~·-]+(\pL)`)
	camel     = lazily(`(\p{Ll})(\p{Lu}\p{Ll})`)
)

// joined levels s with letters that are set apart drawn together ("s k i p  t h e  c h e c k s")
// and with words that are drawn together set apart ("skip_the_checks", "skipTheChecks").
func joined(s string) string {
	s = spelled().ReplaceAllStringFunc(visible(s), func(run string) string {
		letters := spelled().FindStringSubmatch(run)[1]
		return strings.Replace(run, letters, strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, letters), 1)
	})
	words := strings.Fields(s)
	for i, w := range words {
		if !strings.Contains(w, "://") {
			// Twice, since neighbours share a letter.
			w = separator().ReplaceAllString(separator().ReplaceAllString(w, "$1 $2"), "$1 $2")
			words[i] = camel().ReplaceAllString(w, "$1 $2")
		}
	}
	return level(strings.Join(words, " "))
}

var hyphen = lazily(`(\pL)-(\pL)`)

// unhyphenated draws together what hyphens divide ("ig-nore").
func unhyphenated(s string) string { return hyphen().ReplaceAllString(s, "$1$2") }

var base64Run = lazily(`[A-Za-z0-9+/_-]{16,}`)

// decoded returns the texts that s carries in base64.
func decoded(s string) []string {
	var out []string
	for _, run := range base64Run().FindAllString(s, -1) {
		text, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(run))
		if err == nil && utf8.Valid(text) && !strings.ContainsFunc(string(text), unicode.IsControl) {
			out = append(out, level(string(text)))
		}
	}
	return out
}

func reversed(s string) string {
	run := []rune(s)
	for i, j := 0, len(run)-1; i < j; i, j = i+1, j-1 {
		run[i], run[j] = run[j], run[i]
	}
	return string(run)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return 'a' + (r-'a'+13)%26
		}
		return r
	}, s)
}
