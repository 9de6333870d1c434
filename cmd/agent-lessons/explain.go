package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

type explainCmd struct {
	storeFlag
	Measure string `placeholder:"NAME" help:"Another measure than the configuration's: words is the plain rule."`
	JSON    bool   `name:"json" help:"Print the decision as JSON."`
	Batch   string `placeholder:"FILE" help:"Answer a line for each line {\"id\": …, \"a\": …, \"b\": …} of a file."`
	A       string `arg:"" optional:"" help:"A sentence, the number of a bullet in the file, or a handle."`
	B       string `arg:"" optional:"" help:"Another."`
}

// explained is a decision as other programs read it (issue 6).
type explained struct {
	ID            json.RawMessage `json:"id,omitempty"`
	Score         float64         `json:"score"`    // Jaccard of the word sets
	Sureness      float64         `json:"sureness"` // of the measure that decides; compared with the floor
	Floor         float64         `json:"floor"`
	Measure       string          `json:"measure"`
	Guard         string          `json:"guard"` // "" when none spoke
	Contradiction bool            `json:"contradiction"`
	Collapse      bool            `json:"collapse"`
	Reason        string          `json:"reason"`
	Shared        []string        `json:"shared"`
	OnlyA         []string        `json:"only_a"`
	OnlyB         []string        `json:"only_b"`
}

// Run explains one pair, or a batch of them.
func (c *explainCmd) Run(p *program) error {
	_, cfg, err := c.open(p)
	if err != nil {
		return err
	}
	rule := cfg.Rule()
	if c.Measure != "" {
		rule.Measure = c.Measure
	}
	if err := rule.Validate(); err != nil {
		return usageError{fmt.Errorf("--measure: %w", err)}
	}
	if c.Batch != "" {
		return c.batch(p, rule)
	}
	if c.A == "" || c.B == "" {
		return usageError{errors.New("explain: give two sentences, bullet numbers or handles")}
	}
	a, err := c.sentence(p, c.A)
	if err != nil {
		return err
	}
	b, err := c.sentence(p, c.B)
	if err != nil {
		return err
	}
	e := explain(rule, a, b)
	if c.JSON {
		return p.printJSON(e)
	}
	e.print(p, a, b)
	return nil
}

// mayBeHandle leaves words like "cafe" alone: a handle without any digit is one in thousands.
var mayBeHandle = regexp.MustCompile(`^(?:[0-9a-f]{8}|[a-f]{0,6}[0-9][0-9a-f]{3,6}|[a-f]{1,3}[0-9][0-9a-f]{1,4})$`)

// sentence resolves a bullet's number (1 is the first of the file) or its handle; everything
// else is a sentence.
func (c *explainCmd) sentence(p *program, text string) (string, error) {
	number, err := strconv.Atoi(text)
	isNumber := err == nil
	if !isNumber && !mayBeHandle.MatchString(text) {
		return text, nil
	}
	file, _, err := c.read(p)
	if err != nil {
		return "", err
	}
	bullets := file.Bullets()
	if isNumber && number >= 1 && number <= len(bullets) {
		return bullets[number-1].Sentence, nil
	}
	if b, ok := file.Find(text); ok && len(text) >= 4 {
		return b.Sentence, nil
	}
	return "", fmt.Errorf("there is no bullet %s: the file has %d, and handles are listed by agent-lessons list", text, len(bullets))
}

func explain(rule similarity.Rule, a, b string) explained {
	d := rule.Compare(similarity.Prepare(a), similarity.Prepare(b))
	measure := rule.Measure
	if measure == "" {
		measure = "default"
	}
	return explained{
		Score: d.Score, Sureness: d.Sureness, Floor: rule.Floor, Measure: measure, Guard: d.Guard,
		Contradiction: d.Contradiction, Collapse: d.Collapse, Reason: d.Reason,
		Shared: emptyNotNull(d.Shared), OnlyA: without(similarity.Tokens(a), d.Shared), OnlyB: without(similarity.Tokens(b), d.Shared),
	}
}

func without(tokens, shared []string) []string {
	return emptyNotNull(slices.DeleteFunc(tokens, func(t string) bool { return slices.Contains(shared, t) }))
}

func emptyNotNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (e explained) print(p *program, a, b string) {
	verdict := "two lessons"
	switch {
	case e.Collapse:
		verdict = "one lesson"
	case e.Contradiction:
		verdict = "two lessons that contradict each other"
	}
	spoke := cmp.Or(e.Guard, "none spoke")
	words := func(all []string) string { return guard.Visible(strings.Join(all, " ")) }
	fmt.Fprintf(p.out, "A         %s\nB         %s\n\nshared    %s\nonly A    %s\nonly B    %s\n\nwords     %.4f\n%-9s %.4f\nfloor     %.2f\nguard     %s\n\nverdict   %s: %s\n",
		guard.Visible(a), guard.Visible(b), words(e.Shared), words(e.OnlyA), words(e.OnlyB),
		e.Score, e.Measure, e.Sureness, e.Floor, spoke, verdict, guard.Visible(e.Reason))
}

// batch answers a line for each line of a file of pairs.
func (c *explainCmd) batch(p *program, rule similarity.Rule) error {
	file, err := os.Open(c.Batch)
	if err != nil {
		return err
	}
	defer file.Close()
	out := json.NewEncoder(p.out)
	out.SetEscapeHTML(false)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var pair struct {
			ID   json.RawMessage `json:"id"`
			A, B string
		}
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			return fmt.Errorf("%s:%d: %w: each line is {\"id\": …, \"a\": …, \"b\": …}", c.Batch, n, err)
		}
		e := explain(rule, pair.A, pair.B)
		e.ID = pair.ID
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return lines.Err()
}
