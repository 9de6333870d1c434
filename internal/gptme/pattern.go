package gptme

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// What Python's classes of characters mean: Unicode's, where Go's are ASCII's.
const (
	wordCharacter = `[\p{L}\p{N}_]`
	maxPattern    = 1000 // bytes
	// maxSize is how many instructions a pattern may be: repetitions within repetitions are short to
	// write and slow to match.
	maxSize = 2000
)

var pythonClasses = map[byte]struct{ outside, inside string }{
	'w': {wordCharacter, `\p{L}\p{N}_`},
	'W': {`[^\p{L}\p{N}_]`, ""},
	'd': {`\p{Nd}`, `\p{Nd}`},
	'D': {`\P{Nd}`, `\P{Nd}`},
	's': {`[\s\v\x1c-\x1f\x{85}\p{Z}]`, `\s\v\x1c-\x1f\x{85}\p{Z}`},
	'S': {`[^\s\v\x1c-\x1f\x{85}\p{Z}]`, ""},
	'Z': {`\z`, ""},
}

// Compile translates one of Python's regular expressions, which ignores case. What Go's cannot express
// (looking around, referring back, atomic groups) is an error that quotes the pattern.
func Compile(pattern string) (*regexp.Regexp, error) {
	if strings.TrimSpace(pattern) == "" || len(pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern %.40q is empty or longer than %d bytes", pattern, maxPattern)
	}
	translated, err := translate(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern %q is not supported: %w", pattern, err)
	}
	translated = "(?i)" + translated
	if size, err := size(translated); err == nil && size > maxSize {
		return nil, fmt.Errorf("the pattern %.40q is not supported: it repeats too much", pattern)
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		var reason *syntax.Error
		if errors.As(err, &reason) {
			err = fmt.Errorf("%s: %q", reason.Code, reason.Expr)
		}
		return nil, fmt.Errorf("the pattern %q is not supported: %w", pattern, err)
	}
	return re, nil
}

// size counts the instructions of a Go pattern.
func size(pattern string) (int, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

func translate(pattern string) (string, error) {
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			escape, err := translateEscape(pattern[i], class)
			if err != nil {
				return "", err
			}
			b.WriteString(escape)
			continue
		case class:
			class = c != ']'
		case c == '[':
			class = true
			for _, literal := range []string{"[^]", "[]"} { // a bracket that comes first is itself
				if strings.HasPrefix(pattern[i:], literal) {
					b.WriteString(literal[:len(literal)-1] + `\`)
					i += len(literal) - 1
					c = ']'
					break
				}
			}
		case c == '$': // in Python also before a line end that closes the text
			b.WriteString(`(?:\n?$)`)
			continue
		case c == '{' && strings.HasPrefix(pattern[i:], "{,"): // no lower bound is 0
			b.WriteString("{0")
			continue
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

func translateEscape(c byte, class bool) (string, error) {
	to, ok := pythonClasses[c]
	switch {
	case !ok:
		return `\` + string(c), nil
	case !class:
		return to.outside, nil
	case to.inside == "":
		return "", fmt.Errorf(`\%c inside brackets`, c)
	default:
		return to.inside, nil
	}
}
