package gptme

import (
	"regexp"
	"strings"
)

// plainFields reads front matter in the few forms of YAML that nearly all lessons are written in: names with
// plain or quoted words, lists of them in brackets or below, and one level of nesting. Of everything else
// it says that it is not plain, and the YAML parser, which takes ten times as long, has to read it. A test
// holds that both read the same.
func plainFields(front string) (fields map[string]any, plain bool) {
	p := plainParser{lines: strings.Split(front, "\n")}
	fields = p.mapping(0)
	return fields, p.ok()
}

type plainParser struct {
	lines  []string
	at     int
	failed bool
}

func (p *plainParser) ok() bool { return !p.failed && p.at == len(p.lines) }

// next returns the next line with content, its indentation, and false at the end.
func (p *plainParser) next() (text string, indent int, ok bool) {
	for ; p.at < len(p.lines); p.at++ {
		line := strings.TrimRight(p.lines[p.at], " ")
		text = strings.TrimLeft(line, " ")
		if text != "" {
			return text, len(line) - len(text), true
		}
	}
	return "", 0, false
}

var plainKey = regexp.MustCompile(`^([A-Za-z_]+):(?: +(.*))?$`)

// mapping reads "name: value" lines at an indentation.
func (p *plainParser) mapping(indent int) map[string]any {
	out := map[string]any{}
	for !p.failed {
		text, depth, ok := p.next()
		if !ok || depth < indent {
			return out
		}
		m := plainKey.FindStringSubmatch(text)
		if m == nil || depth != indent {
			break
		}
		if _, twice := out[m[1]]; twice {
			break
		}
		if p.at++; m[2] != "" {
			out[m[1]] = p.value(m[2])
		} else {
			out[m[1]] = p.below(indent)
		}
	}
	p.failed = true
	return out
}

// below reads what belongs to a name without a value on its line: a list, or in the outermost mapping
// another mapping.
func (p *plainParser) below(indent int) any {
	text, depth, ok := p.next()
	switch {
	case ok && strings.HasPrefix(text, "- ") && depth >= indent:
		return p.items(depth)
	case ok && depth > indent && indent == 0:
		return p.mapping(depth)
	default:
		p.failed = true
		return nil
	}
}

func (p *plainParser) items(indent int) []any {
	var out []any
	for !p.failed {
		text, depth, ok := p.next()
		item, isItem := strings.CutPrefix(text, "- ")
		if !ok || depth < indent || depth == indent && !isItem {
			return out
		}
		if depth != indent {
			break
		}
		p.at++
		out = append(out, p.scalar(strings.TrimLeft(item, " ")))
	}
	p.failed = true
	return out
}

// value reads what stands behind a name: a scalar, or a list in brackets.
func (p *plainParser) value(text string) any {
	inner, ok := strings.CutPrefix(text, "[")
	if !ok {
		return p.scalar(text)
	}
	inner, ok = strings.CutSuffix(inner, "]")
	if !ok {
		p.failed = true
		return nil
	}
	var out []any
	for _, item := range strings.Split(inner, ",") { // a comma within quotes leaves a quote alone, which is not plain
		out = append(out, p.scalar(strings.Trim(item, " ")))
	}
	return out
}

// plainScalar is a quoted text, or words that no YAML takes for anything else.
var (
	plainScalar = regexp.MustCompile(`^(?:"((?:[^"\\\x00-\x1f]|\\["\\])+)"|'([^'\x00-\x1f]+)'|([A-Za-z][A-Za-z0-9 _./*+-]*))$`)
	unescape    = strings.NewReplacer(`\\`, `\`, `\"`, `"`)
)

// notText are the words that YAML reads as something else than text.
var notText = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|y|n|null|nan|inf)$`)

func (p *plainParser) scalar(text string) any {
	m := plainScalar.FindStringSubmatch(text)
	if m == nil || notText.MatchString(m[3]) {
		p.failed = true
		return nil
	}
	return unescape.Replace(m[1]) + m[2] + strings.TrimRight(m[3], " ")
}
