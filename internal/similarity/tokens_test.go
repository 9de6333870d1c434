package similarity

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	tests := map[string]struct {
		sentence string
		want     []string
	}{
		"empty":                         {"", nil},
		"punctuation alone":             {"… — `!?`", nil},
		"no stop list, no stemming":     {"The runs run the run.", []string{"run", "runs", "the"}},
		"identifiers fall apart":        {"Bump `MIN_CASES` in `run-tests.sh`", []string{"bump", "cases", "in", "min", "run", "sh", "tests"}},
		"digits":                        {"HTTP2 or 409", []string{"409", "http2", "or"}},
		"accents stay":                  {"Größe café", []string{"café", "größe"}},
		"decomposed equals composed":    {"cafe\u0301", []string{"caf\u00e9"}},
		"vowel signs stay in the word":  {"हिन्दी", []string{"हिन्दी"}},
		"cyrillic":                      {"Не коммить", []string{"коммить", "не"}},
		"hangul has spaces":             {"테스트를 실행", []string{"실행", "테스트를"}},
		"han in pairs":                  {"提交代码。", []string{"交代", "代码", "提交"}},
		"a single han character":        {"a 码 b", []string{"a", "b", "码"}},
		"latin inside han":              {"运行make测试", []string{"make", "测试", "运行"}},
		"katakana keeps its sound mark": {"サーバー", []string{"サー", "バー", "ーバ"}},
		"thai marks stay on the letter": {"ที่นี่", []string{"ที่นี่"}},
		"invalid UTF-8 splits":          {"a\xffb", []string{"a", "b"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Tokens(tt.sentence)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got, cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("Tokens(%q) (-want +got):\n%s", tt.sentence, diff)
			}
		})
	}
}

func TestJaccard(t *testing.T) {
	tests := []struct {
		a, b []string
		want float64
	}{
		{nil, nil, 0},
		{[]string{"a"}, nil, 0},
		{[]string{"a"}, []string{"a"}, 1},
		{[]string{"new", "one"}, []string{"new", "two"}, 1.0 / 3},
		{[]string{"a", "b", "c"}, []string{"b", "c", "d"}, 0.5},
	}
	for _, tt := range tests {
		if got := Jaccard(tt.a, tt.b); got != tt.want {
			t.Errorf("Jaccard(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestTokensOfTheTokensAreTheTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := Tokens(rapid.StringOf(rapid.RuneFrom([]rune("abC09 -_.`éßİ"))).Draw(t, "sentence"))
		var joined string
		for _, token := range once {
			joined += token + " "
		}
		if diff := cmp.Diff(once, Tokens(joined)); diff != "" && len(once) > 0 {
			t.Fatal(diff)
		}
	})
}

func FuzzTokens(f *testing.F) {
	f.Add("Never run `go mod tidy` in CI.")
	f.Add("提交前运行测试 ก่อน サーバー \xff\u0301")
	f.Fuzz(func(t *testing.T, s string) {
		tokens := Tokens(s)
		if !slices.IsSorted(tokens) || len(slices.Compact(slices.Clone(tokens))) != len(tokens) {
			t.Fatalf("not a sorted set: %q", tokens)
		}
		for _, token := range tokens {
			if token == "" || !utf8.ValidString(token) {
				t.Fatalf("bad token %q", token)
			}
		}
	})
}
