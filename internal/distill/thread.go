package distill

import (
	"context"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// maxReplyWords is the most words of a reply that only takes a remark or repeats it.
const maxReplyWords = 14

// maxReplyBytes is the length from which a comment is no reply.
const maxReplyBytes = 2000

// settle reads the remarks of the findings, nothing invisible and no secret in them, and applies
// what later comments say about earlier ones: acknowledgements teach nothing, a refuted remark
// neither, of a disputed one only the problem stands, and "same here" repeats the remark before it.
// The error is the context's.
func settle(ctx context.Context, findings []Finding) ([]*remark, error) {
	var out []*remark
	for i, f := range findings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.Body, _ = guard.Clean(f.Body)
		own := readRemarks(i, f)
		if f.Path == "" {
			out = append(out, own...)
			continue
		}
		thread := func(r *remark) bool {
			return f.Line > 0 && r.path == f.Path && r.line == f.Line && r.source != i
		}
		said := everything(own)
		switch {
		case said.echoes() && len(out) > 0:
			out[len(out)-1].repeats++
		case said.says(disputeCue) && slices.ContainsFunc(out, thread):
			for _, r := range out {
				r.disputed = r.disputed || thread(r)
			}
		case said.says(refuteCue) && !said.instructs && slices.ContainsFunc(out, thread):
			out = slices.DeleteFunc(out, thread)
		case said.begins(ackCue, 0) && !said.instructs && (len(said.words) <= maxReplyWords || slices.ContainsFunc(out, thread)):
		default:
			out = append(out, own...)
		}
	}
	return out, nil
}

// reply is all that a comment says.
type reply struct {
	sentence
	instructs bool
}

// echoes reports whether the comment only says that the remark before it holds here, too.
func (r reply) echoes() bool {
	if r.instructs || len(r.words) > maxReplyWords {
		return false
	}
	last := len(r.words) - 1
	return r.says(repeatCue) || last < maxEcho && (r.word(last) == "again" || r.word(last-1) == "as" && r.word(last) == "well")
}

// maxEcho is the most words of "label missing here as well".
const maxEcho = 8

func everything(remarks []*remark) reply {
	var all reply
	var text strings.Builder
	for _, r := range remarks {
		for _, s := range append([]sentence{spoken(r.title)}, r.body...) {
			if text.Len() > maxReplyBytes {
				return reply{instructs: true}
			}
			text.WriteString(" " + s.text)
			all.instructs = all.instructs || s.force > states
		}
	}
	all.sentence = analyse(text.String())
	return all
}
