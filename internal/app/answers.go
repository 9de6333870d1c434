package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/memory"
)

// answers keeps what was distilled from a source, so that however often its job is tried, nothing
// is asked or paid twice (design decision 5).
type answers struct {
	index  index
	repo   int64
	source string
}

// once fills answer with what is kept under key, or else with what ask returns, and keeps that.
func once[T any](ctx context.Context, kept answers, key string, ask func() (T, error)) (answer T, err error) {
	text, ok, err := kept.index.Distilled(ctx, kept.repo, key)
	if err != nil {
		return answer, err
	}
	if ok {
		return answer, json.Unmarshal(text, &answer)
	}
	if answer, err = ask(); err != nil {
		return answer, err
	}
	if text, err = json.Marshal(answer); err != nil {
		return answer, err
	}
	return answer, kept.index.KeepDistilled(ctx, kept.repo, key, text)
}

type remembered struct {
	distill.Distiller
	answers
}

func (d remembered) Distill(ctx context.Context, findings []distill.Finding) (distill.Result, error) {
	return once(ctx, d.answers, d.source, func() (distill.Result, error) { return d.Distiller.Distill(ctx, findings) })
}

type rememberedJudge struct {
	memory.Judge
	answers
}

func (j rememberedJudge) Same(ctx context.Context, a, b string) (bool, error) {
	pair := sha256.Sum256([]byte(a + "\n" + b))
	return once(ctx, j.answers, j.source+" same "+hex.EncodeToString(pair[:8]), func() (bool, error) { return j.Judge.Same(ctx, a, b) })
}
