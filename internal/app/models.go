package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/distill"
)

// Models are the language models that the installation pays for. The zero value has none, and
// the extractive distiller does all the work.
type Models struct {
	Anthropic, OpenAI distill.Endpoint
	// Owners may use them; "*" is everybody. Whoever else installs the App cannot spend the keys.
	Owners []string
	// Allowed are the models that a repository's configuration may name besides the installation's
	// own; "*" is any. The budget counts uses, and models differ in price.
	Allowed []string
	// Budget is how many times a month a model is asked for one owner: once for a review that it
	// distils, once for a second opinion.
	Budget int
}

// Check reports a mistake in the settings, and which distiller "auto" means, for the start-up log.
func (m Models) Check() (auto string, err error) {
	for name, e := range map[string]distill.Endpoint{"ANTHROPIC": m.Anthropic, "OPENAI": m.OpenAI} {
		if strings.ContainsFunc(e.Key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return "", fmt.Errorf("%s_API_KEY holds white space or a control character: is it cut or joined with something?", name)
		}
		if u, err := url.Parse(e.BaseURL); e.BaseURL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return "", fmt.Errorf("%s_BASE_URL is no http or https address", name)
		}
	}
	if m.Budget < 0 {
		return "", fmt.Errorf("AGENT_LESSONS_MODEL_BUDGET is negative: %d", m.Budget)
	}
	d, err := distill.Choose(distill.AutoKind, m.Anthropic, m.OpenAI)
	if err != nil {
		return "", err
	}
	if _, extractive := d.(distill.Extractive); extractive {
		return "extractive", nil
	}
	if len(m.Owners) == 0 {
		return "", fmt.Errorf("a model's key is set, but no owner may use it: name them in AGENT_LESSONS_MODEL_OWNERS, or * for everybody who installs the App")
	}
	return fmt.Sprint(d), nil
}

func (m Models) serves(owner string) bool {
	return slices.ContainsFunc(m.Owners, func(o string) bool { return o == "*" || strings.EqualFold(o, owner) })
}

func (m Models) allows(model string) bool {
	return model == m.Anthropic.Model || model == m.OpenAI.Model ||
		slices.ContainsFunc(m.Allowed, func(a string) bool { return a == "*" || a == model })
}

// budget counts paid uses.
type budget interface {
	Spend(ctx context.Context, owner, month string, limit int) (within bool, err error)
}

// choose returns the distiller for a repository of owner: what its configuration asks for, as
// far as the installation has it and lets the owner use it. Otherwise the extractive distiller
// answers, and says why.
func (m Models) choose(want config.Distiller, owner string, b budget, now func() time.Time) distill.Distiller {
	anthropic, openAI := m.Anthropic, m.OpenAI
	if want.Model != "" && m.serves(owner) && !m.allows(want.Model) {
		return excused{fmt.Sprintf("this installation does not allow the model %q: its operator can name it in AGENT_LESSONS_MODELS", want.Model)}
	}
	if want.Model != "" {
		anthropic.Model, openAI.Model = want.Model, want.Model
	}
	d, err := distill.Choose(distill.Kind(want.Kind), anthropic, openAI)
	if err != nil {
		return excused{err.Error()}
	}
	model, ok := d.(*distill.Model)
	if !ok {
		return d
	}
	if !m.serves(owner) {
		if want.Kind == string(distill.AutoKind) {
			return distill.NewExtractive()
		}
		return excused{"this installation's models are not for " + owner}
	}
	return metered{model: model, owner: owner, limit: m.Budget, budget: b, now: now}
}

// excused distils extractively and says why no model did.
type excused struct{ reason string }

// Distill never fails.
func (e excused) Distill(ctx context.Context, findings []distill.Finding) (distill.Result, error) {
	result, err := distill.NewExtractive().Distill(ctx, findings)
	result.Fallback = e.reason
	return result, err
}

// metered asks a model while its owner's budget lasts.
type metered struct {
	model  *distill.Model
	owner  string
	limit  int
	budget budget
	now    func() time.Time
}

// Distill counts first, so that a crash can cost a use and never a bill.
func (m metered) Distill(ctx context.Context, findings []distill.Finding) (distill.Result, error) {
	within, err := m.spend(ctx)
	if err != nil {
		return distill.Result{}, err
	}
	if !within {
		return excused{m.usedUp()}.Distill(ctx, findings)
	}
	return m.model.Distill(ctx, findings)
}

// Same implements memory.Judge; a second opinion is one use.
func (m metered) Same(ctx context.Context, a, b string) (bool, error) {
	within, err := m.spend(ctx)
	if err == nil && !within {
		err = errors.New(m.usedUp())
	}
	if err != nil {
		return false, err
	}
	return m.model.Same(ctx, a, b)
}

func (m metered) spend(ctx context.Context) (within bool, err error) {
	return m.budget.Spend(ctx, strings.ToLower(m.owner), m.now().UTC().Format("2006-01"), m.limit)
}

func (m metered) usedUp() string {
	return fmt.Sprintf("the monthly budget of %d uses of a model for %s is used up", m.limit, m.owner)
}
