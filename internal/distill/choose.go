package distill

import "fmt"

// Kind names a distiller in the configuration.
type Kind string

// The kinds of distillers. Auto is Anthropic when its key is set, then OpenAI, then extractive.
const (
	AutoKind       Kind = "auto"
	ExtractiveKind Kind = "extractive"
	AnthropicKind  Kind = "anthropic"
	OpenAIKind     Kind = "openai"
)

// Endpoints returns those that an environment has keys for, under the names that the App knows
// them by. A workflow and a person's shell say them so.
func Endpoints(getenv func(string) string) (anthropic, openAI Endpoint) {
	anthropic = Endpoint{Key: getenv("ANTHROPIC_API_KEY"), BaseURL: getenv("ANTHROPIC_BASE_URL"), Model: getenv("AGENT_LESSONS_ANTHROPIC_MODEL")}
	openAI = Endpoint{Key: getenv("OPENAI_API_KEY"), BaseURL: getenv("OPENAI_BASE_URL"), Model: getenv("AGENT_LESSONS_OPENAI_MODEL")}
	return anthropic, openAI
}

// Choose returns the distiller of a kind. Its String method says which it is, for the start-up
// log. The error names a setting that is missing or wrong.
func Choose(kind Kind, anthropic, openAI Endpoint) (Distiller, error) {
	fallback := NewExtractive()
	if kind == AutoKind || kind == "" {
		switch {
		case anthropic.Key != "":
			kind = AnthropicKind
		case openAI.Key != "" || openAI.BaseURL != "":
			kind = OpenAIKind
		default:
			kind = ExtractiveKind
		}
	}
	switch kind {
	case ExtractiveKind:
		return fallback, nil
	case AnthropicKind:
		return orNothing(NewAnthropic(anthropic, fallback))
	case OpenAIKind:
		return orNothing(NewOpenAI(openAI, fallback))
	}
	return nil, fmt.Errorf("there is no distiller %q: use auto, extractive, anthropic or openai", kind)
}

// orNothing keeps a nil *Model from becoming a Distiller that is not nil.
func orNothing(m *Model, err error) (Distiller, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
