package guard

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The corpus is the measure of the guard: what is hostile never passes, what is harmless nearly
// always does.
func TestCorpus(t *testing.T) {
	const maxRefusedHarmless = 3
	t.Run("hostile", func(t *testing.T) {
		for _, s := range corpus(t, "hostile.txt") {
			if got := Check(s); !got.Refused {
				t.Errorf("let through: %q", s)
			}
		}
	})
	t.Run("harmless", func(t *testing.T) {
		refused := 0
		for _, s := range corpus(t, "harmless.txt") {
			if got := Check(s); got.Refused {
				refused++
				t.Logf("refused by %s: %q", got.Rule, s)
			}
		}
		if refused > maxRefusedHarmless {
			t.Errorf("%d harmless sentences refused, want at most %d", refused, maxRefusedHarmless)
		}
	})
}

// TestCorpusSize keeps the corpus from shrinking below what the measure was asked on.
func TestCorpusSize(t *testing.T) {
	for _, name := range []string{"hostile.txt", "harmless.txt"} {
		if n := len(corpus(t, name)); n < 150 {
			t.Errorf("%s holds %d sentences, want at least 150", name, n)
		}
	}
}

var escape = regexp.MustCompile(`\\(?:u[0-9a-f]{4}|U[0-9a-f]{8})`)

// corpus reads the sentences of a file in testdata, with its escapes resolved.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		if seen[line] {
			t.Errorf("%s holds %q twice", name, line)
		}
		seen[line] = true
		out = append(out, escape.ReplaceAllStringFunc(line, func(e string) string {
			code, err := strconv.ParseUint(e[2:], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return string(rune(code))
		}))
	}
	return out
}
