package guard

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// What holds for every sentence that passes, whatever came in.
func requireHarmless(t interface{ Fatalf(string, ...any) }, in string, check func(string) Result) {
	got := check(in)
	if got.Refused {
		if got.Sentence != "" || got.Rule == "" || got.Reason == "" {
			t.Fatalf("check(%q) = %+v, want a refusal with its rule and reason, and no sentence", in, got)
		}
		return
	}
	s := got.Sentence
	if !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) {
		t.Fatalf("check(%q) = %q, not valid UTF-8 in NFC", in, s)
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }); i >= 0 {
		t.Fatalf("check(%q) = %q holds %q", in, s, s[i:])
	}
	if strings.TrimSpace(s) != s || strings.Contains(s, "  ") || !strings.ContainsAny(s[len(s)-1:], ".!?") {
		t.Fatalf("check(%q) = %q is not one tidy sentence", in, s)
	}
	outside := spansOfCode.ReplaceAllString(s, "`")
	for _, forbidden := range []*regexp.Regexp{anyTag, anyURL, anyMention, anyReference, anyTrailer, anyImage} {
		if m := forbidden.FindString(outside); m != "" {
			t.Fatalf("check(%q) = %q holds %q outside code", in, s, m)
		}
	}
	if startsBlock.MatchString(s) {
		t.Fatalf("check(%q) = %q begins like a block of Markdown", in, s)
	}
	if again := check(s); again.Sentence != s || again.Refused || again.Redacted != 0 {
		t.Fatalf("check(%q) = %q, and checked again %+v", in, s, again)
	}
}

// Written apart from the product's patterns on purpose: plain and strict.
var (
	spansOfCode  = regexp.MustCompile("`` .*? ``|`[^`]*`")
	anyTag       = regexp.MustCompile(`</?[A-Za-z!?]`)
	anyURL       = regexp.MustCompile(`https?://[^\s.,;:!?)]|\bwww\.\w`)
	anyMention   = regexp.MustCompile(`(?:^|\s|[(,])@[A-Za-z0-9]`)
	anyReference = regexp.MustCompile(`(?:^|[\s(])#\d+\b|\bGH-\d+\b`)
	anyImage     = regexp.MustCompile(`!\[[^\]]*\]\([^()]*\)`)
	anyTrailer   = regexp.MustCompile(`(?i)\([^()]*\d{4}-\d\d-\d\d\s*,\s*[a-z][^()]*\)\W*$`)
	startsBlock  = regexp.MustCompile("^(?:[-+*] |#{1,6} |>|\\d{1,9}[.)](?: |$)|```|~~~|\\||\\[[ xX]\\]| {4}|(?:---|___|\\*\\*\\*)[-_* ]*$|<[A-Za-z/!?])")
)

// fragments are the pieces that the properties build input from: what has a meaning to Markdown,
// HTML, GitHub or the lessons file, and some words.
var fragments = []string{
	"Close", " the ", "response", " body", ".", " ", "\n", "\n\n", "\t", "    ", "- ", "* ", "# ", "> ", "1. ", "|", "---", "===", "[ ] ", "~~~",
	"`", "``", "```", "```go\n", "\\", "*", "**", "_", "<", ">", "<b>", "</b>", "<br", "<T>", "Vec<T>", "<!--", "-->", "<script>", "</script>", "<div", "<?x", "<![CDATA[",
	"&lt;", "&gt;", "&#96;", "&#64;", "&amp;", "&#x200b;", "![", "[", "](", "]", "(", ")", "[a]: ", "https://x.example/a", "<https://x.example>", "www.x.example", "mailto:a@b.example",
	"@mooncat", "@org/team", "#12", "GH-3", "o/r#4", "fixes ", "@", "#",
	"(PR #1, 2026-01-01, founder-note)", "PR ", ", 2026-01-01, ", "(2026-01-01, xyz", "founder-note", "; stale ", "earned 2x", "\uff08", "\uff09",
	"\u200b", "\u202e", "\u00ad", "\ufe0f", "\U000E0041", "\u3164", "\x00", "\xff", "\u0301", "e\u0301", "\u2028", "\r", "é", "入力", "🙂", "…", "。", "'", "\"", "!", "?", ":", ",", ";", "$", "{", "}",
}

func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(fragments), rapid.StringN(0, 6, 12)), 0, 14).Draw(t, "parts")
		return "Close the response body" + strings.Join(parts, "")
	})
}

func TestCheckHoldsForAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := hostileText().Draw(t, "in")
		requireHarmless(t, in, Check)
		requireHarmless(t, in, CheckNote)
		requireHarmless(t, strings.TrimPrefix(in, "Close the response body"), CheckNote)
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range fragments {
		f.Add("Close the response body " + s + " early.")
	}
	f.Add("")
	f.Fuzz(func(t *testing.T, in string) {
		requireHarmless(t, in, Check)
		requireHarmless(t, in, CheckNote)
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range fragments {
		f.Add(s + " and <!-- a --> b")
	}
	f.Fuzz(func(t *testing.T, in string) {
		cleaned, _ := Clean(in)
		if !utf8.ValidString(cleaned) {
			t.Fatalf("Clean(%q) = %q, not valid UTF-8", in, cleaned)
		}
		if again, redacted := Clean(cleaned); redacted != 0 {
			t.Fatalf("Clean(%q) = %q, which still holds secrets: %q", in, cleaned, again)
		}
	})
}

func FuzzDefuse(f *testing.F) {
	for _, s := range fragments {
		f.Add("Fixes #1 by @mooncat " + s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		defused := Defuse(in)
		if strings.ReplaceAll(defused, breaker, "") != strings.ReplaceAll(in, breaker, "") {
			t.Fatalf("Defuse(%q) = %q changes more than it breaks", in, defused)
		}
		if again := Defuse(defused); again != defused {
			t.Fatalf("Defuse(%q) = %q, and defused again %q", in, defused, again)
		}
	})
}
