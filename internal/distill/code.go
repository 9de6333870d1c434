package distill

import (
	"strings"
)

// maxFenceLines is the most lines of a suggestion that may name the cure.
const maxFenceLines = 4

var call = lazily(`[A-Za-z_][\w]*(?:(?:::|\.)[A-Za-z_]\w*)*\(`)

// calledIn names the function that a short suggestion calls and the remark does not mention, or "".
func calledIn(fences []string, r *remark) string {
	said := r.title
	for _, s := range r.body {
		said += " " + s.text
	}
	for _, fence := range fences {
		lines := strings.Split(fence, "\n")
		if len(lines) > maxFenceLines {
			continue
		}
		removed := ""
		for _, line := range lines {
			if strings.HasPrefix(line, "-") {
				removed += line
			}
		}
		for _, line := range lines {
			for _, m := range call().FindAllString(line, -1) {
				name := strings.TrimSuffix(m, "(")
				if distinctive(name) && !strings.HasPrefix(line, "-") && !strings.Contains(removed, name) && !strings.Contains(said, name) {
					return name
				}
			}
		}
	}
	return ""
}

// distinctive reports whether a name says something by itself: `i64::try_from`, not `open`.
func distinctive(name string) bool {
	return strings.ContainsAny(name, "_:") || name != strings.ToLower(name) && name[0] >= 'a'
}
