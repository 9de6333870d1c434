package similarity

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Text is a sentence prepared for comparison. It may be shared between goroutines.
type Text struct {
	sentence string
	tokens   []string  // distinct, sorted: the published score
	features []feature // distinct, sorted by stem: the default measure
	mass     int       // sum of the features' weights

	once   sync.Once
	detail *detail
}

// detail is what only guards look at; most pairs never reach one.
type detail struct {
	*Text
	words       []word
	spoken      []word   // without the marks
	stems       []string // of all words, distinct and sorted
	subjects    []string // of the words that weigh something, distinct and sorted
	identifiers []identifier
	numbers     []string // distinct, sorted
	reading     reading
	affirmed    []string // what it demands and nowhere rules out
	foreign     bool     // it negates in a language that reading does not know
}

// feature is a folded stem and its weight in halves.
type feature struct {
	stem   string
	weight int
}

// Prepare computes once what every comparison of a sentence needs. The sentence comes without its trailer.
func Prepare(sentence string) *Text {
	t := &Text{sentence: sentence, tokens: Tokens(sentence), features: features(scan(sentence))}
	for _, f := range t.features {
		t.mass += f.weight
	}
	return t
}

// Comparable reports whether the sentence has enough tokens for the rule.
func (t *Text) Comparable(r Rule) bool { return len(t.tokens) >= max(1, r.MinTokens) }

// PrepareAll prepares many sentences, on all processors.
func PrepareAll(sentences []string) []*Text {
	out := make([]*Text, len(sentences))
	eachWorker(len(sentences), func(first, workers int) {
		for i := first; i < len(sentences); i += workers {
			out[i] = Prepare(sentences[i])
		}
	})
	return out
}

// details computes what guards look at, once.
func (t *Text) details() *detail {
	t.once.Do(func() {
		d := &detail{Text: t, words: scan(t.sentence), identifiers: identifiers(t.sentence)}
		for _, w := range d.words {
			d.stems = append(d.stems, w.stem)
			if isNumber(w.stem) {
				d.numbers = append(d.numbers, w.stem)
			}
		}
		d.stems, d.numbers = distinct(d.stems), distinct(d.numbers)
		for _, f := range t.features {
			d.subjects = append(d.subjects, f.stem)
		}
		d.spoken = slices.DeleteFunc(slices.Clone(d.words), func(w word) bool { return w.mark != 0 })
		d.reading = read(d.words)
		d.affirmed = d.reading.demanded
		for _, p := range d.reading.rejects {
			d.affirmed = subtract(d.affirmed, p)
		}
		d.foreign = slices.ContainsFunc(t.tokens, func(token string) bool { return foreignNegators[token] }) ||
			slices.ContainsFunc(unspacedNegators, func(n string) bool { return strings.Contains(t.sentence, n) })
		t.detail = d
	})
	return t.detail
}

// features returns the weighed stems in byte order. A sentence of grammar alone keeps its words, so
// that it still equals itself.
func features(ws []word) []feature {
	out := make([]feature, 0, len(ws))
	for _, w := range ws {
		if weight := w.weight(); w.mark == 0 && weight > 0 {
			out = append(out, feature{w.stem, weight})
		}
	}
	if len(out) == 0 {
		for _, w := range ws {
			if w.mark == 0 {
				out = append(out, feature{w.stem, 1})
			}
		}
	}
	slices.SortFunc(out, func(a, b feature) int { return strings.Compare(a.stem, b.stem) })
	return slices.CompactFunc(out, func(a, b feature) bool { return a.stem == b.stem })
}

func isNumber(token string) bool {
	for _, r := range token {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return token != ""
}

// sureness is the default measure: Jaccard of the weighed stems.
func sureness(a, b *Text) float64 {
	return ratio(overlap(a, b), a.mass+b.mass)
}

// Shared returns the words of b, in their order and once each, that a holds too, and what they weigh
// together: 1 for a word that names a subject, a half for one of software at large, nothing for one of
// grammar. Words are compared whole (a hyphen parts them) and by their stem, never as parts of others.
func Shared(a, b *Text) (shared []string, weight float64) {
	if overlap(a, b) == 0 {
		return nil, 0
	}
	seen := map[string]bool{}
	for _, w := range scan(b.sentence) {
		if w.mark == 0 && !seen[w.stem] && a.weight(w.stem) > 0 && b.weight(w.stem) > 0 {
			seen[w.stem] = true
			shared = append(shared, w.text)
		}
	}
	return shared, float64(overlap(a, b)) / 2
}

// overlap returns the weight, in halves, of the stems that two texts share.
func overlap(a, b *Text) int {
	common := 0
	for i, j := 0, 0; i < len(a.features) && j < len(b.features); {
		switch c := strings.Compare(a.features[i].stem, b.features[j].stem); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common += a.features[i].weight
			i, j = i+1, j+1
		}
	}
	return common
}

// weight returns the weight of a stem of the text, 0 when it has none.
func (t *Text) weight(stem string) int {
	at, found := slices.BinarySearchFunc(t.features, stem, func(f feature, stem string) int { return strings.Compare(f.stem, stem) })
	if !found {
		return 0
	}
	return t.features[at].weight
}
