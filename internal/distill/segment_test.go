package distill

import (
	"slices"
	"testing"
)

func TestSegment(t *testing.T) {
	tests := map[string][]string{
		"Close it. Then log.":               {"Close it.", "Then log."},
		"drop this. use that":               {"drop this.", "use that"},
		"Use `a. B` and `x?`. Never `y!`.":  {"Use `a. B` and `x?`.", "Never `y!`."},
		"See a.b.c and v1.2.3. Next":        {"See a.b.c and v1.2.3.", "Next"},
		"Name it, e.g. Foo, i.e. not Bar.":  {"Name it, e.g. Foo, i.e. not Bar."},
		"Files, maps, etc. They leak.":      {"Files, maps, etc.", "They leak."},
		"1. Close it.":                      {"1. Close it."},
		"Really?! Yes.":                     {"Really?!", "Yes."},
		"He said \"stop.\" We did.":         {"He said \"stop.\"", "We did."},
		"Das gilt z.B. hier. Bitte ändern.": {"Das gilt z.B. hier.", "Bitte ändern."},
		"Falta p.ej. aquí. Usa otra.":       {"Falta p.ej. aquí.", "Usa otra."},
		"色が残ります。変数を参照してください。":               {"色が残ります。", "変数を参照してください。"},
		"使用 `a.b`。不要拼接！":                    {"使用 `a.b`。", "不要拼接！"},
		"잠금을 잡아 주세요. 로그도요.":                 {"잠금을 잡아 주세요.", "로그도요."},
		"a wrapped line that\ngoes on here": {"a wrapped line that goes on here"},
		"missing test\nAlso the docs":       {"missing test", "Also the docs"},
		"a long line that is wrapped by an editor right before this very\nKubernetes name": {"a long line that is wrapped by an editor right before this very Kubernetes name"},
		"":     nil,
		" \n ": nil,
	}
	for text, want := range tests {
		if got := segment(text); !slices.Equal(got, want) {
			t.Errorf("segment(%q) = %q, want %q", text, got, want)
		}
	}
}
