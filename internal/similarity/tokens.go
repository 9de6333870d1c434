package similarity

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// unspaced are the scripts that are written without spaces between words. Their runs are split
// into overlapping pairs of characters, so that two sentences that share a word share tokens.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham,
}

// Tokens returns the distinct tokens of a sentence (without its trailer) in byte order: its runs of
// Unicode letters and digits in lower case; in ASCII that is [a-z0-9]+. There is no stop list, no
// minimum length and no stemming. Combining marks belong to the letter before them, so that composed
// and decomposed spellings agree. Of a script written without spaces, a run of n characters gives
// its n-1 overlapping pairs (and a single character itself).
func Tokens(sentence string) []string {
	tokens := words(sentence)
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// Jaccard returns the size of the intersection of two sorted sets of distinct tokens over the size
// of their union, from 0 to 1. Two empty sets score 0.
func Jaccard(a, b []string) float64 {
	return ratio(intersection(a, b), len(a)+len(b))
}

// ratio is what two sets share over their union, given the sum of both; 0 for empty sets.
func ratio(common, sum int) float64 {
	if sum == 0 {
		return 0
	}
	return float64(common) / float64(sum-common)
}

// words returns the tokens of a sentence in their order, repetitions included.
func words(sentence string) []string {
	text := strings.ToLower(norm.NFC.String(sentence))
	out := make([]string, 0, len(text)/5)
	start := -1        // where the run of letters and digits being read begins, -1 for none
	var chars []string // the run of unspaced characters being read, marks attached
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r)
		switch {
		case letter && isUnspaced(r, len(chars) > 0):
			if start >= 0 {
				out, start = append(out, text[start:i]), -1
			}
			chars = append(chars, string(r))
		case letter:
			out, chars = appendPairs(out, chars), chars[:0]
			if start < 0 {
				start = i
			}
		case unicode.IsMark(r):
			if len(chars) > 0 {
				chars[len(chars)-1] += string(r)
			}
		default:
			if start >= 0 {
				out, start = append(out, text[start:i]), -1
			}
			out, chars = appendPairs(out, chars), chars[:0]
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return appendPairs(out, chars)
}

// isUnspaced reports whether r continues or begins a run of a script without spaces. The sound
// marks of Japanese (ー) belong to no script and only continue one.
func isUnspaced(r rune, inRun bool) bool {
	if r < 0x0E00 {
		return false
	}
	if unicode.In(r, unspaced...) {
		return unicode.IsLetter(r)
	}
	return inRun && (r == 'ー' || r == 'ｰ')
}

func appendPairs(out, chars []string) []string {
	if len(chars) == 1 {
		return append(out, chars[0])
	}
	for i := 1; i < len(chars); i++ {
		out = append(out, chars[i-1]+chars[i])
	}
	return out
}

// distinct returns the tokens sorted and without repetitions; it leaves its argument alone.
func distinct(tokens []string) []string {
	set := slices.Clone(tokens)
	slices.Sort(set)
	return slices.Compact(set)
}

// shared returns the sorted tokens that both sorted sets hold.
func shared(a, b []string) []string {
	var out []string
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			if out == nil {
				out = make([]string, 0, min(len(a)-i, len(b)-j))
			}
			out = append(out, a[i])
			i, j = i+1, j+1
		}
	}
	return out
}

// intersection returns how many tokens both sorted sets hold.
func intersection(a, b []string) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}
