package audit

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// NearPair is two lessons of different names that say much the same.
type NearPair struct {
	A    string  `json:"a"`
	B    string  `json:"b"`
	Body float64 `json:"body"` // share of the words of both bodies that both have, 0 to 1
	Why  string  `json:"why"`
}

const (
	// nearBody is the share of words from which two bodies are worth a look. Bodies have no measured floor
	// as sentences have: this one only asks a person to look.
	nearBody = 0.5
	// lookedAt bounds, in bytes, how much of a body is compared.
	lookedAt = 8 << 10
	// maxPairs bounds what is reported, and maxGuarded for how many pairs the guards are asked: lessons
	// made from one template are near each other by the million.
	maxPairs   = 500
	maxGuarded = 20_000
)

// text is what of a lesson is compared.
type text struct {
	body []int // the distinct words, numbered and in order
	line *similarity.Text
}

// likeness is how much a lesson is like a later one.
type likeness struct {
	other int
	body  float64
	line  float64 // sureness of the lines, before the guards
}

// nearPairs compares the bodies by their words, and the lines that stand for the lessons by the rule of
// collapse with its guards. It returns a remark where there are more than are reported.
func nearPairs(files []File) (pairs []NearPair, remark string) {
	texts := prepare(files)
	rule := similarity.DefaultRule()
	guarded := 0
	for i, alike := range allAlike(texts, rule) {
		for _, l := range alike {
			why := ""
			if l.body >= nearBody {
				why = fmt.Sprintf("their bodies share %.0f %% of their words", 100*l.body)
			}
			if l.line >= rule.Floor && guarded < maxGuarded {
				guarded++
				switch d := rule.Compare(texts[i].line, texts[l.other].line); {
				case d.Contradiction:
					why = "an agent cannot follow both: " + d.Reason
				case d.Collapse:
					why = "the lines that stand for them are one lesson: " + d.Reason
				}
			}
			if why == "" {
				continue
			}
			if len(pairs) == maxPairs {
				return pairs, fmt.Sprintf("more than %d pairs are near duplicates: the first are reported", maxPairs)
			}
			pairs = append(pairs, NearPair{files[i].Name, files[l.other].Name, l.body, why})
		}
	}
	if guarded == maxGuarded {
		remark = fmt.Sprintf("more than %d pairs of lines look alike: the guards were asked for the first", maxGuarded)
	}
	return pairs, remark
}

func prepare(files []File) []text {
	numbers := map[string]int{}
	out := make([]text, len(files))
	for i, f := range files {
		for _, word := range similarity.Tokens(f.Lesson.Body[:min(len(f.Lesson.Body), lookedAt)]) {
			if _, ok := numbers[word]; !ok {
				numbers[word] = len(numbers)
			}
			out[i].body = append(out[i].body, numbers[word])
		}
		slices.Sort(out[i].body)
		out[i].line = similarity.Prepare(f.Lesson.Summary())
	}
	return out
}

// allAlike returns for each text the later ones that are like it, with all processors.
func allAlike(texts []text, rule similarity.Rule) [][]likeness {
	measure := similarity.Rule{Floor: 1} // which no pair of different words reaches, so that no guard is asked
	out := make([][]likeness, len(texts))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() {
			for i := first; i < len(texts); i += workers {
				for j := i + 1; j < len(texts); j++ {
					l := likeness{j, jaccard(texts[i].body, texts[j].body), measure.Compare(texts[i].line, texts[j].line).Sureness}
					if l.body >= nearBody || l.line >= rule.Floor {
						out[i] = append(out[i], l)
					}
				}
			}
		})
	}
	wait.Wait()
	return out
}

// jaccard is the share of two sorted sets that both have.
func jaccard(a, b []int) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
