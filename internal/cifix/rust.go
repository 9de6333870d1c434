package cifix

import (
	"regexp"
	"strings"
)

var (
	rustHead  = regexp.MustCompile(`^(?:error|warning)(?:\[(E\d{4})\])?: (.*)$`)
	rustPlace = regexp.MustCompile(`^\s*--> (\S+\.rs):\d+:\d+`)
	rustLint  = regexp.MustCompile("\\b(clippy::[a-z_]+)|#\\[(?:warn|deny|forbid)\\(([a-z_]+)\\)\\]|`-D ([a-z-]+)`")
	rustNoise = regexp.MustCompile(`^(?:could not compile|aborting due to|\d+ warnings? emitted|build failed|test failed)`)
	rustTest  = regexp.MustCompile(`^thread '([^']+)' (?:\(\d+\) )?panicked at (?:'(.*)', )?(\S+\.rs):\d+:\d+:?$`)
	slugLint  = regexp.MustCompile(`rust-clippy/.*#([a-z_]+)`)
)

// clippy reads rustc and clippy: the message, the place two lines on, the lint in a note.
func clippy(_ *Failure, r remark) []problem {
	var (
		out []problem
		now *problem
	)
	if strings.HasSuffix(r.place, ".rs") && len(r.lines) > 0 {
		head := r.lines[0]
		out = append(out, problem{tool: "cargo", place: r.place, message: head})
		now = &out[0]
		if m := rustHead.FindStringSubmatch(r.title); m != nil {
			now.rule, now.message = m[1], m[2]
		} else if r.title != "" && !strings.Contains(r.title, "::") {
			now.message = r.title
		}
		rustRule(r.title, now)
	}
	for _, line := range r.lines {
		if m := rustHead.FindStringSubmatch(line); m != nil && !rustNoise.MatchString(m[2]) {
			if r.place == "" {
				out = append(out, problem{tool: "cargo"})
				now = &out[len(out)-1]
			}
			if now != nil {
				now.rule, now.message = m[1], m[2]
			}
		} else if now != nil {
			if m := rustPlace.FindStringSubmatch(line); m != nil && now.place == "" {
				now.place = placeOf(m[1])
			}
			rustRule(line, now)
		}
	}
	kept := out[:0]
	for _, p := range out {
		if p.rule != "" && p.place != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// rustRule takes the lint that a line names, unless the problem has one.
func rustRule(line string, p *problem) {
	if p.rule != "" {
		return
	}
	if m := rustLint.FindStringSubmatch(line); m != nil {
		p.rule = m[1] + m[2] + strings.ReplaceAll(m[3], "-", "_")
	} else if m := slugLint.FindStringSubmatch(line); m != nil {
		p.rule = "clippy::" + m[1]
	}
	if strings.HasPrefix(p.rule, "clippy::") {
		p.tool = "cargo clippy"
	}
}

// cargoTest reads what a Rust test says when it panics: the reason is on the next line.
func cargoTest(f *Failure, r remark) []problem {
	var out []problem
	for i, line := range r.lines {
		m := rustTest.FindStringSubmatch(line)
		if m == nil || m[1] == "main" || placeOf(m[3]) == "" {
			continue
		}
		reason := m[2]
		if reason == "" && i+1 < len(r.lines) {
			reason = r.lines[i+1]
		}
		out = append(out, testProblem(f, "cargo test", m[1], placeOf(m[3]), "cargo test "+m[1], reason))
	}
	return out
}
