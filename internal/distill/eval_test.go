package distill

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var predictions = flag.String("predictions", "", "write the lessons of testdata/reviews.jsonl to this file, one {id, lessons} a line")

// labelled is a review with what a good maintainer would have learned from it.
type labelled struct {
	ID       string    `json:"id"`
	Reviewer string    `json:"reviewer"`
	Body     string    `json:"body"`
	Inline   []Finding `json:"inline"`
	Ideal    []string  `json:"ideal"`
	// KeyTerms are stems or identifiers per ideal lesson; "a|b" means either.
	KeyTerms [][]string `json:"key_terms"`
	// MustNot are substrings (or "re:" + expression) that no lesson may hold.
	MustNot []string `json:"must_not"`
}

func (l labelled) findings() []Finding {
	var out []Finding
	if strings.TrimSpace(l.Body) != "" {
		out = append(out, Finding{Body: l.Body})
	}
	return append(out, l.Inline...)
}

func readLabelled(t testing.TB, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// The scorer: a lesson recalls an ideal when at least termShare of its key terms occur in it,
// each at the start of a word, and it is no longer than maxScored characters.
const (
	termShare = 0.6
	maxScored = 300
)

func present(term, text string) bool {
	for alt := range strings.SplitSeq(strings.ToLower(term), "|") {
		pattern := regexp.QuoteMeta(alt)
		if c := alt[0]; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			pattern = `(?:^|[^a-z0-9])` + pattern
		}
		if regexp.MustCompile(pattern).MatchString(text) {
			return true
		}
	}
	return false
}

func recalls(lesson string, terms []string) bool {
	if utf8.RuneCountInString(lesson) > maxScored {
		return false
	}
	n := 0
	for _, term := range terms {
		if present(term, strings.ToLower(lesson)) {
			n++
		}
	}
	return n >= int(math.Ceil(termShare*float64(len(terms))-1e-9))
}

func forbidden(lesson, pattern string) bool {
	if expr, ok := strings.CutPrefix(pattern, "re:"); ok {
		// The labels were written for an engine with look-behind.
		expr = strings.ReplaceAll(expr, "(?<![\\w`])", "(?:^|[^\\w`])")
		return regexp.MustCompile("(?i)" + expr).MatchString(lesson)
	}
	return strings.Contains(strings.ToLower(lesson), strings.ToLower(pattern))
}

// tally counts over a set of reviews.
type tally struct {
	Lessons, Good, Ideals, Recalled, OnEmpty, Violations int
}

func (s tally) recall() float64    { return float64(s.Recalled) / float64(s.Ideals) }
func (s tally) precision() float64 { return float64(s.Good) / float64(s.Lessons) }

func (s tally) String() string {
	return fmt.Sprintf("recall %d/%d = %.2f, precision %d/%d = %.2f, lessons from reviews with nothing to learn %d, forbidden texts %d",
		s.Recalled, s.Ideals, s.recall(), s.Good, s.Lessons, s.precision(), s.OnEmpty, s.Violations)
}

func score(t testing.TB, d Distiller, reviews []labelled, each func(l labelled, lessons []Lesson)) tally {
	t.Helper()
	var s tally
	for _, l := range reviews {
		result, err := d.Distill(t.Context(), l.findings())
		if err != nil {
			t.Fatal(err)
		}
		for _, lesson := range result.Lessons {
			s.Lessons++
			good := false
			for _, terms := range l.KeyTerms {
				good = good || recalls(lesson.Text, terms)
			}
			mark := "✗"
			if good {
				s.Good++
				mark = "✓"
			}
			t.Logf("%s %s %s", l.ID, mark, lesson.Text)
			if len(l.Ideal) == 0 {
				s.OnEmpty++
			}
			for _, p := range l.MustNot {
				if forbidden(lesson.Text, p) {
					s.Violations++
					t.Errorf("%s: a lesson holds %q: %s", l.ID, p, lesson.Text)
				}
			}
		}
		for k, terms := range l.KeyTerms {
			s.Ideals++
			hit := false
			for _, lesson := range result.Lessons {
				hit = hit || recalls(lesson.Text, terms)
			}
			if hit {
				s.Recalled++
			} else {
				t.Logf("%s missed: %s %q", l.ID, l.Ideal[k], terms)
			}
		}
		if each != nil {
			each(l, result.Lessons)
		}
	}
	return s
}

// TestEval prints what every labelled review taught (-v) and holds the figures above a floor.
func TestEval(t *testing.T) {
	var dump bytes.Buffer
	s := score(t, NewExtractive(), readLabelled(t, "testdata/reviews.jsonl"), func(l labelled, lessons []Lesson) {
		line, _ := json.Marshal(map[string]any{"id": l.ID, "lessons": lessons})
		dump.Write(append(line, '\n'))
	})
	t.Log(s)
	if *predictions != "" {
		if err := os.WriteFile(*predictions, dump.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s.recall() < 0.88 || s.precision() < 0.88 || s.OnEmpty > 0 || s.Violations > 0 {
		t.Errorf("below the floor: %s", s)
	}
}

// TestEvalHeldOut does the same on 128 reviews of other layouts and trades. They were written before
// the distiller had seen them, in seven batches, and its mistakes on one were mended before it saw
// the next. At first sight (recall, precision, lessons from reviews with nothing to learn):
//
//	ho01 to ho20   0.76  0.88  1
//	hp01 to hp20   0.91  0.91  2
//	hq01 to hq20   0.86  0.86  3, written to be hard
//	hs01 to hs20   0.84  0.93  0
//	he01 to he18               8, nothing to learn in any
//	hf01 to hf15               2, the same again
//	hl01 to hl15   0.90  1.00  0, longer ones of many layouts; four teach nothing
//
// The figures since then say only that nothing was lost.
func TestEvalHeldOut(t *testing.T) {
	s := score(t, NewExtractive(), readLabelled(t, "testdata/heldout.jsonl"), nil)
	t.Log(s)
	if s.recall() < 0.90 || s.precision() < 0.90 || s.OnEmpty > 0 || s.Violations > 0 {
		t.Errorf("below the floor: %s", s)
	}
}
