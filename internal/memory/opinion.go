package memory

import (
	"context"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// opinions asks the judge about each doubtful pair of one event, once however often the file has
// to be read again.
type opinions struct {
	judge  Judge
	known  map[[2]string]bool
	failed string // why there was no opinion; "" when there was, or none was needed
}

// on returns the candidates with the bullet that each is the same as by a second opinion. What
// cannot be judged stays apart: a missed collapse is better than a false one (design decision 12).
func (o *opinions) on(ctx context.Context, f *lesson.File, candidates []lesson.Candidate, rule similarity.Rule) []lesson.Candidate {
	if o.judge == nil {
		return candidates
	}
	judged := make([]lesson.Candidate, len(candidates))
	for i, c := range candidates {
		if b, doubtful := f.Doubtful(c, rule); doubtful && o.same(ctx, c.Sentence, b.Sentence) {
			c.SameAs = b.Handle()
		}
		judged[i] = c
	}
	return judged
}

func (o *opinions) same(ctx context.Context, a, b string) bool {
	pair := [2]string{a, b}
	same, known := o.known[pair]
	if known {
		return same
	}
	same, err := o.judge.Same(ctx, a, b)
	if err != nil {
		o.failed = err.Error()
		same = false
	}
	o.known[pair] = same
	return same
}
